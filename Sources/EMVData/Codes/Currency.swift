/// A currency by its numeric code of ISO 4217 (5F2A, 9F42).
public struct Currency: RawRepresentable, Hashable, Sendable {
    /// The three-digit number, 978 for EUR.
    public var rawValue: UInt16
    /// Wraps any code, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Euro (978).
    public static var eur: Self { Self(rawValue: 978) }
    /// United States dollar (840).
    public static var usd: Self { Self(rawValue: 840) }
    /// Pound sterling (826).
    public static var gbp: Self { Self(rawValue: 826) }
    /// Yen (392).
    public static var jpy: Self { Self(rawValue: 392) }
}

#if !hasFeature(Embedded)
extension Currency {
    /// Finds a currency by its three letters, in either case; nil when ISO 4217 has none such.
    public init?(alphabetic: some StringProtocol) {
        let code = alphabetic.uppercased()
        guard let row = Self.table.first(where: { $0.alphabetic == code }) else { return nil }
        self.init(rawValue: row.numeric)
    }

    /// Reads the value of 5F2A or 9F42; nil when it is not two bytes of at most three digits.
    public init?(bytes: [UInt8]) {
        let digits = bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
        guard digits.count == 4, digits[0] == 0, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        self.init(rawValue: digits.reduce(0) { $0 * 10 + UInt16($1) })
    }

    /// The value of 5F2A: the three digits in two bytes.
    public var bytes: [UInt8] {
        let hundreds = rawValue / 100 % 10
        return [UInt8(hundreds), UInt8(rawValue / 10 % 10) << 4 | UInt8(rawValue % 10)]
    }

    /// The three letters, `EUR`; nil for a code ISO 4217 does not have.
    public var alphabetic: String? { Self.row(rawValue)?.alphabetic }

    /// How many decimals its amounts have; 2 for a code ISO 4217 does not have.
    public var exponent: Int { Self.row(rawValue)?.exponent ?? 2 }

    private static func row(_ numeric: UInt16) -> Row? { table.first { $0.numeric == numeric } }
}

extension Currency: CustomStringConvertible {
    /// The three letters, or the three digits where there are none.
    public var description: String {
        alphabetic ?? String(String(rawValue + 1000).suffix(3))
    }
}
#endif
