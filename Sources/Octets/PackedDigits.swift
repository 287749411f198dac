#if !hasFeature(Embedded)

/// Decimal digits packed two to a byte, as EMV's formats n and cn carry them (EMV Book 3, 4.3).
///
/// Each element of a digit array is a number from 0 to 9.
public enum PackedDigits {
    /// Packs `digits` right-aligned into `byteCount` bytes, zeros on the left (format n).
    ///
    /// Nil when they do not fit.
    public static func numeric(_ digits: [UInt8], byteCount: Int) -> [UInt8]? {
        guard digits.count <= byteCount * 2 else { return nil }
        return pack([UInt8](repeating: 0, count: byteCount * 2 - digits.count) + digits)
    }

    /// Packs `digits` left-aligned into `byteCount` bytes, F on the right (format cn).
    ///
    /// Nil when they do not fit.
    public static func compressed(_ digits: [UInt8], byteCount: Int) -> [UInt8]? {
        guard digits.count <= byteCount * 2 else { return nil }
        return pack(digits + [UInt8](repeating: 0x0F, count: byteCount * 2 - digits.count))
    }

    /// Splits bytes into nibbles, high nibble first; values above 9 are kept.
    public static func nibbles(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var nibbles: [UInt8] = []
        nibbles.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            nibbles.append(byte >> 4)
            nibbles.append(byte & 0x0F)
        }
        return nibbles
    }

    /// Reads digits from text; nil when a character is not a decimal digit.
    public static func digits(of text: some StringProtocol) -> [UInt8]? {
        var digits: [UInt8] = []
        for character in text.utf8 {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= character else { return nil }
            digits.append(character - UInt8(ascii: "0"))
        }
        return digits
    }

    /// Reads a number of format n; nil when a nibble is not a decimal digit or it exceeds `UInt64`.
    public static func number(_ bytes: some Sequence<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for nibble in nibbles(bytes) {
            guard nibble <= 9 else { return nil }
            let (tens, tooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, stillTooLarge) = tens.addingReportingOverflow(UInt64(nibble))
            guard !tooLarge, !stillTooLarge else { return nil }
            number = sum
        }
        return number
    }

    /// Writes `number` in format n; nil when it has more than `byteCount * 2` digits.
    public static func numeric(_ number: UInt64, byteCount: Int) -> [UInt8]? {
        guard let digits = digits(of: String(number)) else { return nil }
        return numeric(digits, byteCount: byteCount)
    }

    /// Packs nibbles two to a byte, high nibble first, F behind an odd one.
    public static func pack(_ nibbles: [UInt8]) -> [UInt8] {
        stride(from: 0, to: nibbles.count, by: 2).map { index in
            nibbles[index] << 4 | (index + 1 < nibbles.count ? nibbles[index + 1] & 0x0F : 0x0F)
        }
    }
}

#endif
