#if !hasFeature(Embedded)
import Octets

/// An amount in the smallest unit of its currency, at most twelve digits (9F02, 9F03).
public struct Amount: Hashable, Sendable {
    /// How many of the smallest unit, below 10¹².
    public let minorUnits: UInt64
    /// The currency.
    public let currency: Currency

    /// Creates an amount; nil above twelve digits.
    public init?(minorUnits: UInt64, currency: Currency) {
        guard minorUnits < 1_000_000_000_000 else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }
}

/// A currency by its numeric code of ISO 4217 (5F2A).
public struct Currency: RawRepresentable, Hashable, Sendable {
    /// The three-digit number, 978 for EUR.
    public var rawValue: UInt16
    /// Wraps any code, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}
#endif
