import Synchronization

/// What the phone's system tells the app outside a session.
public enum NFCWindowSceneEvent: Hashable, Sendable {
    /// A reader's field is there.
    case readerDetected
    /// The user has pressed the button twice to pay.
    case presentation
}

/// The part of a phone that decides who is told of readers and who may pay.
///
/// One app is the default payment app. Readers and double clicks go to it, unless the app in the foreground holds a
/// presentment intent assertion: then its session is told of the reader.
public final class NFCSystem: Sendable {
    /// What the app's scene is told; has one listener.
    public let windowSceneEvents: AsyncStream<NFCWindowSceneEvent>

    private let continuation: AsyncStream<NFCWindowSceneEvent>.Continuation
    private let clock: any SessionClock
    private let state: Mutex<State>

    private struct State {
        var isDefaultPaymentApp: Bool
        var isInForeground = true
        var otherAppLaunchCount = 0
        var assertion = AssertionTimes()
        var lastAssertion = 0
        /// Who is told that the app leaves the foreground.
        var listeners: [@Sendable () -> Void] = []
    }

    /// Starts with the app in the foreground.
    /// - Parameters:
    ///   - isDefaultPaymentApp: Whether the app is the default payment app.
    ///   - clock: The clock behind the assertion's time.
    public init(isDefaultPaymentApp: Bool, clock: any SessionClock = SystemSessionClock()) {
        (windowSceneEvents, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.maximumBufferedEvents)
        )
        self.clock = clock
        state = Mutex(State(isDefaultPaymentApp: isDefaultPaymentApp))
    }

    /// How many events wait for a listener.
    private static let maximumBufferedEvents = 64

    /// Who is told of a reader.
    enum Route: Hashable, Sendable {
        /// The session, by `posConnected`.
        case session
        /// The app's scene, by `NFCWindowSceneEvent.readerDetected`.
        case scene
        /// Another app, which comes to the foreground.
        case otherApp
    }

    /// Whether the app is the one that readers and double clicks go to.
    public var isDefaultPaymentApp: Bool {
        get { state.withLock(\.isDefaultPaymentApp) }
        set { state.withLock { $0.isDefaultPaymentApp = newValue } }
    }

    /// Whether the user sees the app.
    public var isInForeground: Bool { state.withLock(\.isInForeground) }

    /// How often another app was started because of a reader or a double click.
    public var otherAppLaunchCount: Int { state.withLock(\.otherAppLaunchCount) }

    /// The user presses the button twice to pay.
    public func doubleClick() { _ = dispatch(.presentation) }

    /// A reader's field is there and no card is shown.
    func readerDetected() -> Route {
        let now = clock.now
        let isAsserted = state.withLock { $0.isInForeground && $0.assertion.isValid(at: now) }
        return isAsserted ? .session : dispatch(.readerDetected)
    }

    /// Tells the default payment app, which the system brings to the foreground.
    private func dispatch(_ event: NFCWindowSceneEvent) -> Route {
        let isOurs = state.withLock { state in
            if state.isDefaultPaymentApp {
                state.isInForeground = true
            } else {
                state.otherAppLaunchCount += 1
            }
            return state.isDefaultPaymentApp
        }
        guard isOurs else {
            didEnterBackground()
            return .otherApp
        }
        continuation.yield(event)
        return .scene
    }
}

// MARK: Assertions

extension NFCSystem {
    /// Begins an assertion.
    /// - Returns: Its number.
    func beginAssertion() throws(PresentmentIntentError) -> Int {
        let now = clock.now
        let result = state.withLock { state -> Result<Int, PresentmentIntentError> in
            guard state.isInForeground else { return .failure(.notInForeground) }
            guard let error = state.assertion.begin(at: now) else {
                state.lastAssertion += 1
                return .success(state.lastAssertion)
            }
            return .failure(error)
        }
        return try result.get()
    }

    /// Whether an assertion still holds.
    func isValid(_ number: Int) -> Bool {
        let now = clock.now
        return state.withLock { $0.lastAssertion == number && $0.assertion.isValid(at: now) }
    }

    /// Ends an assertion, if it still holds.
    func endAssertion(_ number: Int) {
        let now = clock.now
        state.withLock { state in
            if state.lastAssertion == number { state.assertion.end(at: now) }
        }
    }

    /// Will call `listener` whenever the app leaves the foreground.
    func whenLeavingForeground(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// The app has left the foreground; its assertion ends.
    func didEnterBackground() {
        let now = clock.now
        let listeners = state.withLock { state in
            state.isInForeground = false
            state.assertion.end(at: now)
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// The app is in the foreground again.
    func willEnterForeground() { state.withLock { $0.isInForeground = true } }
}

/// When an assertion began and ended, by some clock.
struct AssertionTimes: Hashable, Sendable {
    private var end: Duration?

    /// How long an assertion holds, and how long no other may be begun afterwards.
    static let lifetime = Duration.seconds(15)
    static let coolDown = Duration.seconds(15)

    func isValid(at now: Duration) -> Bool { end.map { now < $0 } ?? false }

    /// Begins one; returns why not.
    mutating func begin(at now: Duration) -> PresentmentIntentError? {
        if let end {
            if now < end { return .alreadyHeld }
            if now < end + Self.coolDown { return .coolingDown }
        }
        end = now + Self.lifetime
        return nil
    }

    /// Ends the present one, if it still holds.
    mutating func end(at now: Duration) { if isValid(at: now) { end = now } }
}
