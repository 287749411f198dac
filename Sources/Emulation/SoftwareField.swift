import CardEngine
public import NFCWallet
public import Transport

/// A reader's field in memory: a wallet shows its card on one side, a terminal taps it on the other.
///
/// The card is called on the terminal's thread.
public final class SoftwareField: CardField {
    private let slot: CardSlot

    /// Creates a field without card and reader.
    /// - Parameter patienceSeconds: How long a terminal waits for a card.
    public init(patienceSeconds: Double = 0) { slot = CardSlot(patienceSeconds: patienceSeconds) }

    /// The reader's side: a terminal's way to whatever card is shown here.
    public func makeTransport() -> SoftwareFieldTransport { SoftwareFieldTransport(slot) }

    /// Whether readers see a card.
    public var isPresentingCard: Bool { slot.isPresentingCard }

    /// Lets no terminal wait for a card any more: none will come.
    public func endWaiting() { slot.endWaiting() }

    /// Waits, as long as the field's patience lasts, until a card is shown or wants to be told of readers.
    /// - Returns: Whether there is one.
    public func awaitCard() -> Bool { slot.awaitCard() }

    /// Tells `card` of the reader's field from now on, but lets no reader see it before `present`.
    public func watch(_ card: any EmulatedCard) { slot.admit(card, isPresented: false) }

    /// Shows `card` to the reader from now on, until `withdraw`.
    public func present(_ card: any EmulatedCard) { slot.admit(card, isPresented: true) }

    /// Shows `card` no more, where it is the one that is shown; no call to it begins once this returns.
    public func withdraw(_ card: any EmulatedCard) { slot.withdraw(card) }
}

/// A terminal's way to the card in a `SoftwareField`.
///
/// Dropping it takes the field away.
public struct SoftwareFieldTransport: Transport, ~Copyable {
    private let slot: CardSlot

    fileprivate init(_ slot: CardSlot) { self.slot = slot }

    deinit { slot.drop() }

    /// Raises the field and waits until a card is shown, as long as the field's patience lasts.
    /// - Throws: `TransportError.timeout` when none was; the field stays on.
    public mutating func fieldOn() throws(TransportError) {
        guard slot.raise() else { throw .timeout }
    }

    /// Takes the field away.
    public mutating func fieldOff() { slot.drop() }

    /// Lets the card answer a command, on this thread.
    /// - Throws: `TransportError.cardRemoved` when no card is shown, or the field is off.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        let response = [UInt8](capacity: Card.maximumResponseCount) {
            (output: inout OutputSpan<UInt8>) in
            _ = slot.respond(to: command.span, into: &output)
        }
        guard !response.isEmpty else { throw .cardRemoved }
        slot.responseSent()
        return response
    }
}
