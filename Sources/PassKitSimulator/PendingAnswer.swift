import Synchronization

/// An answer that comes once, from whoever is first.
final class PendingAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, ProvisioningError>, Never>)
        case given(Result<Value, ProvisioningError>)
    }

    private let state = Mutex(State.open)

    /// Gives the answer, unless there is one.
    func give(_ answer: Result<Value, ProvisioningError>) {
        let waiting = state.withLock {
            state -> CheckedContinuation<Result<Value, ProvisioningError>, Never>? in
            switch state {
            case .open: state = .given(answer)
            case .awaited(let continuation):
                state = .given(answer)
                return continuation
            case .given: break
            }
            return nil
        }
        waiting?.resume(returning: answer)
    }

    /// Waits for the answer; to be called once.
    func value() async -> Result<Value, ProvisioningError> {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Result<Value, ProvisioningError>? in
                if case .given(let answer) = state { return answer }
                state = .awaited(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
