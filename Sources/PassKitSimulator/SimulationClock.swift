public import NFCWallet
import Synchronization

/// A clock that a party's delay lets go on, without anybody waiting.
public protocol SimulationClock: SessionClock {
    /// Lets time pass, making every call that is due on the way.
    func elapse(_ duration: Duration)
}

/// A clock that goes on when a party is slow, and beside that as fast as the clock below it, if there is one.
public final class VirtualClock: SimulationClock {
    private let base: (any SessionClock)?
    private let state = Mutex(State())

    private struct State {
        var offset = Duration.zero
        var lastNumber = 0
        /// The calls to be made, by time.
        var calls: [(number: Int, due: Duration, action: @Sendable () -> Void)] = []
    }

    private struct Call: ScheduledCall {
        let clock: VirtualClock
        let number: Int
        let below: (any ScheduledCall)?

        func cancel() {
            below?.cancel()
            clock.state.withLock { state in state.calls.removeAll { $0.number == number } }
        }
    }

    /// Starts at zero.
    /// - Parameter base: What it follows; nil for a clock that stands still between delays.
    public init(following base: (any SessionClock)? = nil) { self.base = base }

    private var baseTime: Duration { base?.now ?? .zero }

    /// The time since the clock was created, with the delays in it.
    public var now: Duration { state.withLock { $0.offset } + baseTime }

    /// Calls `action` once, when `delay` has passed.
    public func call(
        after delay: Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> any ScheduledCall {
        let due = now + delay
        let number = state.withLock { state in
            state.lastNumber += 1
            let place = state.calls.firstIndex { $0.due > due } ?? state.calls.endIndex
            state.calls.insert((state.lastNumber, due, action), at: place)
            return state.lastNumber
        }
        let below = base?.call(after: delay) { [weak self] in self?.makeCalls(until: due) }
        return Call(clock: self, number: number, below: below)
    }

    /// Lets time pass, making every call that is due on the way.
    public func elapse(_ duration: Duration) {
        let end = now + duration
        makeCalls(until: end)
        let base = baseTime
        state.withLock { $0.offset = max($0.offset, end - base) }
    }

    private func makeCalls(until end: Duration) {
        let base = baseTime
        func next() -> (@Sendable () -> Void)? {
            state.withLock { state in
                guard let first = state.calls.first, first.due <= end else { return nil }
                state.offset = max(state.offset, first.due - base)
                return state.calls.removeFirst().action
            }
        }
        while let action = next() { action() }
    }
}
