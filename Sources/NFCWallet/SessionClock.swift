import Dispatch

/// The clock behind a session's time limits; tests turn it by hand.
///
/// Not the standard library's `Clock`: that one can only be slept on, and whether a sleeper has woken is known only
/// to its task. Here a due call has been made when the clock has passed its time.
public protocol SessionClock: Sendable {
    /// The time since a moment that never changes.
    var now: Duration { get }
    /// Calls `action` once, when `delay` has passed, on any thread.
    func call(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledCall
}

/// A call that a clock will make.
public protocol ScheduledCall: Sendable {
    /// Prevents the call, unless it has begun.
    func cancel()
}

/// The clock of the system, which goes on while the machine sleeps.
public struct SystemSessionClock: SessionClock {
    private let start = ContinuousClock.now

    /// Starts at zero.
    public init() {}

    /// The time since the clock was created.
    public var now: Duration { start.duration(to: .now) }

    /// Calls `action` on a global queue.
    public func call(
        after delay: Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> any ScheduledCall {
        Timer(at: .now + delay, action)
    }

    /// A timer that leaves nothing behind when it is cancelled.
    ///
    /// A sleeping task would keep its memory until its time is over: a minute for each tap.
    private final class Timer: ScheduledCall, @unchecked Sendable {
        // @unchecked: a dispatch source may be used on any thread.
        private let source = DispatchSource.makeTimerSource(queue: .global())
        private let due: ContinuousClock.Instant

        init(at due: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
            self.due = due
            // Until it is cancelled the timer keeps itself.
            source.setEventHandler {
                guard ContinuousClock.now >= due else { return self.schedule() }
                guard !self.source.isCancelled else { return }
                self.source.cancel()
                action()
            }
            source.setCancelHandler { self.source.setEventHandler(handler: nil) }
            schedule()
            source.resume()
        }

        /// Looks at the clock every second at least: the timer itself stands still while the machine sleeps.
        private func schedule() {
            let remaining = (due - .now) / .seconds(1)
            source.schedule(deadline: .now() + min(max(remaining, 0), 1))
        }

        func cancel() { source.cancel() }
    }
}
