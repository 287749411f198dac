/// Which functions the application supports (82).
///
/// EMV Book 3, Annex C1; byte 2 as in EMV Book C-2, A.1.
public struct ApplicationInterchangeProfile: BitField {
    /// The two bytes, the first most significant.
    public var rawValue: UInt16
    /// Wraps any value.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 2 }

    /// XDA supported (byte 1, bit 8).
    public var supportsXDA: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// SDA supported (byte 1, bit 7).
    public var supportsSDA: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// DDA supported (byte 1, bit 6).
    public var supportsDDA: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Cardholder verification is supported (byte 1, bit 5).
    public var supportsCardholderVerification: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// Terminal risk management is to be performed (byte 1, bit 4).
    public var requiresTerminalRiskManagement: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// Issuer authentication is supported (byte 1, bit 3).
    public var supportsIssuerAuthentication: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// On device cardholder verification is supported (byte 1, bit 2).
    public var supportsOnDeviceCardholderVerification: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// CDA supported (byte 1, bit 1).
    public var supportsCDA: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// EMV mode is supported (byte 2, bit 8).
    public var supportsEMVMode: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// Mobile phone (byte 2, bit 7).
    public var isMobilePhone: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }

    /// Contactless transaction (byte 2, bit 6).
    public var isContactlessTransaction: Bool {
        get { self[2, 6] }
        set { self[2, 6] = newValue }
    }

    /// Relay resistance protocol is supported (byte 2, bit 1).
    public var supportsRelayResistance: Bool {
        get { self[2, 1] }
        set { self[2, 1] = newValue }
    }
}

#if !hasFeature(Embedded)
extension ApplicationInterchangeProfile {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "XDA supported"),
            BitMeaning(1, 7, "SDA supported"),
            BitMeaning(1, 6, "DDA supported"),
            BitMeaning(1, 5, "Cardholder verification is supported"),
            BitMeaning(1, 4, "Terminal risk management is to be performed"),
            BitMeaning(1, 3, "Issuer authentication is supported"),
            BitMeaning(1, 2, "On device cardholder verification is supported"),
            BitMeaning(1, 1, "CDA supported"),
            BitMeaning(2, 8, "EMV mode is supported"),
            BitMeaning(2, 7, "Mobile phone"),
            BitMeaning(2, 6, "Contactless transaction"),
            BitMeaning(2, 1, "Relay resistance protocol is supported"),
        ]
    }
}
#endif
