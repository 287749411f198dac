/// Why bytes or text are not the EMV data they should be, and where.
public struct EMVDataError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The object has a length its definition does not allow.
        case wrongLength
        /// The bytes end inside an entry.
        case truncated
        /// A tag or length of a data object list is malformed.
        case malformedList
        /// A short file identifier is not 1 to 30, or its low three bits are set.
        case invalidFileIdentifier
        /// A record range starts at zero, runs backwards or authenticates more records than it has.
        case invalidRecordRange
        /// A nibble is not a decimal digit.
        case notADigit
        /// A track has no field separator where one belongs.
        case missingSeparator
        /// An account number has fewer or more digits than any card has.
        case invalidAccountNumber
        /// A month or day does not exist.
        case invalidDate
        /// Text is not a non-negative decimal number like 12.34.
        case notAnAmount
        /// An amount has more decimals than its currency.
        case tooManyDecimals
        /// An amount has more than twelve digits.
        case amountTooLarge
    }

    /// What is wrong.
    public var reason: Reason
    /// The offset of the first byte, character or digit that does not fit.
    public var offset: Int

    /// Joins a reason and its place.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
