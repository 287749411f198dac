#if !hasFeature(Embedded)
import Octets

/// What the first track of a magnetic stripe holds, as a chip gives it (56).
///
/// B, account number, ^, name, ^, expiry year and month, service code, discretionary characters; one character to a
/// byte, at most 76. ISO/IEC 7813, 6.2; EMV Book C-2, A.1.
public struct Track1: Hashable, Sendable {
    /// The account number.
    public var accountNumber: PrimaryAccountNumber
    /// The characters of the cardholder's name, 2 to 26.
    public var name: [UInt8]
    /// The last two digits of the expiry year.
    public var expiryYear: UInt8
    /// The expiry month, 1 to 12.
    public var expiryMonth: UInt8
    /// The three digits of the service code.
    public var serviceCode: [UInt8]
    /// The issuer's characters.
    public var discretionaryData: [UInt8]

    /// Reads the object.
    /// - Throws: `EMVDataError` with the offset of the byte that does not fit.
    public init(parsing bytes: [UInt8]) throws(EMVDataError) {
        let separator = UInt8(ascii: "^")
        guard bytes.count <= 76 else { throw EMVDataError(.wrongLength, at: 76) }
        guard bytes.first == UInt8(ascii: "B") else { throw EMVDataError(.missingSeparator, at: 0) }
        guard let afterNumber = bytes.firstIndex(of: separator),
            let afterName = bytes[(afterNumber + 1)...].firstIndex(of: separator)
        else { throw EMVDataError(.missingSeparator, at: bytes.count) }
        let numberText = String(decoding: bytes[1..<afterNumber], as: UTF8.self)
        guard let accountNumber = PrimaryAccountNumber(text: numberText) else {
            throw EMVDataError(.invalidAccountNumber, at: 1)
        }
        let rest = bytes[(afterName + 1)...]
        guard rest.count >= 7 else { throw EMVDataError(.truncated, at: bytes.count) }
        let digits = rest.prefix(7).map { $0 &- UInt8(ascii: "0") }
        if let wrong = digits.firstIndex(where: { $0 > 9 }) {
            throw EMVDataError(.notADigit, at: afterName + 1 + wrong)
        }
        expiryMonth = digits[2] * 10 + digits[3]
        guard 1...12 ~= expiryMonth else { throw EMVDataError(.invalidDate, at: afterName + 3) }
        self.accountNumber = accountNumber
        name = Array(bytes[(afterNumber + 1)..<afterName])
        expiryYear = digits[0] * 10 + digits[1]
        serviceCode = Array(digits[4..<7])
        discretionaryData = Array(rest.dropFirst(7))
    }

    /// The object's bytes.
    public var bytes: [UInt8] {
        let expiry = [expiryYear / 10, expiryYear % 10, expiryMonth / 10, expiryMonth % 10]
        let digits = (expiry + serviceCode).map { $0 + UInt8(ascii: "0") }
        let separator = [UInt8(ascii: "^")]
        return [UInt8(ascii: "B")] + Array(accountNumber.text.utf8) + separator + name + separator
            + digits + discretionaryData
    }
}

#endif
