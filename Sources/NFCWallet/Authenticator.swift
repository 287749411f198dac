import Synchronization

/// Finds out whether the person holding the device is its owner.
public protocol Authenticator: AnyObject, Sendable {
    /// Asks for a face, a finger or the passcode.
    /// - Parameter completion: Called once, on any thread, maybe before this returns.
    func authenticate(completion: @escaping @Sendable (AuthenticationResult) -> Void)
    /// Takes the prompt away; nobody waits for its result any more.
    func dismiss()
}

/// What became of a request to authenticate.
public enum AuthenticationResult: Hashable, Sendable {
    /// It is the owner.
    case succeeded
    /// It is not, or the passcode is missing.
    case failed
    /// The user took the prompt away, or the system did.
    case cancelled
    /// No face or finger is enrolled.
    case biometricNotEnrolled
    /// The passcode was removed or changed, so what it protected is lost.
    case keyInvalidated
}

/// An authenticator that answers as it is told to, for simulations and tests.
public final class SimulatedAuthenticator: Authenticator {
    private let state: Mutex<State>

    private struct State {
        var result: AuthenticationResult?
        var waiting: (@Sendable (AuthenticationResult) -> Void)?
    }

    /// Creates an authenticator that gives `result` at once; with nil it keeps people waiting for `answer`.
    public init(_ result: AuthenticationResult? = .succeeded) {
        state = Mutex(State(result: result))
    }

    /// Whether a prompt is shown.
    public var isPrompting: Bool { state.withLock { $0.waiting != nil } }

    /// Gives the result that is set, or shows the prompt.
    public func authenticate(completion: @escaping @Sendable (AuthenticationResult) -> Void) {
        let result = state.withLock { state in
            if state.result == nil { state.waiting = completion }
            return state.result
        }
        if let result { completion(result) }
    }

    /// Answers the prompt that is shown, if one is.
    public func answer(_ result: AuthenticationResult) {
        let completion = state.withLock { $0.waiting.take() }
        completion?(result)
    }

    /// Takes the prompt away.
    public func dismiss() { state.withLock { $0.waiting = nil } }
}
