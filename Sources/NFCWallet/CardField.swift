/// A card as a field sees it: commands come in on the field's own thread and are answered on it.
public protocol EmulatedCard: AnyObject, Sendable {
    /// A reader's field is there.
    func fieldOn()
    /// Answers one command APDU; at least a status word is appended.
    ///
    /// Nothing is awaited and nothing is allocated between command and response; events follow the answer.
    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>)
    /// The reader's field is gone.
    func fieldOff()
}

/// The radio side of a wallet: whatever can show a card to a reader.
public protocol CardField: AnyObject, Sendable {
    /// Shows `card` to readers from now on, until `withdraw`.
    /// - Throws: `CardFieldError` when the radio cannot be used.
    func present(_ card: any EmulatedCard) throws(CardFieldError)
    /// Shows nothing any more; no call to the card follows once this returns.
    func withdraw()
}

/// Why a card cannot be shown to readers.
public enum CardFieldError: Error, Hashable, Sendable {
    /// The user or the system does not permit it.
    case notPermitted
    /// The device or its owner may not use contactless payments.
    case notEligible
    /// The link to the reader failed.
    case transmission
}
