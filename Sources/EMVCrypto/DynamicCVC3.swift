#if !hasFeature(Embedded)
import Octets

/// The dynamic CVC3 of a Mastercard tap in magnetic stripe mode (EMV Book C-2, 5.5; the algorithm is the issuer's side).
public enum DynamicCVC3 {
    /// Computes the initial vector over the static track data, two bytes.
    /// - Parameters:
    ///   - trackData: Track 2 as in 9F6B, or the characters of track 1 (56), without what is dynamic.
    ///   - cardKey: The card's key for CVC3.
    /// - Returns: Two bytes.
    public static func initialVector(
        trackData: [UInt8],
        cardKey: borrowing DoubleLengthKey
    ) -> UInt16 {
        var mac = RetailMAC(key: cardKey)
        return UInt16(truncatingIfNeeded: mac.mac(of: trackData.span, padding: .marked))
    }

    /// Computes a CVC3 (9F60, 9F61), two bytes.
    /// - Parameters:
    ///   - initialVector: What `initialVector(trackData:cardKey:)` gave for the same track.
    ///   - unpredictableNumber: Unpredictable Number (9F6A) as it was sent, eight packed digits.
    ///   - counter: Application Transaction Counter (9F36); zero where the issuer leaves it out.
    ///   - cardKey: The card's key for CVC3.
    /// - Returns: Two bytes.
    public static func value(
        initialVector: UInt16,
        unpredictableNumber: UInt32,
        counter: UInt16,
        cardKey: borrowing DoubleLengthKey
    ) -> UInt16 {
        var cipher = TripleDES(key: cardKey)
        let block =
            UInt64(initialVector) << 48 | UInt64(unpredictableNumber) << 16 | UInt64(counter)
        return UInt16(truncatingIfNeeded: cipher.encrypt(block))
    }
}

/// Where the dynamic digits go in a track's discretionary data (EMV Book C-2, Table A.23 and following).
///
/// Bit 1 of a bitmap is the last digit. The last digit itself tells the host how many digits of the
/// unpredictable number there are.
public struct CVC3Placement: Hashable, Sendable {
    /// Positions of the CVC3 (PCVC3; 9F62, 9F65).
    public let cvc3Positions: UInt64
    /// Positions of unpredictable number and counter (PUNATC; 9F63, 9F66).
    public let numberPositions: UInt64
    /// How many digits of the counter there are (NATC; 9F64, 9F67).
    public let counterDigitCount: Int
    /// How many digits of the unpredictable number there are.
    public let unpredictableDigitCount: Int

    /// Reads the card's objects; nil when they do not fit together.
    /// - Parameters:
    ///   - cvc3Positions: 9F65, two bytes, or 9F62, six bytes.
    ///   - numberPositions: 9F66 or 9F63, as long.
    ///   - counterDigitCount: 9F67 or 9F64.
    public init?(cvc3Positions: [UInt8], numberPositions: [UInt8], counterDigitCount: UInt8) {
        guard cvc3Positions.count == numberPositions.count, [2, 6].contains(cvc3Positions.count)
        else { return nil }
        func bitmap(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.cvc3Positions = bitmap(cvc3Positions)
        self.numberPositions = bitmap(numberPositions)
        self.counterDigitCount = Int(counterDigitCount)
        unpredictableDigitCount = self.numberPositions.nonzeroBitCount - Int(counterDigitCount)
        guard 0...8 ~= unpredictableDigitCount, Int(counterDigitCount) <= 5 else { return nil }
    }

    /// Writes the dynamic digits over the static ones.
    /// - Parameters:
    ///   - digits: The track's discretionary data, one digit an element.
    ///   - cvc3: What the card answered.
    ///   - unpredictableNumber: Unpredictable Number (9F6A), eight packed digits.
    ///   - counter: Application Transaction Counter (9F36).
    ///   - isVerifiedOnDevice: Whether the card said that it verified its holder, which adds 5 to the last digit.
    /// - Returns: As many digits; nil when a position lies outside of them, or the number is not packed digits.
    public func place(
        in digits: [UInt8],
        cvc3: UInt16,
        unpredictableNumber: UInt32,
        counter: UInt16,
        isVerifiedOnDevice: Bool = false
    ) -> [UInt8]? {
        guard !digits.isEmpty, digits.count < 64,
            (cvc3Positions | numberPositions) >> UInt64(digits.count) == 0
        else { return nil }
        let numberDigits = PackedDigits.nibbles(unpredictableNumber.bigEndianBytes)
        guard numberDigits.allSatisfy({ $0 <= 9 }) else { return nil }
        guard let codeDigits = Self.decimalDigits(of: cvc3, count: cvc3Positions.nonzeroBitCount),
            let counterDigits = Self.decimalDigits(of: counter, count: counterDigitCount)
        else { return nil }

        var result = digits
        Self.write(codeDigits, to: &result, at: cvc3Positions)
        Self.write(
            counterDigits + numberDigits.suffix(unpredictableDigitCount),
            to: &result,
            at: numberPositions
        )
        let count = UInt8(unpredictableDigitCount)
        result[result.count - 1] = isVerifiedOnDevice ? (count + 5) % 10 : count
        return result
    }

    /// The last `count` of a number's five decimal digits; nil when there are not that many.
    package static func decimalDigits(of number: UInt16, count: Int) -> [UInt8]? {
        guard 0...5 ~= count else { return nil }
        let digits = [10_000, 1_000, 100, 10, 1].map { UInt8(number / $0 % 10) }
        return [UInt8](digits.suffix(count))
    }

    /// Writes digits to the positions of a bitmap, the first to the leftmost.
    private static func write(_ source: [UInt8], to digits: inout [UInt8], at positions: UInt64) {
        var rest = source[...]
        for (index, position) in digits.indices.reversed().enumerated().reversed()
        where positions >> UInt64(index) & 1 == 1 {
            if let digit = rest.popFirst() { digits[position] = digit }
        }
    }
}

#endif
