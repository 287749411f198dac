#if !hasFeature(Embedded)
import Octets

/// Why a PIN does not make a PIN block, or a block holds no PIN.
public enum PINBlockError: Error, Hashable, Sendable {
    /// A PIN is not 4 to 12 digits long.
    case wrongPINLength(Int)
    /// A PIN holds something else than decimal digits.
    case notADigit
    /// A block is not 8 bytes long, or 16 where AES is used.
    case wrongLength(Int)
    /// The first nibble of a block is not the number of its format.
    case wrongFormat(UInt8)
    /// What fills a block up is not what the format demands.
    case wrongFiller
    /// An account number is too short or too long for the format.
    case wrongAccountNumberLength(Int)
}

/// The forms in which a PIN travels (ISO 9564-1, 9.3), each eight bytes but the last.
///
/// A PIN and an account number are digits, one an element. What a form fills up at random is given by the caller.
public enum PINBlock {
    /// The lengths a PIN may have.
    static let pinLengths = 4...12

    /// Makes a block of format 0: PIN, filled up with F, mixed with the account number.
    public static func format0(
        pin: [UInt8],
        pan: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        let pinField = try field(0, pin, filler: [UInt8](repeating: 0x0F, count: 14))
        return try mixed(pinField, pan: pan)
    }

    /// Makes a block of format 1: PIN, filled up with random nibbles of the transaction.
    /// - Parameters:
    ///   - pin: The PIN.
    ///   - filler: Nibbles to fill up with, as many as the PIN leaves room for or more.
    /// - Returns: The block.
    /// - Throws: `PINBlockError` when PIN, account number or filler do not fit.
    public static func format1(
        pin: [UInt8],
        filler: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        try field(1, pin, filler: filler)
    }

    /// Makes a block of format 2: PIN, filled up with F, as cards take it (EMV Book 3, 6.5.12).
    public static func format2(pin: [UInt8]) throws(PINBlockError) -> [UInt8] {
        try field(2, pin, filler: [UInt8](repeating: 0x0F, count: 14))
    }

    /// Makes a block of format 3: as 0, filled up with random nibbles from A to F.
    /// - Parameters:
    ///   - pin: The PIN.
    ///   - pan: The PAN with its check digit.
    ///   - filler: Nibbles to fill up with, as many as the PIN leaves room for or more, each from A to F.
    /// - Returns: The block.
    /// - Throws: `PINBlockError` when PIN, account number or filler do not fit.
    public static func format3(
        pin: [UInt8],
        pan: [UInt8],
        filler: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        guard filler.allSatisfy({ 0x0A...0x0F ~= $0 }) else { throw .wrongFiller }
        return try mixed(field(3, pin, filler: filler), pan: pan)
    }

    /// Makes the 16-byte PIN field of format 4, before it is enciphered with AES.
    /// - Parameters:
    ///   - pin: The PIN.
    ///   - random: Eight random bytes.
    /// - Returns: The field.
    /// - Throws: `PINBlockError` when PIN, account number or filler do not fit.
    public static func format4PINField(
        pin: [UInt8],
        random: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        guard random.count == 8 else { throw .wrongFiller }
        return try field(4, pin, filler: [UInt8](repeating: 0x0A, count: 14)) + random
    }

    /// Makes the 16-byte account number field of format 4, 1 to 19 digits.
    ///
    /// The first nibble says by how many digits the number exceeds twelve; a shorter one is filled up on the left.
    public static func format4AccountField(pan: [UInt8]) throws(PINBlockError) -> [UInt8] {
        guard 1...19 ~= pan.count else { throw .wrongAccountNumberLength(pan.count) }
        guard pan.allSatisfy({ $0 <= 9 }) else { throw .notADigit }
        let filled = [UInt8](repeating: 0, count: max(0, 12 - pan.count)) + pan
        let nibbles = [UInt8(filled.count - 12)] + filled
        return packed(nibbles + [UInt8](repeating: 0, count: 32 - nibbles.count))
    }

    /// Enciphers a PIN as a block of format 4.
    /// - Parameters:
    ///   - pin: The PIN.
    ///   - pan: The account number, 1 to 19 digits.
    ///   - random: Eight random bytes.
    ///   - key: The AES key.
    /// - Returns: The block.
    /// - Throws: `PINBlockError` when PIN, account number or filler do not fit.
    public static func format4(
        pin: [UInt8],
        pan: [UInt8],
        random: [UInt8],
        key: borrowing AESKey
    ) throws(PINBlockError) -> [UInt8] {
        let inner = try key.encrypt(format4PINField(pin: pin, random: random))
        return try key.encrypt(xor(inner, format4AccountField(pan: pan)))
    }

    /// Deciphers the PIN in a block of format 4.
    public static func pin(
        inFormat4 block: [UInt8],
        pan: [UInt8],
        key: borrowing AESKey
    ) throws(PINBlockError) -> [UInt8] {
        guard block.count == 16 else { throw .wrongLength(block.count) }
        let inner = try xor(key.decrypt(block), format4AccountField(pan: pan))
        let pinField = [UInt8](key.decrypt(inner).prefix(8))
        return try pin(in: pinField, format: 4, isFiller: { $0 == 0x0A })
    }

    /// Reads the PIN in a block of format 0.
    public static func pin(
        inFormat0 block: [UInt8],
        pan: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        try pin(in: mixed(block, pan: pan), format: 0, isFiller: { $0 == 0x0F })
    }

    /// Reads the PIN in a block of format 1, whose filling may be anything.
    public static func pin(inFormat1 block: [UInt8]) throws(PINBlockError) -> [UInt8] {
        try pin(in: block, format: 1, isFiller: { _ in true })
    }

    /// Reads the PIN in a block of format 2.
    public static func pin(inFormat2 block: [UInt8]) throws(PINBlockError) -> [UInt8] {
        try pin(in: block, format: 2, isFiller: { $0 == 0x0F })
    }

    /// Reads the PIN in a block of format 3.
    public static func pin(
        inFormat3 block: [UInt8],
        pan: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        try pin(in: mixed(block, pan: pan), format: 3, isFiller: { 0x0A...0x0F ~= $0 })
    }

    /// Makes the block in which a Visa card takes a new PIN: mixed with a part of its own key, and the old PIN.
    /// - Parameters:
    ///   - pin: The new PIN.
    ///   - currentPIN: The PIN until now; nil where the card is not to be asked for it.
    ///   - cardKey: The card's key for application cryptograms.
    /// - Returns: The block.
    /// - Throws: `PINBlockError` when PIN, account number or filler do not fit.
    public static func visa(
        pin: [UInt8],
        currentPIN: [UInt8]? = nil,
        cardKey: borrowing DoubleLengthKey
    ) throws(PINBlockError) -> [UInt8] {
        let block = try field(0, pin, filler: [UInt8](repeating: 0x0F, count: 14))
        return try visaFields(currentPIN: currentPIN, cardKey: cardKey).reduce(block, xor)
    }

    /// What a Visa card's new PIN is mixed with: a part of the card's key, and the old PIN where there is one.
    /// - Throws: `PINBlockError` when the old PIN is none.
    public static func visaFields(
        currentPIN: [UInt8]?,
        cardKey: borrowing DoubleLengthKey
    ) throws(PINBlockError) -> [[UInt8]] {
        let keyField = [0, 0, 0, 0] + [UInt8](cardKey.exportedBytes[4..<8])
        guard let currentPIN else { return [keyField] }
        try check(currentPIN)
        let filling = [UInt8](repeating: 0, count: 16 - currentPIN.count)
        return [keyField, packed(currentPIN + filling)]
    }

    /// The account number in a block of format 0 or 3: the twelve digits before the check digit, in eight bytes.
    /// - Throws: `PINBlockError` when the number has not 13 to 19 digits.
    public static func accountField(pan: [UInt8]) throws(PINBlockError) -> [UInt8] {
        guard 13...19 ~= pan.count else { throw .wrongAccountNumberLength(pan.count) }
        guard pan.allSatisfy({ $0 <= 9 }) else { throw .notADigit }
        return [0, 0] + packed([UInt8](pan.dropLast().suffix(12)))
    }

    // MARK: Parts

    private static func check(_ pin: [UInt8]) throws(PINBlockError) {
        guard pinLengths.contains(pin.count) else { throw .wrongPINLength(pin.count) }
        guard pin.allSatisfy({ $0 <= 9 }) else { throw .notADigit }
    }

    /// Format, length, PIN and filler in eight bytes.
    private static func field(
        _ format: UInt8,
        _ pin: [UInt8],
        filler: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        try check(pin)
        let nibbles = [format, UInt8(pin.count)] + pin
        guard filler.count >= 16 - nibbles.count, filler.allSatisfy({ $0 <= 0x0F }) else {
            throw .wrongFiller
        }
        return packed(nibbles + filler.prefix(16 - nibbles.count))
    }

    /// Mixes a block with the twelve digits before the check digit.
    private static func mixed(
        _ block: [UInt8],
        pan: [UInt8]
    ) throws(PINBlockError) -> [UInt8] {
        guard block.count == 8 else { throw .wrongLength(block.count) }
        return try xor(block, accountField(pan: pan))
    }

    private static func pin(
        in block: [UInt8],
        format: UInt8,
        isFiller: (UInt8) -> Bool
    ) throws(PINBlockError) -> [UInt8] {
        guard block.count == 8 else { throw .wrongLength(block.count) }
        let nibbles = PackedDigits.nibbles(block)
        guard nibbles[0] == format else { throw .wrongFormat(nibbles[0]) }
        let count = Int(nibbles[1])
        guard pinLengths.contains(count) else { throw .wrongPINLength(count) }
        let pin = [UInt8](nibbles[2..<2 + count])
        guard pin.allSatisfy({ $0 <= 9 }) else { throw .notADigit }
        guard nibbles[(2 + count)...].allSatisfy(isFiller) else { throw .wrongFiller }
        return pin
    }

    private static func packed(_ nibbles: [UInt8]) -> [UInt8] {
        stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    private static func xor(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        zip(left, right).map { $0 ^ $1 }
    }
}

#endif
