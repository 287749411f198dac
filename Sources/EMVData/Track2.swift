#if !hasFeature(Embedded)
import Octets

/// What the second track of a magnetic stripe holds, as a chip gives it (57, 9F6B).
///
/// Account number, D, expiry year and month, service code, discretionary digits, F to fill the last byte; at most
/// 19 bytes. EMV Book 3, Annex A; ISO/IEC 7813, 6.3.
public struct Track2: Hashable, Sendable {
    /// The account number.
    public var accountNumber: PrimaryAccountNumber
    /// The last two digits of the expiry year.
    public var expiryYear: UInt8
    /// The expiry month, 1 to 12.
    public var expiryMonth: UInt8
    /// The three digits of the service code.
    public var serviceCode: [UInt8]
    /// The issuer's digits.
    public var discretionaryData: [UInt8]

    /// Collects the parts.
    public init(
        accountNumber: PrimaryAccountNumber,
        expiryYear: UInt8,
        expiryMonth: UInt8,
        serviceCode: [UInt8],
        discretionaryData: [UInt8] = []
    ) {
        self.accountNumber = accountNumber
        self.expiryYear = expiryYear
        self.expiryMonth = expiryMonth
        self.serviceCode = serviceCode
        self.discretionaryData = discretionaryData
    }

    /// Reads the object.
    /// - Throws: `EMVDataError` with the offset of the byte that does not fit.
    public init(parsing bytes: [UInt8]) throws(EMVDataError) {
        guard bytes.count <= 19 else { throw EMVDataError(.wrongLength, at: 19) }
        var nibbles = PackedDigits.nibbles(bytes)
        if nibbles.last == 0x0F { nibbles.removeLast() }
        guard let separator = nibbles.firstIndex(where: { $0 > 9 }) else {
            throw EMVDataError(.missingSeparator, at: bytes.count)
        }
        guard nibbles[separator] == 0x0D else {
            throw EMVDataError(.missingSeparator, at: separator / 2)
        }
        guard let accountNumber = PrimaryAccountNumber(digits: Array(nibbles[..<separator])) else {
            throw EMVDataError(.invalidAccountNumber, at: 0)
        }
        let rest = Array(nibbles[(separator + 1)...])
        if let wrong = rest.firstIndex(where: { $0 > 9 }) {
            throw EMVDataError(.notADigit, at: (separator + 1 + wrong) / 2)
        }
        guard rest.count >= 7 else { throw EMVDataError(.truncated, at: bytes.count) }
        let month = rest[2] * 10 + rest[3]
        guard 1...12 ~= month else { throw EMVDataError(.invalidDate, at: (separator + 3) / 2) }
        self.init(
            accountNumber: accountNumber,
            expiryYear: rest[0] * 10 + rest[1],
            expiryMonth: month,
            serviceCode: Array(rest[4..<7]),
            discretionaryData: Array(rest[7...])
        )
    }

    /// The object's bytes.
    public var bytes: [UInt8] {
        let expiry = [expiryYear / 10, expiryYear % 10, expiryMonth / 10, expiryMonth % 10]
        return PackedDigits.pack(
            accountNumber.digits + [0x0D] + expiry + serviceCode + discretionaryData
        )
    }
}

#endif
