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
}

/// Names a phone or a watch.
public struct DeviceIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
}
