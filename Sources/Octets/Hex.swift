#if !hasFeature(Embedded)

/// Why text is not hexadecimal.
public enum HexError: Error, Equatable, Sendable {
    /// The number of digits is odd.
    case oddDigitCount(Int)
    /// The character at this offset is not a hexadecimal digit.
    case notADigit(offset: Int)
}

extension Array<UInt8> {
    /// Reads hexadecimal text; spaces between bytes are allowed, nothing else is.
    /// - Throws: `HexError` with the offset of the first character that does not fit.
    public init(hex text: some StringProtocol) throws(HexError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        var digitCount = 0
        var offset = 0
        for character in text.utf8 {
            if character == UInt8(ascii: " "), high == nil {
                offset += 1
                continue
            }
            guard let digit = character.hexDigit else {
                throw .notADigit(offset: offset)
            }
            digitCount += 1
            offset += 1
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { throw .oddDigitCount(digitCount) }
        self = bytes
    }
}

extension Sequence<UInt8> {
    /// The bytes as upper-case hexadecimal digits without separators.
    public var hex: String {
        var text = ""
        text.reserveCapacity(underestimatedCount * 2)
        for byte in self {
            text.unicodeScalars.append(byte.hexScalar(shift: 4))
            text.unicodeScalars.append(byte.hexScalar(shift: 0))
        }
        return text
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number's bytes, most significant first.
    public var bigEndianBytes: [UInt8] {
        stride(from: bitWidth - 8, through: 0, by: -8)
            .map { UInt8(truncatingIfNeeded: self >> Self($0)) }
    }

    /// The number as upper-case hexadecimal digits, two for each of its bytes.
    public var hex: String { bigEndianBytes.hex }
}

extension UInt8 {
    /// The value of this ASCII character as a hexadecimal digit.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The digit of the nibble that starts at bit `shift`.
    fileprivate func hexScalar(shift: UInt8) -> Unicode.Scalar {
        let nibble = self >> shift & 0x0F
        let first = nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10
        return Unicode.Scalar(first + nibble)
    }
}

#endif
