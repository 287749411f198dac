#if !hasFeature(Embedded)
import Octets

/// The one-way functions of Mastercard's integrated data storage (EMV Book C-2, 8.2).
public enum DataStorage {
    /// Makes twelve bytes of key material of the DS ID (9F5E): DSPKL and DSPKR, six bytes each.
    ///
    /// Each byte is read as two decimal digits and doubled. Nil when there are less than six bytes.
    public static func partialKey(identifier: [UInt8]) -> [UInt8]? {
        guard identifier.count >= 6 else { return nil }
        return (identifier.prefix(6) + identifier.suffix(6)).map {
            ($0 >> 4 &* 10 &+ $0 & 0x0F) &* 2
        }
    }

    /// Computes the DS Digest of data storage version 1 (OWHF2, 8.2.2).
    /// - Parameters:
    ///   - identifier: DS ID (9F5E), 8 to 11 bytes.
    ///   - operatorIdentifier: DS Requested Operator ID (9F5C); zeros where a permanent slot is stored as volatile.
    ///   - input: DS Input (Term) (DF8109).
    /// - Returns: The digest; nil when the DS ID is too short.
    public static func digest(
        identifier: [UInt8],
        operatorIdentifier: UInt64,
        input: UInt64
    ) -> UInt64? {
        guard let partialKey = partialKey(identifier: identifier) else { return nil }
        let operatorBytes = operatorIdentifier.bigEndianBytes
        let key = desKeys(
            partialKey.prefix(6) + operatorBytes[4..<6],
            partialKey.suffix(6) + operatorBytes[6..<8]
        )
        var cipher = TripleDES(key: key)
        return cipher.encrypt(operatorIdentifier ^ input) ^ input
    }

    /// Which half of the last block is the digest; public sources do not agree.
    public enum DigestHalf: Hashable, Sendable, CaseIterable {
        /// The first eight bytes.
        case left
        /// The last eight bytes.
        case right
    }

    /// Computes the DS Digest of data storage version 2 (OWHF2AES, 8.2.3).
    /// - Parameters:
    ///   - identifier: DS ID (9F5E), 8 to 11 bytes.
    ///   - operatorIdentifier: DS Requested Operator ID (9F5C).
    ///   - input: DS Input (Term) (DF8109).
    ///   - half: Which half of the block to take; one public kernel takes the left, another the right.
    /// - Returns: The digest; nil when the DS ID is too long.
    public static func digestAES(
        identifier: [UInt8],
        operatorIdentifier: UInt64,
        input: UInt64,
        half: DigestHalf = .left
    ) -> UInt64? {
        guard identifier.count <= 11 else { return nil }
        let operatorBytes = operatorIdentifier.bigEndianBytes
        let padding = [UInt8](repeating: 0, count: 11 - identifier.count)
        let key = AESKey(known: padding + identifier + operatorBytes[4..<8] + [0x3F])
        let message = input.bigEndianBytes + operatorBytes
        let block = zip(key.encrypt(message), message).map { $0 ^ $1 }
        return UInt64(bigEndian: block.span, at: half == .left ? 0 : 8)
    }

    /// What the card's DS Summary depends on beside the slot.
    public struct SummaryInput: Hashable, Sendable {
        /// DS Summary 1 (9F7D).
        public var previousSummary: UInt64
        /// Amount, Authorised (9F02), six bytes of packed digits.
        public var amount: [UInt8]
        /// The last three digits of Transaction Currency Code (5F2A), packed: 0x840.
        public var currency: UInt16
        /// The parameter of GENERATE AC: which cryptogram is asked for.
        public var referenceControlParameter: UInt8
        /// 1 for the first GENERATE AC, 2 for the second.
        public var commandIndicator: UInt8
        /// DS Unpredictable Number (9F7F).
        public var cardNumber: UInt32
        /// Unpredictable Number (9F37).
        public var terminalNumber: UInt32

        /// Collects the values.
        public init(
            previousSummary: UInt64,
            amount: [UInt8],
            currency: UInt16,
            referenceControlParameter: UInt8,
            commandIndicator: UInt8,
            cardNumber: UInt32,
            terminalNumber: UInt32
        ) {
            self.previousSummary = previousSummary
            self.amount = amount
            self.currency = currency
            self.referenceControlParameter = referenceControlParameter
            self.commandIndicator = commandIndicator
            self.cardNumber = cardNumber
            self.terminalNumber = terminalNumber
        }
    }

    /// Computes the DS Summary a card gives (OWHF1).
    ///
    /// The function is the card's own and in no public book: this one agrees with two captures of a commercial
    /// calculator. Nil when the DS ID is too short or the amount not six bytes.
    public static func summary(identifier: [UInt8], _ input: SummaryInput) -> UInt64? {
        guard let partialKey = partialKey(identifier: identifier), input.amount.count == 6 else {
            return nil
        }
        let number = input.cardNumber.bigEndianBytes
        let indicator = (input.referenceControlParameter >> 4 | input.commandIndicator) & 0x0F
        let amountEnd = UInt64(input.amount[4]) << 8 | UInt64(input.amount[5])
        let first =
            input.previousSummary ^ (amountEnd << 16 | UInt64(input.cardNumber & 0xFFFF))
        let second =
            UInt64(indicator) << 60 | UInt64(input.currency & 0x0FFF) << 48
            | UInt64(input.terminalNumber) << 16 | UInt64(input.cardNumber >> 16)
        let left = partialKey.prefix(6) + number[0..<2]
        var inner = TripleDES(key: desKeys(left, left))
        let middle = (inner.encrypt(first) ^ first).bigEndianBytes
        var outer = TripleDES(
            key: desKeys(middle[...], partialKey.suffix(6) + number[2..<4])
        )
        return outer.encrypt(second) ^ first ^ second
    }

    /// Joins two single DES keys, so that triple DES enciphers with the first, the second and the first.
    private static func desKeys(
        _ left: ArraySlice<UInt8>,
        _ right: ArraySlice<UInt8>
    )
        -> DoubleLengthKey
    {
        let bytes = [UInt8](left + right)
        return DoubleLengthKey(
            left: UInt64(bigEndian: bytes.span, at: 0),
            right: UInt64(bigEndian: bytes.span, at: 8)
        )
    }
}

#endif
