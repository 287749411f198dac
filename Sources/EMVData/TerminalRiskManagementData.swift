/// What the terminal can do for this card's choice of cardholder verification (9F1D).
///
/// EMV Book C-2, A.1 and EMV Book C-8, A.1.
public struct TerminalRiskManagementData: BitField {
    /// The eight bytes, the first most significant.
    public var rawValue: UInt64
    /// Wraps any value.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 8 }

    /// Restart supported (byte 1, bit 8).
    public var supportsRestart: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// Enciphered PIN verified online (contactless) (byte 1, bit 7).
    public var supportsContactlessOnlinePIN: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// Signature (contactless) (byte 1, bit 6).
    public var supportsContactlessSignature: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Enciphered PIN verified by the card (contactless) (byte 1, bit 5).
    public var supportsContactlessEncipheredOfflinePIN: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// No CVM required (contactless) (byte 1, bit 4).
    public var supportsContactlessNoCVM: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// CDCVM (contactless) (byte 1, bit 3).
    public var supportsContactlessCDCVM: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// Plaintext PIN verified by the card (contactless) (byte 1, bit 2).
    public var supportsContactlessPlaintextOfflinePIN: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// Present and hold supported (byte 1, bit 1).
    public var supportsPresentAndHold: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// CVM limit exceeded (byte 2, bit 8).
    public var cvmLimitExceeded: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// Enciphered PIN verified online (contact) (byte 2, bit 7).
    public var supportsContactOnlinePIN: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }

    /// Signature (contact) (byte 2, bit 6).
    public var supportsContactSignature: Bool {
        get { self[2, 6] }
        set { self[2, 6] = newValue }
    }

    /// Enciphered PIN verified by the card (contact) (byte 2, bit 5).
    public var supportsContactEncipheredOfflinePIN: Bool {
        get { self[2, 5] }
        set { self[2, 5] = newValue }
    }

    /// No CVM required (contact) (byte 2, bit 4).
    public var supportsContactNoCVM: Bool {
        get { self[2, 4] }
        set { self[2, 4] = newValue }
    }

    /// CDCVM (contact) (byte 2, bit 3).
    public var supportsContactCDCVM: Bool {
        get { self[2, 3] }
        set { self[2, 3] = newValue }
    }

    /// Plaintext PIN verified by the card (contact) (byte 2, bit 2).
    public var supportsContactPlaintextOfflinePIN: Bool {
        get { self[2, 2] }
        set { self[2, 2] = newValue }
    }

    /// Mag-stripe mode contactless transactions not supported (byte 3, bit 8).
    public var lacksContactlessMagStripeMode: Bool {
        get { self[3, 8] }
        set { self[3, 8] = newValue }
    }

    /// EMV mode contactless transactions not supported (byte 3, bit 7).
    public var lacksContactlessEMVMode: Bool {
        get { self[3, 7] }
        set { self[3, 7] = newValue }
    }

    /// CDCVM without CDA supported (byte 3, bit 6).
    public var supportsCDCVMWithoutCDA: Bool {
        get { self[3, 6] }
        set { self[3, 6] = newValue }
    }

    /// CDCVM bypass requested (byte 4, bit 8).
    public var requestsCDCVMBypass: Bool {
        get { self[4, 8] }
        set { self[4, 8] = newValue }
    }

    /// SCA exempt (byte 4, bit 7).
    public var isSCAExempt: Bool {
        get { self[4, 7] }
        set { self[4, 7] = newValue }
    }
}

#if !hasFeature(Embedded)
extension TerminalRiskManagementData {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Restart supported"),
            BitMeaning(1, 7, "Enciphered PIN verified online (contactless)"),
            BitMeaning(1, 6, "Signature (contactless)"),
            BitMeaning(1, 5, "Enciphered PIN verified by the card (contactless)"),
            BitMeaning(1, 4, "No CVM required (contactless)"),
            BitMeaning(1, 3, "CDCVM (contactless)"),
            BitMeaning(1, 2, "Plaintext PIN verified by the card (contactless)"),
            BitMeaning(1, 1, "Present and hold supported"),
            BitMeaning(2, 8, "CVM limit exceeded"),
            BitMeaning(2, 7, "Enciphered PIN verified online (contact)"),
            BitMeaning(2, 6, "Signature (contact)"),
            BitMeaning(2, 5, "Enciphered PIN verified by the card (contact)"),
            BitMeaning(2, 4, "No CVM required (contact)"),
            BitMeaning(2, 3, "CDCVM (contact)"),
            BitMeaning(2, 2, "Plaintext PIN verified by the card (contact)"),
            BitMeaning(3, 8, "Mag-stripe mode contactless transactions not supported"),
            BitMeaning(3, 7, "EMV mode contactless transactions not supported"),
            BitMeaning(3, 6, "CDCVM without CDA supported"),
            BitMeaning(4, 8, "CDCVM bypass requested"),
            BitMeaning(4, 7, "SCA exempt"),
        ]
    }
}
#endif
