public import Foundation

/// What an app does while the user adds one of its cards.
public protocol PKAddPaymentPassViewControllerDelegate: AnyObject {
    /// Has the issuer's server encrypt the pass's data; certificates (leaf first), nonce and signature go there as they are.
    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        generateRequestWithCertificateChain certificates: [Data],
        nonce: Data,
        nonceSignature: Data,
        completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    )
    /// Hears how it ended.
    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        didFinishAdding pass: PKPaymentPass?,
        error: (any Error)?
    )
}

/// The sheet in which the user adds a card; here `SimulatedWalletHost.present` runs it.
public final class PKAddPaymentPassViewController {
    /// What is to be added.
    public let requestConfiguration: PKAddPaymentPassRequestConfiguration
    /// What the app does meanwhile.
    public weak var delegate: (any PKAddPaymentPassViewControllerDelegate)?

    /// Prepares the sheet; nil where the app may not add passes.
    public init?(
        requestConfiguration configuration: PKAddPaymentPassRequestConfiguration,
        delegate: (any PKAddPaymentPassViewControllerDelegate)?
    ) {
        guard Self.canAddPaymentPass() else { return nil }
        requestConfiguration = configuration
        self.delegate = delegate
    }

    /// Whether the app that runs may add passes.
    public static func canAddPaymentPass() -> Bool {
        AppProcess.current?.entitlements.mayProvisionPasses ?? false
    }
}

/// Why no pass was added.
public struct PKAddPaymentPassError: Error, Hashable, Sendable {
    /// The kinds of reasons.
    public enum Code: Int, Hashable, Sendable {
        /// The app or the card may not.
        case unsupported = 0
        /// The user ended it.
        case userCancelled = 1
        /// A server or the device did.
        case systemCancelled = 2
    }

    /// The kind of reason.
    public let code: Code
    /// The reason.
    public let cause: ProvisioningError

    init(_ error: ProvisioningError) {
        cause = error
        switch error {
        case .cancelled: code = .userCancelled
        case .missingEntitlement, .alreadyOnDevice, .notPaired: code = .unsupported
        default: code = .systemCancelled
        }
    }
}
