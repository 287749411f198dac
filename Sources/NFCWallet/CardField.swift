/// A card as a field sees it: commands come in on the field's own thread and are answered on it.
///
/// A field calls, in this order and never two at once: `fieldOn`, then for each command `respond`, the sending
/// of what it appended, and `responseSent`; at the end `fieldOff`.
public protocol EmulatedCard: AnyObject, Sendable {
    /// A reader's field is there.
    ///
    /// The card may read its store in here, since it may not in `respond`.
    func fieldOn()
    /// Answers one command APDU; at least a status word is appended.
    ///
    /// Nothing is awaited, nothing is allocated and nobody is told anything between command and response.
    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>)
    /// The response is on its way: now there is time to tell others what happened.
    ///
    /// The card may withdraw itself from the field in here.
    func responseSent()
    /// The reader's field is gone.
    ///
    /// A card whose time is over says so here, since it may withdraw itself only later, on another thread: the next
    /// reader must not meet it.
    /// - Returns: Whether the card is still to be shown.
    @discardableResult
    func fieldOff() -> Bool
}

/// The radio side of a wallet: whatever can show a card to a reader.
public protocol CardField: AnyObject, Sendable {
    /// Finds out whether the radio may be used; asks the user where nobody has yet.
    ///
    /// A radio that everybody may use keeps the default, which does nothing.
    /// - Throws: `CardFieldError` when it may not.
    func requestAccess() throws(CardFieldError)
    /// Tells `card` of readers' fields from now on, but lets no reader see it before `present`.
    ///
    /// A field that notices readers only once it presents a card keeps the default, which does nothing.
    /// - Throws: `CardFieldError` when the radio cannot be used.
    func watch(_ card: any EmulatedCard) throws(CardFieldError)
    /// Shows `card` to readers from now on, until `withdraw`.
    ///
    /// A card that was told of a reader's field while it watched is not told of the same one again.
    /// - Throws: `CardFieldError` when the radio cannot be used.
    func present(_ card: any EmulatedCard) throws(CardFieldError)
    /// Shows `card` no more, and nothing where it is the one that is shown; no call to it begins once this returns.
    ///
    /// It may be called by the card itself, from `responseSent`, `fieldOn` or `fieldOff`.
    func withdraw(_ card: any EmulatedCard)
}

extension CardField {
    /// Lets everybody use the radio.
    public func requestAccess() throws(CardFieldError) {}

    /// Notices no reader.
    public func watch(_ card: any EmulatedCard) throws(CardFieldError) {}
}

/// Why a card cannot be shown to readers.
public enum CardFieldError: Error, Hashable, Sendable {
    /// The user or the system does not permit it.
    case notPermitted
    /// The device or its owner may not use contactless payments.
    case notEligible
    /// The link to the reader failed.
    case transmission
    /// Something failed that has no name here.
    case other
}
