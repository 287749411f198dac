import NFCWallet
import Synchronization
import Testing

/// A field whose reader is the test itself.
final class TestField: CardField {
    private let state = Mutex(State())

    private struct State {
        var card: (any EmulatedCard)?
        var isPresented = false
        var watchError: CardFieldError?
        var presentError: CardFieldError?
        var accessError: CardFieldError?
        var withdrawalCount = 0
        var whenPresented: (@Sendable () -> Void)?
    }

    /// Does something as soon as a card is shown, before whoever shows it goes on.
    func whenPresented(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenPresented = action }
    }

    /// Refuses to watch or to present from now on.
    func refuse(watching: CardFieldError? = nil, presenting: CardFieldError? = nil) {
        state.withLock { state in
            state.watchError = watching
            state.presentError = presenting
        }
    }

    /// Refuses access from now on.
    func refuseAccess(_ error: CardFieldError) { state.withLock { $0.accessError = error } }

    func requestAccess() throws(CardFieldError) {
        if let error = state.withLock(\.accessError) { throw error }
    }

    var isPresenting: Bool { state.withLock(\.isPresented) }
    var withdrawalCount: Int { state.withLock(\.withdrawalCount) }
    private var card: (any EmulatedCard)? { state.withLock(\.card) }

    func watch(_ card: any EmulatedCard) throws(CardFieldError) {
        let error = state.withLock { state in
            state.card = card
            return state.watchError
        }
        if let error { throw error }
    }

    func present(_ card: any EmulatedCard) throws(CardFieldError) {
        let error = state.withLock { state in
            state.card = card
            state.isPresented = state.presentError == nil
            return state.presentError
        }
        if let error { throw error }
        state.withLock { $0.whenPresented }?()
    }

    func withdraw(_ card: any EmulatedCard) {
        state.withLock { state in
            state.withdrawalCount += 1
            guard state.card === card else { return }
            state.card = nil
            state.isPresented = false
        }
    }

    func fieldOn() { card?.fieldOn() }
    @discardableResult
    func fieldOff() -> Bool { card?.fieldOff() ?? false }

    /// Sends a command; nil when no card is shown.
    func send(_ command: [UInt8], isSent: Bool = true) -> [UInt8]? {
        guard isPresenting, let card else { return nil }
        let response = [UInt8](capacity: 258) { (output: inout OutputSpan<UInt8>) in
            card.respond(to: command.span, into: &output)
        }
        if isSent { card.responseSent() }
        return response
    }
}
