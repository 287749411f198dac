import Synchronization

/// A clock that goes when it is told to, and makes due calls while it goes.
public final class ManualClock: Sendable {
    private let state = Mutex(State())

    private struct State {
        var now = Duration.zero
        var lastNumber = 0
        /// The calls to be made, by time, those of one time in the order they were asked for.
        var calls: [(number: Int, time: Duration, action: @Sendable () -> Void)] = []

        /// Removes the call that is due first, if that is not after `end`, and goes there.
        mutating func nextCall(until end: Duration) -> (@Sendable () -> Void)? {
            guard let first = calls.first, first.time <= end else { return nil }
            now = max(now, first.time)
            return calls.removeFirst().action
        }

        /// Puts a call behind those that are due no later.
        mutating func add(_ number: Int, _ time: Duration, _ action: @escaping @Sendable () -> Void)
        {
            var (low, high) = (0, calls.count)
            while low < high {
                let middle = (low + high) / 2
                if calls[middle].time <= time { low = middle + 1 } else { high = middle }
            }
            calls.insert((number, time, action), at: low)
        }
    }

    /// A call that is to be made.
    public struct Call: Sendable {
        private let clock: ManualClock
        private let number: Int

        fileprivate init(clock: ManualClock, number: Int) {
            self.clock = clock
            self.number = number
        }

        /// Prevents the call.
        public func cancel() {
            clock.state.withLock { state in state.calls.removeAll { $0.number == number } }
        }
    }

    /// Starts at zero.
    public init() {}

    /// The time.
    public var now: Duration { state.withLock(\.now) }

    /// How many calls are to be made.
    public var waitingCallCount: Int { state.withLock(\.calls.count) }

    /// Will call `action` when `delay` has passed.
    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Call {
        state.withLock { state in
            state.lastNumber += 1
            state.add(state.lastNumber, state.now + delay, action)
            return Call(clock: self, number: state.lastNumber)
        }
    }

    /// Goes on by `duration`, making every call that is due on the way before it returns.
    public func advance(by duration: Duration) {
        let end = now + duration
        while let action = state.withLock({ $0.nextCall(until: end) }) { action() }
        state.withLock { $0.now = end }
    }
}
