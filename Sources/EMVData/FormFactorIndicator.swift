/// What the thing the cardholder taps is and can do (9F6E of kernel 3).
///
/// EMV Book C-3, Annex A; the features of byte 2 follow VCPS, Annex D.
public struct FormFactorIndicator: BitField {
    /// The four bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 4 }

    /// Passcode capable (byte 2, bit 8).
    public var isPasscodeCapable: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// Signature panel (byte 2, bit 7).
    public var hasSignaturePanel: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }

    /// Hologram (byte 2, bit 6).
    public var hasHologram: Bool {
        get { self[2, 6] }
        set { self[2, 6] = newValue }
    }

    /// CVV2 (byte 2, bit 5).
    public var hasCVV2: Bool {
        get { self[2, 5] }
        set { self[2, 5] = newValue }
    }

    /// Two-way messaging (byte 2, bit 4).
    public var hasTwoWayMessaging: Bool {
        get { self[2, 4] }
        set { self[2, 4] = newValue }
    }

    /// Cloud based payment credentials (byte 2, bit 3).
    public var usesCloudBasedCredentials: Bool {
        get { self[2, 3] }
        set { self[2, 3] = newValue }
    }

    /// Biometric cardholder verification capable (byte 2, bit 2).
    public var isBiometricCapable: Bool {
        get { self[2, 2] }
        set { self[2, 2] = newValue }
    }
}

extension FormFactorIndicator {
    /// What the cardholder taps with (byte 1, bits 5 to 1).
    public struct FormFactor: RawRepresentable, Hashable, Sendable {
        /// The number.
        public var rawValue: UInt8
        /// Wraps any number, known or not.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Standard card (00).
        public static var card: Self { Self(rawValue: 0) }
        /// Mini-card (01).
        public static var miniCard: Self { Self(rawValue: 1) }
        /// Something else than a card (02).
        public static var nonCard: Self { Self(rawValue: 2) }
        /// Consumer mobile phone (03).
        public static var mobilePhone: Self { Self(rawValue: 3) }
        /// Wrist-worn device (04).
        public static var wristWorn: Self { Self(rawValue: 4) }
    }

    /// What the cardholder taps with (byte 1, bits 5 to 1).
    public var formFactor: FormFactor {
        get { FormFactor(rawValue: self[byte: 1] & 0x1F) }
        set { self[byte: 1] = self[byte: 1] & 0xE0 | newValue.rawValue & 0x1F }
    }

    /// The version of this object's layout (byte 1, bits 8 to 6).
    public var version: UInt8 {
        get { self[byte: 1] >> 5 }
        set { self[byte: 1] = self[byte: 1] & 0x1F | newValue << 5 }
    }

    /// How the payment reaches the reader, 0 for ISO 14443 (byte 4, bits 4 to 1); a reader clears it.
    public var paymentTransactionTechnology: UInt8 {
        get { self[byte: 4] & 0x0F }
        set { self[byte: 4] = self[byte: 4] & 0xF0 | newValue & 0x0F }
    }
}

#if !hasFeature(Embedded)
extension FormFactorIndicator {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        (0...7).map { BitMeaning(1, mask: 0xE0, value: $0 << 5, "Version: \($0)") } + [
            BitMeaning(1, mask: 0x1F, value: 0x00, "Form factor: standard card"),
            BitMeaning(1, mask: 0x1F, value: 0x01, "Form factor: mini-card"),
            BitMeaning(1, mask: 0x1F, value: 0x02, "Form factor: non-card form factor"),
            BitMeaning(1, mask: 0x1F, value: 0x03, "Form factor: consumer mobile phone"),
            BitMeaning(1, mask: 0x1F, value: 0x04, "Form factor: wrist-worn device"),
            BitMeaning(2, 8, "Passcode capable"),
            BitMeaning(2, 7, "Signature panel"),
            BitMeaning(2, 6, "Hologram"),
            BitMeaning(2, 5, "CVV2"),
            BitMeaning(2, 4, "Two-way messaging"),
            BitMeaning(2, 3, "Cloud based payment credentials"),
            BitMeaning(2, 2, "Biometric cardholder verification capable"),
            BitMeaning(
                4,
                mask: 0x0F,
                value: 0x00,
                "Payment transaction technology: contactless, ISO 14443"
            ),
        ]
    }
}
#endif
