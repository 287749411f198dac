import EMVData
import Octets

extension UserInterfaceRequest {
    /// How the kind of value is written in User Interface Request Data: sources disagree.
    public enum ValueQualifierCoding: Hashable, Sendable {
        /// In the high nibble: 10 for an amount, 20 for a balance. The default.
        case highNibble
        /// As a plain number: 01 for an amount, 02 for a balance.
        case number
    }

    /// User Interface Request Data (DF8116), 22 bytes (EMV Book C-2, A.1.195).
    ///
    /// Message 1, status 1, hold time 3 (format n), language 8, value qualifier 1, value 6 (n), currency 2 (n).
    /// - Parameter coding: How the value qualifier is written.
    /// - Returns: The object's value.
    public func bytes(valueQualifier coding: ValueQualifierCoding = .highNibble) -> [UInt8] {
        let kind: UInt8
        let amount: Amount?
        switch value {
        case nil: (kind, amount) = (0, nil)
        case .amount(let shown): (kind, amount) = (1, shown)
        case .balance(let shown): (kind, amount) = (2, shown)
        }
        let language = languagePreference.prefix(8)
        return [message.rawValue, status.rawValue]
            + (PackedDigits.numeric(UInt64(holdTime), byteCount: 3) ?? [0x99, 0x99, 0x99])
            + language + [UInt8](repeating: 0, count: 8 - language.count)
            + [coding == .highNibble ? kind << 4 : kind]
            + (amount?.numeric ?? [UInt8](repeating: 0, count: 6))
            + (amount?.currency.bytes ?? [0, 0])
    }
}
