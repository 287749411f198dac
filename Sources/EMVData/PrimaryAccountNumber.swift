#if !hasFeature(Embedded)
import Octets

/// The number of a card's account, 8 to 19 digits (5A).
///
/// Its description is masked, so that it can be printed anywhere; the digits are taken on purpose only.
public struct PrimaryAccountNumber: Hashable, Sendable {
    /// The digits, each a number from 0 to 9.
    public private(set) var digits: [UInt8]

    /// Wraps digits; nil when there are not 8 to 19 or one of them is above 9.
    public init?(digits: [UInt8]) {
        guard 8...19 ~= digits.count, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        self.digits = digits
    }

    /// Reads text of decimal digits; nil when it is not an account number.
    public init?(text: some StringProtocol) {
        guard let digits = PackedDigits.digits(of: text) else { return nil }
        self.init(digits: digits)
    }

    /// Reads the value of 5A: digits, then F to the end of the last byte, and FF bytes behind that (format cn).
    /// - Throws: `EMVDataError` with the offset of the byte that does not fit.
    public init(parsing bytes: [UInt8]) throws(EMVDataError) {
        let nibbles = PackedDigits.nibbles(bytes)
        let digits = Array(nibbles.prefix { $0 <= 9 })
        if let wrong = nibbles.indices.first(where: { $0 >= digits.count && nibbles[$0] != 0x0F }) {
            throw EMVDataError(.notADigit, at: wrong / 2)
        }
        guard let number = Self(digits: digits) else {
            throw EMVDataError(.invalidAccountNumber, at: 0)
        }
        self = number
    }

    /// The digits two to a byte, F behind an odd one (the value of 5A).
    public var bytes: [UInt8] {
        PackedDigits.compressed(digits, byteCount: (digits.count + 1) / 2) ?? []
    }

    /// All digits as text: not for output that others see.
    public var text: String { digits.map(String.init).joined() }

    /// The first six and the last four digits as text, a star for each between.
    ///
    /// Numbers of less than 13 digits show the last four only, since more would tell most of them.
    public var masked: String {
        digits.indices.map { isShown($0) ? String(digits[$0]) : "*" }.joined()
    }

    /// A number of the same length to stand for this one where stars cannot: zeros for what is masked.
    public var substitute: PrimaryAccountNumber {
        var substitute = self
        for index in digits.indices where !isShown(index) { substitute.digits[index] = 0 }
        return substitute
    }

    /// Whether a masked number shows the digit at `index`.
    private func isShown(_ index: Int) -> Bool {
        index >= digits.count - 4 || digits.count >= 13 && index < 6
    }

    /// Whether the last digit is the check digit of the others (ISO/IEC 7812-1, Annex B).
    public var hasValidCheckDigit: Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, element in
            guard element.offset % 2 == 1 else { return sum + Int(element.element) }
            let doubled = Int(element.element) * 2
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum % 10 == 0
    }
}

extension PrimaryAccountNumber: CustomStringConvertible, CustomDebugStringConvertible {
    /// The masked number.
    public var description: String { masked }
    /// The masked number.
    public var debugDescription: String { masked }
}

#endif
