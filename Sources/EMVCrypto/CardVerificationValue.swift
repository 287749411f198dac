#if !hasFeature(Embedded)
import Octets

/// The digits that prove a stripe, a print or a tap genuine: CVV and CVC and what is computed like them.
///
/// Sixteen bytes of digits are authenticated with a key pair (algorithm 3), and digits are made of the result.
public enum CardVerificationValue {
    /// Service codes that stand for other places than the stripe.
    public enum ServiceCode {
        /// 000 for what is printed on the card (CVV2, CVC2).
        public static var printed: [UInt8] { [0, 0, 0] }
        /// 999 for the track data of a chip (iCVV, Chip CVC).
        public static var chip: [UInt8] { [9, 9, 9] }
    }

    /// Computes a CVV, CVC, iCVV or CVV2.
    /// - Parameters:
    ///   - pan: The PAN, 12 to 19 digits, one an element.
    ///   - expiry: Four digits in the order the scheme wants, YYMM for CVV and MMYY for CVV2 at some.
    ///   - serviceCode: Three digits.
    ///   - digitCount: How many digits to take, three unless the issuer prints four.
    ///   - key: Both keys of the pair.
    /// - Returns: The digits; nil when a count does not fit.
    public static func value(
        pan: [UInt8],
        expiry: [UInt8],
        serviceCode: [UInt8],
        digitCount: Int = 3,
        key: borrowing DoubleLengthKey
    ) -> [UInt8]? {
        guard 1...5 ~= digitCount,
            let block = block(pan: pan, expiry: expiry, serviceCode: serviceCode)
        else { return nil }
        return digits(of: enciphered(block, key: key), count: digitCount)
    }

    /// The sixteen bytes that are authenticated: the digits of a card, then zeros; nil when a count does not fit.
    public static func block(
        pan: [UInt8],
        expiry: [UInt8],
        serviceCode: [UInt8]
    ) -> [UInt8]? {
        let digits = pan + expiry + serviceCode
        guard 12...19 ~= pan.count, expiry.count == 4, serviceCode.count == 3,
            digits.allSatisfy({ $0 <= 9 })
        else { return nil }
        let filled = digits + [UInt8](repeating: 0, count: 32 - digits.count)
        return PackedDigits.numeric(filled, byteCount: 16)
    }

    /// Authenticates the sixteen bytes of `block(pan:expiry:serviceCode:)`.
    public static func enciphered(_ block: [UInt8], key: borrowing DoubleLengthKey) -> UInt64 {
        var mac = RetailMAC(key: key)
        return mac.mac(of: block.span, padding: .zeros)
    }

    /// Makes digits of what was enciphered: the decimal ones, then A to F read as 0 to 5.
    public static func digits(of enciphered: UInt64, count: Int) -> [UInt8] {
        decimalDigits(of: enciphered.bigEndianBytes, count: count)
    }

    /// Computes the dynamic value (dCVV) of a Visa tap in magnetic stripe mode.
    ///
    /// The PAN's first four digits make place for four of the transaction counter. jPOS takes the counter's
    /// hexadecimal digits, Visa's track data its decimal ones: the caller decides.
    /// - Parameters:
    ///   - pan: The PAN, one digit an element.
    ///   - expiry: YYMM, four digits.
    ///   - serviceCode: Three digits.
    ///   - counterDigits: Four digits of the Application Transaction Counter (9F36).
    ///   - cardKey: The card's key for it.
    /// - Returns: Three digits; nil when a count does not fit.
    public static func dynamicValue(
        pan: [UInt8],
        expiry: [UInt8],
        serviceCode: [UInt8],
        counterDigits: [UInt8],
        cardKey: borrowing DoubleLengthKey
    ) -> [UInt8]? {
        guard counterDigits.count == 4 else { return nil }
        return value(
            pan: counterDigits + pan.dropFirst(4),
            expiry: expiry,
            serviceCode: serviceCode,
            key: cardKey
        )
    }

    /// Computes a Visa PIN verification value (PVV), four digits.
    /// - Parameters:
    ///   - pin: The first four digits of the PIN.
    ///   - pan: The PAN with its check digit, at least twelve digits.
    ///   - keyIndex: PIN verification key index, 0 to 6.
    ///   - key: Both keys of the pair.
    /// - Returns: The digits; nil when a count does not fit.
    public static func pinVerificationValue(
        pin: [UInt8],
        pan: [UInt8],
        keyIndex: UInt8,
        key: borrowing DoubleLengthKey
    ) -> [UInt8]? {
        guard let block = pinVerificationBlock(pin: pin, pan: pan, keyIndex: keyIndex) else {
            return nil
        }
        var cipher = TripleDES(key: key)
        return digits(of: cipher.encrypt(block), count: 4)
    }

    /// The block that is enciphered for a PVV: eleven digits of the PAN, the index, four of the PIN.
    /// - Returns: The block; nil when a count does not fit.
    public static func pinVerificationBlock(
        pin: [UInt8],
        pan: [UInt8],
        keyIndex: UInt8
    ) -> UInt64? {
        let digits = pan.dropLast().suffix(11) + [keyIndex] + pin.prefix(4)
        guard pan.count >= 12, pin.count >= 4, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        return digits.reduce(UInt64(0)) { $0 << 4 | UInt64($1) }
    }
}

#endif
