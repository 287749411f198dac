#if !hasFeature(Embedded)
import Octets

extension Redaction {
    /// Masks everything learned so far wherever it stands in bytes.
    func maskLearned(_ bytes: [UInt8]) -> [UInt8] {
        var nibbles = PackedDigits.nibbles(bytes)
        for number in accountNumbers {
            nibbles.replace(number.digits, by: number.substitute.digits)
        }
        var masked = PackedDigits.pack(nibbles)
        for number in accountNumbers {
            masked.replace(Array(number.text.utf8), by: Array(number.substitute.text.utf8))
        }
        for secret in secrets { masked.replace(secret.original, by: secret.replacement) }
        return masked
    }

    /// Masks what looks like an account number: 13 to 19 digits with a right check digit and nothing but other things
    /// around, packed or as characters.
    static func maskLikelyAccountNumbers(_ bytes: [UInt8]) -> [UInt8] {
        let packed = PackedDigits.pack(maskRuns(PackedDigits.nibbles(bytes)))
        let zero = UInt8(ascii: "0")
        let digits = packed.map { $0 &- zero }
        let masked = maskRuns(digits)
        return packed.indices.map { masked[$0] == digits[$0] ? packed[$0] : masked[$0] + zero }
    }

    /// Masks the runs of numbers from 0 to 9 that are an account number, zeros before it or not.
    private static func maskRuns(_ symbols: [UInt8]) -> [UInt8] {
        var masked = symbols
        var start = 0
        while start < symbols.count {
            let run = symbols[start...].prefix { $0 <= 9 }
            let digits = run.drop { $0 == 0 }
            if digits.count >= 13, let number = PrimaryAccountNumber(digits: Array(digits)),
                number.hasValidCheckDigit
            {
                masked.replaceSubrange(digits.indices, with: number.substitute.digits)
            }
            start = run.endIndex + 1
        }
        return masked
    }
}

extension Array<UInt8> {
    /// Replaces every occurrence of `original` by `replacement`, which is as long.
    fileprivate mutating func replace(_ original: [UInt8], by replacement: [UInt8]) {
        var index = 0
        while index + original.count <= count {
            if self[index] == original[0], self[index..<index + original.count] == original[...] {
                replaceSubrange(index..<index + original.count, with: replacement)
                index += original.count
            } else {
                index += 1
            }
        }
    }
}

#endif
