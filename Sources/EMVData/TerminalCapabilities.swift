/// How the terminal reads cards, verifies cardholders and authenticates (9F33).
///
/// EMV Book 4, Annex A2.
public struct TerminalCapabilities: BitField {
    /// The three bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 3 }

    /// Manual key entry (byte 1, bit 8).
    public var supportsManualKeyEntry: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// Magnetic stripe (byte 1, bit 7).
    public var supportsMagneticStripe: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// IC with contacts (byte 1, bit 6).
    public var supportsContactChip: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Plaintext PIN for ICC verification (byte 2, bit 8).
    public var supportsPlaintextOfflinePIN: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// Enciphered PIN for online verification (byte 2, bit 7).
    public var supportsOnlinePIN: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }

    /// Signature (byte 2, bit 6).
    public var supportsSignature: Bool {
        get { self[2, 6] }
        set { self[2, 6] = newValue }
    }

    /// Enciphered PIN for offline verification (RSA) (byte 2, bit 5).
    public var supportsEncipheredOfflinePIN: Bool {
        get { self[2, 5] }
        set { self[2, 5] = newValue }
    }

    /// No CVM required (byte 2, bit 4).
    public var supportsNoCVM: Bool {
        get { self[2, 4] }
        set { self[2, 4] = newValue }
    }

    /// Online biometric (byte 2, bit 3).
    public var supportsOnlineBiometric: Bool {
        get { self[2, 3] }
        set { self[2, 3] = newValue }
    }

    /// Offline biometric (byte 2, bit 2).
    public var supportsOfflineBiometric: Bool {
        get { self[2, 2] }
        set { self[2, 2] = newValue }
    }

    /// Enciphered PIN for offline verification (ECC) (byte 2, bit 1).
    public var supportsECCOfflinePIN: Bool {
        get { self[2, 1] }
        set { self[2, 1] = newValue }
    }

    /// SDA (byte 3, bit 8).
    public var supportsSDA: Bool {
        get { self[3, 8] }
        set { self[3, 8] = newValue }
    }

    /// DDA (byte 3, bit 7).
    public var supportsDDA: Bool {
        get { self[3, 7] }
        set { self[3, 7] = newValue }
    }

    /// Card capture (byte 3, bit 6).
    public var capturesCards: Bool {
        get { self[3, 6] }
        set { self[3, 6] = newValue }
    }

    /// CDA (byte 3, bit 4).
    public var supportsCDA: Bool {
        get { self[3, 4] }
        set { self[3, 4] = newValue }
    }

    /// XDA (byte 3, bit 3).
    public var supportsXDA: Bool {
        get { self[3, 3] }
        set { self[3, 3] = newValue }
    }
}

#if !hasFeature(Embedded)
extension TerminalCapabilities {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Manual key entry"),
            BitMeaning(1, 7, "Magnetic stripe"),
            BitMeaning(1, 6, "IC with contacts"),
            BitMeaning(2, 8, "Plaintext PIN for ICC verification"),
            BitMeaning(2, 7, "Enciphered PIN for online verification"),
            BitMeaning(2, 6, "Signature"),
            BitMeaning(2, 5, "Enciphered PIN for offline verification (RSA)"),
            BitMeaning(2, 4, "No CVM required"),
            BitMeaning(2, 3, "Online biometric"),
            BitMeaning(2, 2, "Offline biometric"),
            BitMeaning(2, 1, "Enciphered PIN for offline verification (ECC)"),
            BitMeaning(3, 8, "SDA"),
            BitMeaning(3, 7, "DDA"),
            BitMeaning(3, 6, "Card capture"),
            BitMeaning(3, 4, "CDA"),
            BitMeaning(3, 3, "XDA"),
        ]
    }
}
#endif
