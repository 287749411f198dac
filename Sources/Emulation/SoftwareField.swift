import CardEngine
import Foundation
public import NFCWallet
public import Transport

/// A reader's field in memory: a wallet shows its card on one side, a terminal taps it on the other.
///
/// The card is called on the terminal's thread. One call at a time reaches it, and `withdraw` on another thread
/// waits for the one that is under way.
public final class SoftwareField: CardField, @unchecked Sendable {
    // @unchecked: the state is touched under `condition` only.
    private var state = State()
    private let condition = NSCondition()
    /// Held during every call to a card; recursive, because the card may withdraw itself in one.
    private let calls = NSRecursiveLock()
    private let patienceSeconds: Double

    private struct State {
        var card: (any EmulatedCard)?
        /// Whether readers see the card.
        var isPresented = false
        /// Whether a reader's field is on.
        var isOn = false
        /// Whether the card was told of this field.
        var isTold = false
    }

    /// Creates a field without card and reader.
    /// - Parameter patienceSeconds: How long a terminal waits for a card.
    public init(patienceSeconds: Double = 0) { self.patienceSeconds = patienceSeconds }

    /// The reader's side: a terminal's way to whatever card is shown here.
    public func makeTransport() -> SoftwareFieldTransport { SoftwareFieldTransport(field: self) }

    /// Whether readers see a card.
    public var isPresentingCard: Bool { withState { $0.isPresented } }

    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body(&state)
    }
}

// MARK: The card's side

extension SoftwareField {
    /// Tells `card` of the reader's field from now on, but lets no reader see it before `present`.
    public func watch(_ card: any EmulatedCard) { admit(card, isPresented: false) }

    /// Shows `card` to the reader from now on, until `withdraw`.
    public func present(_ card: any EmulatedCard) { admit(card, isPresented: true) }

    /// Shows nothing any more; no call to the card begins once this returns.
    public func withdraw() {
        calls.lock()
        defer { calls.unlock() }
        withState { state in
            state.card = nil
            state.isPresented = false
            state.isTold = false
        }
    }

    private func admit(_ card: any EmulatedCard, isPresented: Bool) {
        calls.lock()
        defer { calls.unlock() }
        withState { state in
            if state.card !== card { state.isTold = false }
            state.card = card
            state.isPresented = isPresented
        }
        tellFieldOn()
        // The card may have withdrawn itself when it was told.
        condition.broadcast()
    }

    /// Tells the card of the field, once.
    private func tellFieldOn() {
        let card = withState { state -> (any EmulatedCard)? in
            guard state.isOn, !state.isTold else { return nil }
            state.isTold = state.card != nil
            return state.card
        }
        card?.fieldOn()
    }
}

// MARK: The reader's side

extension SoftwareField {
    fileprivate func raise() throws(TransportError) {
        calls.lock()
        withState { $0.isOn = true }
        tellFieldOn()
        calls.unlock()
        guard waitForCard() else { throw .timeout }
    }

    private func waitForCard() -> Bool {
        let end = Date(timeIntervalSinceNow: patienceSeconds)
        condition.lock()
        defer { condition.unlock() }
        while !state.isPresented {
            guard condition.wait(until: end) else { return state.isPresented }
        }
        return true
    }

    fileprivate func drop() {
        calls.lock()
        defer { calls.unlock() }
        let card = withState { state -> (any EmulatedCard)? in
            defer {
                state.isOn = false
                state.isTold = false
            }
            return state.isTold ? state.card : nil
        }
        card?.fieldOff()
    }

    fileprivate func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        calls.lock()
        defer { calls.unlock() }
        let card = withState { $0.isOn && $0.isPresented ? $0.card : nil }
        guard let card else { throw .cardRemoved }
        let response = [UInt8](capacity: Card.maximumResponseCount) {
            (output: inout OutputSpan<UInt8>) in
            card.respond(to: command.span, into: &output)
        }
        card.responseSent()
        return response
    }
}

/// A terminal's way to the card in a `SoftwareField`.
///
/// Dropping it takes the field away.
public struct SoftwareFieldTransport: Transport, ~Copyable {
    private let field: SoftwareField

    fileprivate init(field: SoftwareField) { self.field = field }

    deinit { field.drop() }

    /// Raises the field and waits until a card is shown, as long as the field's patience lasts.
    /// - Throws: `TransportError.timeout` when none was; the field stays on.
    public mutating func fieldOn() throws(TransportError) { try field.raise() }

    /// Takes the field away.
    public mutating func fieldOff() { field.drop() }

    /// Lets the card answer a command, on this thread.
    /// - Throws: `TransportError.cardRemoved` when no card is shown, or the field is off.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        try field.transmit(command)
    }
}
