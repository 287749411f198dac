// swift-tools-version: 6.3
import PackageDescription

/// Every target: Swift 6 mode, checked memory safety, warnings are errors.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

/// A room: a library target below `Sources/`, which imports only the rooms named here.
func room(
    _ name: String,
    imports: [Target.Dependency] = [],
    resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: imports, resources: resources, swiftSettings: common)
}

/// The tests of a room, below `Tests/`.
func tests(of name: String, imports: [Target.Dependency]) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name)] + imports,
        swiftSettings: common
    )
}

/// A room as a product of the same name.
func product(_ name: String) -> Product { .library(name: name, targets: [name]) }

/// The core rooms below a card: no Foundation, no async, no existentials, no allocation.
///
/// `tools/embedded-gate` proves it by compiling them with `-no-allocations`.
let core: [Target.Dependency] = ["Octets", "BERTLV", "ISO7816", "EMVData", "EMVCrypto"]

let package = Package(
    name: "tapwire",
    products: [
        product("EMVData"), product("EMVCrypto"), product("CardEngine"),
        product("TerminalKernels"), product("VirtualPOS"), product("NFCWallet"),
        product("D1"), product("Emulation"), product("IssuerHost"), product("PassKitSimulator"),
        product("PCSC"), product("Profiles"), product("TokenService"), product("Traces"),
        product("Transport"),
        .executable(name: "tapwire", targets: ["tapwire"]),
    ],
    targets: [
        // C libraries.
        .systemLibrary(
            name: "CLibcrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CPCSC",
            pkgConfig: "libpcsclite",
            providers: [.apt(["libpcsclite-dev"])]
        ),
        .systemLibrary(
            name: "CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),

        // Core.
        room("Octets"),
        room("BERTLV", imports: ["Octets"]),
        room("ISO7816", imports: ["Octets"]),
        room("EMVData", imports: ["BERTLV", "ISO7816", "Octets"]),
        room("EMVCrypto", imports: ["BERTLV", "EMVData", "Octets", "CLibcrypto"]),
        room("CardEngine", imports: core),

        // Pure.
        room(
            "Profiles",
            imports: core + ["CardEngine"],
            resources: [.embedInCode("Resources")]
        ),
        room("TerminalKernels", imports: core),
        room("IssuerHost", imports: core + ["Profiles"]),
        room("Measurement"),
        room("AirTime"),

        // Edge.
        room("SecureStore", imports: core + ["CLibcrypto", "CSQLite"]),
        room("Transport", imports: core),
        room("Traces", imports: core + ["Transport"]),
        room("PCSC", imports: core + ["CPCSC", "Transport"]),
        room("Emulation", imports: core + ["CardEngine", "NFCWallet", "PCSC", "Transport"]),

        // Apps.
        room("NFCWallet", imports: core + ["CardEngine", "Profiles", "SecureStore"]),
        room(
            "TokenService",
            imports: core + ["CardEngine", "IssuerHost", "NFCWallet", "Profiles", "SecureStore"]
        ),
        room(
            "VirtualPOS",
            imports: core + ["Profiles", "TerminalKernels", "Traces", "Transport"]
        ),

        room("PassKitSimulator", imports: core + ["NFCWallet", "SecureStore", "CLibcrypto"]),
        room("D1", imports: ["PassKitSimulator"]),
        .target(name: "CCardArt", dependencies: ["CPNG"]),
        room("CardArtCheck", imports: ["CCardArt"]),

        .target(name: "CVectors"),
        room(
            "TestVectors",
            imports: core + [
                "AirTime", "CardEngine", "CVectors", "IssuerHost", "Profiles", "TerminalKernels",
                "Traces", "Transport", "VirtualPOS",
            ]
        ),

        // Program.
        room("CommandLineKit"),
        .executableTarget(
            name: "tapwire",
            dependencies: core + [
                "AirTime", "CLibcrypto", "CardArtCheck", "CardEngine", "CommandLineKit", "D1",
                "Emulation",
                "IssuerHost", "Measurement", "NFCWallet", "PassKitSimulator", "PCSC", "Profiles",
                "SecureStore", "TerminalKernels",
                "TestVectors", "TokenService", "Traces", "Transport", "VirtualPOS",
            ],
            swiftSettings: common
        ),

        // Development only.
        .target(name: "CAllocationCounter"),
        .target(name: "CFuzzDriver"),
        .target(name: "CMeasuredCalls"),
        .executableTarget(
            name: "tapwire-fuzz",
            dependencies: core + [
                "CardArtCheck", "CardEngine", "CFuzzDriver", "CommandLineKit", "D1", "Emulation",
                "IssuerHost", "NFCWallet", "PassKitSimulator", "Profiles", "TerminalKernels",
                "TestVectors", "Traces", "Transport", "VirtualPOS",
            ],
            swiftSettings: common
        ),
        .executableTarget(
            name: "tapwire-measure",
            dependencies: core + [
                "CAllocationCounter", "CLibcrypto", "CMeasuredCalls", "CardEngine", "NFCWallet",
                "Profiles", "TerminalKernels", "Transport", "VirtualPOS",
            ],
            swiftSettings: common
        ),
        .executableTarget(
            name: "tapwire-kill-test",
            dependencies: core + [
                "CardEngine", "IssuerHost", "NFCWallet", "Profiles", "SecureStore",
                "TerminalKernels", "TestSupport", "TokenService", "Transport", "VirtualPOS",
            ],
            swiftSettings: common
        ),
        .executableTarget(
            name: "tapwire-random-taps",
            dependencies: core + [
                "CardEngine", "Emulation", "IssuerHost", "NFCWallet", "Profiles",
                "TerminalKernels", "TestSupport", "TokenService", "Transport", "VirtualPOS",
            ],
            swiftSettings: common
        ),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: core,
            path: "Tests/TestSupport",
            swiftSettings: common
        ),
        tests(of: "Octets", imports: ["TestSupport"]),
        tests(of: "BERTLV", imports: ["Octets", "TestSupport"]),
        tests(of: "ISO7816", imports: ["Octets", "TestSupport"]),
        tests(of: "EMVData", imports: ["BERTLV", "ISO7816", "Octets", "TestSupport"]),
        tests(
            of: "EMVCrypto",
            imports: ["BERTLV", "CLibcrypto", "EMVData", "Octets", "TestSupport"]
        ),
        tests(of: "CardEngine", imports: core + ["CAllocationCounter", "Profiles", "TestSupport"]),
        tests(of: "Profiles", imports: core + ["CardEngine", "TestSupport"]),
        tests(of: "TerminalKernels", imports: core + ["TestSupport"]),
        tests(of: "IssuerHost", imports: core + ["Profiles", "TestSupport"]),
        tests(
            of: "SecureStore",
            imports: core + ["TestSupport"]
        ),
        tests(of: "Measurement", imports: ["TestSupport"]),
        tests(of: "AirTime", imports: ["TestSupport"]),
        tests(of: "CardArtCheck", imports: ["TestSupport"]),
        tests(of: "Transport", imports: core + ["TestSupport"]),
        tests(of: "PCSC", imports: core + ["Transport", "TestSupport"]),
        tests(of: "Traces", imports: core + ["Transport", "TestSupport"]),
        tests(
            of: "Emulation",
            imports: core + [
                "CardEngine", "NFCWallet", "PCSC", "Profiles", "Transport", "TestSupport",
            ]
        ),
        tests(
            of: "NFCWallet",
            imports: core + [
                "CAllocationCounter", "CardEngine", "Profiles", "SecureStore", "TestSupport",
            ]
        ),
        tests(
            of: "TokenService",
            imports: core + [
                "CardEngine", "IssuerHost", "NFCWallet", "Profiles", "SecureStore", "TestSupport",
            ]
        ),
        tests(
            of: "PassKitSimulator",
            imports: core + [
                "D1", "Emulation", "IssuerHost", "NFCWallet", "Profiles", "SecureStore",
                "TerminalKernels", "TestSupport", "TokenService", "Transport", "VirtualPOS",
            ]
        ),
        tests(
            of: "VirtualPOS",
            imports: core + [
                "CardEngine", "Emulation", "IssuerHost", "NFCWallet", "Profiles",
                "TerminalKernels", "TokenService", "Traces", "Transport", "TestSupport",
            ]
        ),
        tests(
            of: "TestVectors",
            imports: core + ["CardEngine", "Profiles", "TestSupport", "Transport"]
        ),
        tests(of: "CommandLineKit", imports: ["TestSupport"]),
        tests(
            of: "tapwire",
            imports: core + ["CardEngine", "CommandLineKit", "NFCWallet", "TestSupport"]
        ),
    ],
    // For #embed.
    cLanguageStandard: .c2x
)
