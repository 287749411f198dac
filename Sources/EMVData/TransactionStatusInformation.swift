/// Which functions the terminal has performed (9B).
///
/// EMV Book 3, Annex C6. An object of contact terminals; contactless kernels do not need it.
public struct TransactionStatusInformation: BitField {
    /// The two bytes, the first most significant.
    public var rawValue: UInt16
    /// Wraps any value.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 2 }

    /// Offline data authentication was performed (byte 1, bit 8).
    public var offlineDataAuthenticationPerformed: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// Cardholder verification was performed (byte 1, bit 7).
    public var cardholderVerificationPerformed: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// Card risk management was performed (byte 1, bit 6).
    public var cardRiskManagementPerformed: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Issuer authentication was performed (byte 1, bit 5).
    public var issuerAuthenticationPerformed: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// Terminal risk management was performed (byte 1, bit 4).
    public var terminalRiskManagementPerformed: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// Script processing was performed (byte 1, bit 3).
    public var scriptProcessingPerformed: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }
}

#if !hasFeature(Embedded)
extension TransactionStatusInformation {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Offline data authentication was performed"),
            BitMeaning(1, 7, "Cardholder verification was performed"),
            BitMeaning(1, 6, "Card risk management was performed"),
            BitMeaning(1, 5, "Issuer authentication was performed"),
            BitMeaning(1, 4, "Terminal risk management was performed"),
            BitMeaning(1, 3, "Script processing was performed"),
        ]
    }
}
#endif
