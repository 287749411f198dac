import Synchronization

/// An answer that comes once, from whoever is first.
final class PendingAnswer<Value: Sendable>: Sendable {
    private struct State {
        /// Whether somebody is giving the answer, or has.
        var isTaken = false
        var answer: Result<Value, ProvisioningError>?
        var waiting: CheckedContinuation<Result<Value, ProvisioningError>, Never>?
    }

    private let state = Mutex(State())

    /// Gives the answer, unless somebody else does.
    /// - Parameters:
    ///   - answer: The answer.
    ///   - isFirst: Called where nobody else does, before the one who waits hears of it.
    func give(_ answer: Result<Value, ProvisioningError>, isFirst: () -> Void) {
        let isTaken = state.withLock { exchange(&$0.isTaken, with: true) }
        guard !isTaken else { return }
        isFirst()
        let waiting = state.withLock { state in
            state.answer = answer
            return state.waiting.take()
        }
        waiting?.resume(returning: answer)
    }

    /// Waits for the answer; to be called once.
    func value() async -> Result<Value, ProvisioningError> {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state in
                if state.answer == nil { state.waiting = continuation }
                return state.answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
