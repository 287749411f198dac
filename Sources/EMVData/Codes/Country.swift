#if !hasFeature(Embedded)
import Octets

/// A country by its numeric code of ISO 3166-1 (5F28, 9F1A).
public struct Country: RawRepresentable, Hashable, Sendable {
    /// The three-digit number, 276 for Germany.
    public var rawValue: UInt16
    /// Wraps any code, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Finds a country by its two or three letters, in either case; nil when ISO 3166-1 has none such.
    public init?(alphabetic: some StringProtocol) {
        let code = alphabetic.uppercased()
        guard let row = Self.table.first(where: { $0.alpha2 == code || $0.alpha3 == code }) else {
            return nil
        }
        self.init(rawValue: row.numeric)
    }

    /// Reads the value of 5F28 or 9F1A; nil when it is not two bytes of at most three digits.
    public init?(bytes: [UInt8]) {
        let digits = PackedDigits.nibbles(bytes)
        guard digits.count == 4, digits[0] == 0, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        self.init(rawValue: digits.reduce(0) { $0 * 10 + UInt16($1) })
    }

    /// The two letters, `DE`; nil for a code ISO 3166-1 does not have.
    public var alphabetic: String? { row?.alpha2 }
    /// The three letters, `DEU`; nil for a code ISO 3166-1 does not have.
    public var alpha3: String? { row?.alpha3 }
    /// The short name in English; nil for a code ISO 3166-1 does not have.
    public var name: String? { row?.name }

    private var row: Row? { Self.table.first { $0.numeric == rawValue } }
}

extension Country: CustomStringConvertible {
    /// The name, or the three digits where there is none.
    public var description: String { name ?? String(String(rawValue + 1000).suffix(3)) }
}

#endif
