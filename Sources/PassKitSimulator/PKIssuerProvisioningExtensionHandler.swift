public import Foundation

/// What Wallet asks an issuer's extension without a user interface; issuers override all of it.
///
/// Wallet makes one for each flow, in the process of the extension, and calls it from one task at a time.
open class PKIssuerProvisioningExtensionHandler: NSObject {
    /// Prepares the extension.
    public override init() { super.init() }

    /// Tells whether there are cards to add, and whether the user has to authenticate first; within 100 ms.
    open func status(completion: @escaping (PKIssuerProvisioningExtensionStatus) -> Void) {
        completion(PKIssuerProvisioningExtensionStatus())
    }

    /// Tells which cards can be added to this device.
    open func passEntries(
        completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void
    ) {
        completion([])
    }

    /// Tells which cards can be added to the paired watch.
    open func remotePassEntries(
        completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void
    ) {
        completion([])
    }

    /// Has the issuer's server encrypt the data of a card; nil where that fails.
    open func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String,
        configuration: PKAddPaymentPassRequestConfiguration,
        certificateChain certificates: [Data],
        nonce: Data,
        nonceSignature: Data,
        completionHandler completion: @escaping (PKAddPaymentPassRequest?) -> Void
    ) {
        completion(nil)
    }
}

/// Whether an issuer has cards to add.
public final class PKIssuerProvisioningExtensionStatus {
    /// Whether Wallet must run the extension that authenticates the user.
    public var requiresAuthentication = false
    /// Whether there are cards for this device.
    public var passEntriesAvailable = false
    /// Whether there are cards for the paired watch.
    public var remotePassEntriesAvailable = false

    /// Starts without cards.
    public init() {}
}

/// A card that can be added.
open class PKIssuerProvisioningExtensionPassEntry {
    /// Names it between Wallet and extension.
    public let identifier: String
    /// What it is called.
    public let title: String
    /// Its picture.
    public let art: CardArt

    init(identifier: String, title: String, art: CardArt) {
        self.identifier = identifier
        self.title = title
        self.art = art
    }
}

/// A payment card that can be added.
public final class PKIssuerProvisioningExtensionPaymentPassEntry:
    PKIssuerProvisioningExtensionPassEntry
{
    /// What Wallet is to show of it.
    public let addRequestConfiguration: PKAddPaymentPassRequestConfiguration

    /// Collects the parts; nil where identifier or title is empty.
    public init?(
        identifier: String,
        title: String,
        art: CardArt,
        addRequestConfiguration configuration: PKAddPaymentPassRequestConfiguration
    ) {
        guard !identifier.isEmpty, !title.isEmpty else { return nil }
        addRequestConfiguration = configuration
        super.init(identifier: identifier, title: title, art: art)
    }
}

/// How the user's authentication ended.
public enum PKIssuerProvisioningExtensionAuthorizationResult: Int, Hashable, Sendable {
    /// The user gave up, or is somebody else.
    case canceled = 0
    /// It is the user.
    case authorized = 1
}

/// What the issuer's extension with a user interface does; Wallet sets the handler and shows it.
public protocol PKIssuerProvisioningExtensionAuthorizationProviding: AnyObject {
    /// To be called once the user is authenticated, or not.
    var completionHandler: ((PKIssuerProvisioningExtensionAuthorizationResult) -> Void)? { get set }
}

/// The picture of a card, as its file has it; in place of `UIImage` and `CGImage`.
public struct CardArt: Hashable, Sendable {
    /// The file.
    public let bytes: [UInt8]
    /// Takes the bytes of a PNG or PDF file.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// Reads a PNG or PDF file; nil where it cannot be read.
    public init?(named path: String) {
        guard let contents = FileManager.default.contents(atPath: path) else { return nil }
        bytes = [UInt8](contents)
    }
}
