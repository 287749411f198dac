public import EMVData

/// A token service that serves several devices, each of which gets a token of its own for an account.
public protocol TokenServiceProvider: AnyObject, Sendable {
    /// The token service as one device sees it.
    /// - Parameters:
    ///   - device: Whose tokens it makes.
    ///   - reasons: Why the next card is looked at twice.
    /// - Returns: What a wallet calls.
    func service(for device: DeviceIdentifier, reasons: Set<ReasonCode>) -> any CardService
    /// Deletes the tokens of an account and a device for which the device has no card: adding it was broken off.
    /// - Throws: `DigitizationError`.
    func dropTokens(
        of account: PrimaryAccountNumber,
        on device: DeviceIdentifier,
        except cards: Set<DigitalCard.ID>
    ) throws(DigitizationError)
    /// Gives the account behind a card another number, as when the plastic card was replaced; its tokens stay, on all devices.
    /// - Returns: The cards of the account.
    /// - Throws: `CredentialError`; `.clientError` for a number that has tokens already, or is no account's.
    func replaceAccount(
        of card: DigitalCard.ID,
        by account: PrimaryAccountNumber
    ) throws(CredentialError) -> [DigitalCard.ID]
    /// Lets the token of a card be good until another day.
    /// - Throws: `CredentialError`; `.clientError` for a day before the card begins.
    func renew(_ card: DigitalCard.ID, until lastDay: TransactionDate) throws(CredentialError)
    /// Lets the payment keys that were made for a card be good no more.
    /// - Throws: `CredentialError`.
    func revokeKeys(of card: DigitalCard.ID) throws(CredentialError)
    /// Numbers what is told of a card, across all programs that use the service's store.
    /// - Parameters:
    ///   - card: The card.
    ///   - start: What the first number is above.
    /// - Returns: One more than the last number.
    /// - Throws: `CredentialError`.
    func nextEventNumber(
        of card: DigitalCard.ID,
        notBelow start: Int64
    ) throws(CredentialError) -> Int64
    /// The number an account had before its cards were replaced; its own where none was.
    func firstNumber(of account: PrimaryAccountNumber) -> PrimaryAccountNumber
}

/// Names a phone or a watch.
public struct DeviceIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
}
