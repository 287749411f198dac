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

    /// Calls `action` from a task that sleeps meanwhile.
    public func call(
        after delay: Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> any ScheduledCall {
        SleepingTask(
            task: Task {
                guard (try? await Task.sleep(for: delay, clock: .continuous)) != nil else { return }
                action()
            }
        )
    }

    private struct SleepingTask: ScheduledCall {
        let task: Task<Void, Never>
        func cancel() { task.cancel() }
    }
}
