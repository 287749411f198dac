#if !hasFeature(Embedded)
public import EMVData

/// The month after whose last day a certificate is no longer good (EMV Book 2, Table 6).
public struct CertificateExpiry: Hashable, Sendable {
    /// Month, 1 to 12.
    public let month: Int
    /// Year with its century: 00 to 49 are 2000 to 2049, 50 to 99 are 1950 to 1999 (EMV Book 4, 6.7.3).
    public let year: Int

    /// Creates an expiry; nil when the month is not 1 to 12 or the year not 1950 to 2049.
    public init?(month: Int, year: Int) {
        guard 1...12 ~= month, 1950...2049 ~= year else { return nil }
        self.month = month
        self.year = year
    }

    /// Reads MMYY, two bytes of packed digits; nil when they are no month and year.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 2, let month = Self.number(bytes[0]), let year = Self.number(bytes[1])
        else { return nil }
        self.init(month: month, year: year < 50 ? 2000 + year : 1900 + year)
    }

    /// The expiry as MMYY, two bytes of packed digits.
    public var bytes: [UInt8] { [Self.packed(month), Self.packed(year % 100)] }

    /// Whether the certificate has expired on a day.
    public func hasPassed(on date: TransactionDate) -> Bool {
        (year, month) < (date.year, date.month)
    }

    private static func number(_ byte: UInt8) -> Int? {
        byte >> 4 <= 9 && byte & 0x0F <= 9 ? Int((byte >> 4) * 10 + byte & 0x0F) : nil
    }

    private static func packed(_ number: Int) -> UInt8 { UInt8((number / 10) << 4 | number % 10) }
}

#endif
