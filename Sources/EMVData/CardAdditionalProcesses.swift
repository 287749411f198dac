/// How the card decides and which verification it wants (9F68 of kernel 3); the reader does not read it.
///
/// EMV Book C-3, Annex A.
public struct CardAdditionalProcesses: BitField {
    /// The four bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 4 }

    /// Low value check supported (byte 1, bit 8).
    public var checksLowValue: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// Low value and cumulative total check supported (byte 1, bit 7).
    public var checksLowValueAndTotal: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// Count qVSDC online transactions (byte 1, bit 6).
    public var countsOnlineTransactions: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Streamlined qVSDC supported (byte 1, bit 5).
    public var supportsStreamlinedQVSDC: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// PIN tries exceeded check supported (byte 1, bit 4).
    public var checksPINTries: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// Offline international transactions allowed (byte 1, bit 3).
    public var allowsInternationalOffline: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// Card prefers contact chip (byte 1, bit 2).
    public var prefersContactChip: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// Return available offline spending amount (byte 1, bit 1).
    public var returnsAvailableSpendingAmount: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// Include country code in the determination (byte 2, bit 8).
    public var includesCountryCode: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// International transactions not allowed (byte 2, bit 7).
    public var disallowsInternational: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }

    /// Disable offline data authentication for online authorisations (byte 2, bit 6).
    public var disablesODAForOnline: Bool {
        get { self[2, 6] }
        set { self[2, 6] = newValue }
    }

    /// Issuer update processing supported (byte 2, bit 5).
    public var supportsIssuerUpdate: Bool {
        get { self[2, 5] }
        set { self[2, 5] = newValue }
    }

    /// Do not count offline transactions (byte 2, bit 4).
    public var excludesOfflineFromCount: Bool {
        get { self[2, 4] }
        set { self[2, 4] = newValue }
    }

    /// Prefer online (byte 2, bit 3).
    public var prefersOnline: Bool {
        get { self[2, 3] }
        set { self[2, 3] = newValue }
    }

    /// Online PIN supported for domestic transactions (byte 3, bit 8).
    public var supportsDomesticOnlinePIN: Bool {
        get { self[3, 8] }
        set { self[3, 8] = newValue }
    }

    /// Online PIN supported for international transactions (byte 3, bit 7).
    public var supportsInternationalOnlinePIN: Bool {
        get { self[3, 7] }
        set { self[3, 7] = newValue }
    }

    /// Contact chip offline PIN supported (byte 3, bit 6).
    public var supportsContactOfflinePIN: Bool {
        get { self[3, 6] }
        set { self[3, 6] = newValue }
    }

    /// Signature supported (byte 3, bit 5).
    public var supportsSignature: Bool {
        get { self[3, 5] }
        set { self[3, 5] = newValue }
    }

    /// CDCVM supported (byte 3, bit 4).
    public var supportsCDCVM: Bool {
        get { self[3, 4] }
        set { self[3, 4] = newValue }
    }
}

#if !hasFeature(Embedded)
extension CardAdditionalProcesses {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Low value check supported"),
            BitMeaning(1, 7, "Low value and cumulative total check supported"),
            BitMeaning(1, 6, "Count qVSDC online transactions"),
            BitMeaning(1, 5, "Streamlined qVSDC supported"),
            BitMeaning(1, 4, "PIN tries exceeded check supported"),
            BitMeaning(1, 3, "Offline international transactions allowed"),
            BitMeaning(1, 2, "Card prefers contact chip"),
            BitMeaning(1, 1, "Return available offline spending amount"),
            BitMeaning(2, 8, "Include country code in the determination"),
            BitMeaning(2, 7, "International transactions not allowed"),
            BitMeaning(2, 6, "Disable offline data authentication for online authorisations"),
            BitMeaning(2, 5, "Issuer update processing supported"),
            BitMeaning(2, 4, "Do not count offline transactions"),
            BitMeaning(2, 3, "Prefer online"),
            BitMeaning(3, 8, "Online PIN supported for domestic transactions"),
            BitMeaning(3, 7, "Online PIN supported for international transactions"),
            BitMeaning(3, 6, "Contact chip offline PIN supported"),
            BitMeaning(3, 5, "Signature supported"),
            BitMeaning(3, 4, "CDCVM supported"),
        ]
    }
}
#endif
