// swift-tools-version: 6.3
import PackageDescription

/// An app built on Tapwire's library products, as one outside this repository would be.
let package = Package(
    name: "example",
    dependencies: [.package(name: "tapwire", path: "../..")],
    targets: [
        .executableTarget(
            name: "example",
            dependencies: [
                .product(name: "EMVData", package: "tapwire"),
                .product(name: "Emulation", package: "tapwire"),
                .product(name: "IssuerHost", package: "tapwire"),
                .product(name: "NFCWallet", package: "tapwire"),
                .product(name: "Profiles", package: "tapwire"),
                .product(name: "TerminalKernels", package: "tapwire"),
                .product(name: "TokenService", package: "tapwire"),
                .product(name: "VirtualPOS", package: "tapwire"),
            ]
        )
    ]
)
