/// A country by its numeric code of ISO 3166-1 (5F28, 9F1A).
public struct Country: RawRepresentable, Hashable, Sendable {
    /// The three-digit number, 56 for Belgium.
    public var rawValue: UInt16
    /// Wraps any code, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}

#if !hasFeature(Embedded)
extension Country {
    /// Reads the value of 5F28 or 9F1A; nil when it is not two bytes of at most three digits.
    public init?(bytes: [UInt8]) {
        // Countries are written as currencies are.
        guard let code = Currency(bytes: bytes) else { return nil }
        self.init(rawValue: code.rawValue)
    }

    /// The two letters, `BE`; nil for a code ISO 3166-1 does not have.
    public var alphabetic: String? { Self.table[rawValue]?.alphabetic }

    /// A short name, `Belgium`; nil for a code ISO 3166-1 does not have.
    public var name: String? { Self.table[rawValue]?.name }
}
#endif
