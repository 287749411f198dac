import NFCWallet
import Synchronization

/// A field that knows whether it shows a card, and can be waited on until it does not.
final class ObservedField: CardField {
    private let field: any CardField
    private let state = Mutex(State())

    private struct State {
        var isPresenting = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Stands in front of another field.
    init(_ field: any CardField) { self.field = field }

    func watch(_ card: any EmulatedCard) throws(CardFieldError) { try field.watch(card) }

    func present(_ card: any EmulatedCard) throws(CardFieldError) {
        state.withLock { $0.isPresenting = true }
        try field.present(card)
    }

    func withdraw() {
        field.withdraw()
        let waiting = state.withLock { state in
            state.isPresenting = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until no card is shown.
    func awaitWithdrawal() async {
        await withCheckedContinuation { continuation in
            let isShown = state.withLock { state in
                if state.isPresenting { state.waiting.append(continuation) }
                return state.isPresenting
            }
            if !isShown { continuation.resume() }
        }
    }
}
