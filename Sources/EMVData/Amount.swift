#if !hasFeature(Embedded)
import Octets

/// An amount in the smallest unit of its currency, at most twelve digits (9F02, 9F03).
public struct Amount: Hashable, Sendable {
    /// How many of the smallest unit, below 10¹².
    public let minorUnits: UInt64
    /// The currency.
    public let currency: Currency

    /// Creates an amount; nil above twelve digits.
    public init?(minorUnits: UInt64, currency: Currency) {
        guard minorUnits < 1_000_000_000_000 else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads the value of 9F02 or 9F03; nil when it is not six bytes of decimal digits.
    public init?(numeric: [UInt8], currency: Currency) {
        guard numeric.count == 6, let number = PackedDigits.number(numeric) else { return nil }
        self.init(minorUnits: number, currency: currency)
    }

    /// Reads an amount written in the currency's main unit, `12.34`.
    ///
    /// Digits, and at most as many decimals behind a point as the currency has; fewer are filled with zeros.
    /// - Throws: `EMVDataError` with the offset of the first character that does not fit.
    public init(
        parsing text: some StringProtocol,
        currency: Currency
    ) throws(EMVDataError) {
        let decimals = currency.exponent
        var number: UInt64 = 0
        var digitCount = 0
        var decimalCount: Int?
        var offset = 0
        for character in text.utf8 {
            defer { offset += 1 }
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if let count = decimalCount {
                    guard count < decimals else { throw EMVDataError(.tooManyDecimals, at: offset) }
                    decimalCount = count + 1
                }
                number = number * 10 + UInt64(character - UInt8(ascii: "0"))
                digitCount += 1
                guard number < 1_000_000_000_000 else {
                    throw EMVDataError(.amountTooLarge, at: offset)
                }
            case UInt8(ascii: "."):
                guard digitCount > 0, decimalCount == nil else {
                    throw EMVDataError(.notAnAmount, at: offset)
                }
                guard decimals > 0 else { throw EMVDataError(.tooManyDecimals, at: offset) }
                decimalCount = 0
            default:
                throw EMVDataError(.notAnAmount, at: offset)
            }
        }
        guard digitCount > 0, decimalCount != 0 else {
            throw EMVDataError(.notAnAmount, at: offset)
        }
        for _ in (decimalCount ?? 0)..<decimals { number *= 10 }
        guard let amount = Self(minorUnits: number, currency: currency) else {
            throw EMVDataError(.amountTooLarge, at: offset)
        }
        self = amount
    }

    /// The value of 9F02 or 9F03: twelve digits in six bytes.
    public var numeric: [UInt8] { PackedDigits.numeric(minorUnits, byteCount: 6) ?? [] }
}

extension Amount: CustomStringConvertible {
    /// The amount in the currency's main unit with its code, `12.34 EUR`.
    public var description: String {
        "\(decimalText) \(currency)"
    }

    /// The amount in the currency's main unit, `12.34`.
    public var decimalText: String {
        let decimals = currency.exponent
        guard decimals > 0 else { return String(minorUnits) }
        let digits = String(minorUnits)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}

#endif
