public import NFCWallet
import Synchronization

/// The Wallet app of a phone, as apps and the push service see it.
public protocol WalletHost: AnyObject, Sendable {
    /// What apps have stored on the phone.
    var storage: DeviceStorage { get }
    /// Who asks for a face, a finger or the passcode.
    var authenticator: any Authenticator { get }
    /// Whether a watch is paired and can be reached.
    var hasReachableWatch: Bool { get }
    /// The passes that an app may see, on the phone or on the watch.
    func passes(visibleTo bundleIdentifier: String, onWatch: Bool) -> [PKSecureElementPass]
    /// Whether a device that is there has no live pass of an account.
    func canAddPass(primaryAccountIdentifier: String) -> Bool
    /// Activates a pass with the issuer's data.
    /// - Throws: `ProvisioningError`.
    func activate(_ pass: PKSecureElementPass, code: String) throws(ProvisioningError)
    /// What changes, from now on.
    func makeChanges() -> AsyncStream<PKPassLibraryNotificationName>
    /// Applies a change of a token, once however often it comes.
    /// - Returns: Whether the message need not come again.
    func receive(_ event: TokenLifecycleEvent) -> Bool
}

/// What a pass library tells.
public enum PKPassLibraryNotificationName: String, Hashable, Sendable {
    /// A pass of the phone was added or is another now.
    case PKPassLibraryDidChange
    /// A pass of the watch was.
    case PKPassLibraryRemotePaymentPassesDidChange
    /// The app is in front again, and should read its passes anew.
    case didEnterForeground
}

/// A watch that may be paired with the phone; in place of `WCSession`.
public protocol PairedDevice: AnyObject, Sendable {
    /// Whether it is paired.
    var isPaired: Bool { get }
    /// Whether it can be reached now.
    var isReachable: Bool { get }
    /// The watch.
    var device: SimulatedDevice { get }
}

/// A watch that is paired and reached as told.
public final class SimulatedWatch: PairedDevice {
    /// The watch.
    public let device: SimulatedDevice
    private let state = Mutex((isPaired: true, isReachable: true))

    /// Pairs a watch.
    public init(_ device: SimulatedDevice) { self.device = device }

    /// Whether it is paired.
    public var isPaired: Bool {
        get { state.withLock(\.isPaired) }
        set { state.withLock { $0.isPaired = newValue } }
    }

    /// Whether it can be reached now.
    public var isReachable: Bool {
        get { state.withLock(\.isReachable) }
        set { state.withLock { $0.isReachable = newValue } }
    }
}

/// A phone or a watch: where its cards and passes are.
public final class SimulatedDevice: Sendable {
    /// Names it.
    public let identifier: DeviceIdentifier
    /// What its owner calls it.
    public let name: String
    /// Where cards and keys are.
    public let secureElement: any SecureElement
    /// Where passes are.
    public let records: any PassRecords

    /// Collects the parts.
    public init(
        identifier: DeviceIdentifier,
        name: String,
        secureElement: any SecureElement,
        records: any PassRecords = MemoryPassRecords()
    ) {
        self.identifier = identifier
        self.name = name
        self.secureElement = secureElement
        self.records = records
    }
}
