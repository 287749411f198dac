import Synchronization

/// Whether a device reaches the servers.
public protocol Connectivity: AnyObject, Sendable {
    /// Whether it does now.
    var isOnline: Bool { get }
}

/// A network that can be switched off.
public final class SimulatedConnectivity: Connectivity {
    private let state: Mutex<Bool>

    /// Starts online unless told otherwise.
    public init(isOnline: Bool = true) { state = Mutex(isOnline) }

    /// Whether the servers can be reached.
    public var isOnline: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
