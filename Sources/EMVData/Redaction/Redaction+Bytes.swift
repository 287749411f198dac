#if !hasFeature(Embedded)
import Octets

extension Redaction {
    /// Masks everything learned so far wherever it stands in bytes.
    func maskLearned(_ bytes: [UInt8]) -> [UInt8] {
        guard !accountNumbers.isEmpty else { return pieces.apply(to: bytes) }
        return pieces.apply(to: PackedDigits.pack(digits.apply(to: PackedDigits.nibbles(bytes))))
    }

    /// Masks runs of digits, packed or as characters, in which an account number might be.
    static func maskLikelyAccountNumbers(_ bytes: [UInt8]) -> [UInt8] {
        let packed = PackedDigits.pack(maskRuns(PackedDigits.nibbles(bytes)))
        let zero = UInt8(ascii: "0")
        let digits = packed.map { $0 &- zero }
        let masked = maskRuns(digits)
        return packed.indices.map { masked[$0] == digits[$0] ? packed[$0] : masked[$0] + zero }
    }

    /// Masks runs of numbers from 0 to 9 but for their first six and last four, where 13 to 19 digits in a row have a
    /// right check digit.
    private static func maskRuns(_ symbols: [UInt8]) -> [UInt8] {
        var masked = symbols
        var start = 0
        while start < symbols.count {
            let run = symbols[start...].prefix { $0 <= 9 }
            let digits = run.drop { $0 == 0 }
            if holdsAccountNumber(digits) {
                let hidden = digits.dropFirst(6).dropLast(4)
                masked.replaceSubrange(hidden.indices, with: zeros(hidden))
            }
            start = run.endIndex + 1
        }
        return masked
    }

    /// Whether 13 to 19 of these digits in a row are an account number by their check digit.
    private static func holdsAccountNumber(_ digits: ArraySlice<UInt8>) -> Bool {
        (13...19).contains { length in
            digits.indices.dropLast(length - 1).contains { start in
                let number = PrimaryAccountNumber(digits: Array(digits[start...].prefix(length)))
                return number?.hasValidCheckDigit == true
            }
        }
    }
}

#endif
