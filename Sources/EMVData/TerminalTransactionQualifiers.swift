/// What the reader can do and what this transaction needs (9F66).
///
/// EMV Book C-3, Annex A; kernels 6 and 7 use the same object.
public struct TerminalTransactionQualifiers: BitField {
    /// The four bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 4 }

    /// Mag-stripe mode supported (byte 1, bit 8).
    public var supportsMagStripeMode: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// EMV mode supported (byte 1, bit 6).
    public var supportsEMVMode: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// EMV contact chip supported (byte 1, bit 5).
    public var supportsContactChip: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// Offline-only reader (byte 1, bit 4).
    public var isOfflineOnly: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// Online PIN supported (byte 1, bit 3).
    public var supportsOnlinePIN: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// Signature supported (byte 1, bit 2).
    public var supportsSignature: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// Offline data authentication for online authorisations supported (byte 1, bit 1).
    public var supportsODAForOnlineAuthorisations: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// Online cryptogram required (byte 2, bit 8).
    public var requiresOnlineCryptogram: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// CVM required (byte 2, bit 7).
    public var requiresCVM: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }

    /// Contact chip offline PIN supported (byte 2, bit 6).
    public var supportsContactOfflinePIN: Bool {
        get { self[2, 6] }
        set { self[2, 6] = newValue }
    }

    /// Issuer update processing supported (byte 3, bit 8).
    public var supportsIssuerUpdate: Bool {
        get { self[3, 8] }
        set { self[3, 8] = newValue }
    }

    /// Consumer device CVM supported (byte 3, bit 7).
    public var supportsConsumerDeviceCVM: Bool {
        get { self[3, 7] }
        set { self[3, 7] = newValue }
    }

    /// fDDA version 1.0 supported (byte 4, bit 8).
    public var supportsFDDAVersion1: Bool {
        get { self[4, 8] }
        set { self[4, 8] = newValue }
    }
}

#if !hasFeature(Embedded)
extension TerminalTransactionQualifiers {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Mag-stripe mode supported"),
            BitMeaning(1, 6, "EMV mode supported"),
            BitMeaning(1, 5, "EMV contact chip supported"),
            BitMeaning(1, 4, "Offline-only reader"),
            BitMeaning(1, 3, "Online PIN supported"),
            BitMeaning(1, 2, "Signature supported"),
            BitMeaning(1, 1, "Offline data authentication for online authorisations supported"),
            BitMeaning(2, 8, "Online cryptogram required"),
            BitMeaning(2, 7, "CVM required"),
            BitMeaning(2, 6, "Contact chip offline PIN supported"),
            BitMeaning(3, 8, "Issuer update processing supported"),
            BitMeaning(3, 7, "Consumer device CVM supported"),
            BitMeaning(4, 8, "fDDA version 1.0 supported"),
        ]
    }
}
#endif
