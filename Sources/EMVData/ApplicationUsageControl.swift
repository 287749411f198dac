/// Where and for what the issuer allows the application to be used (9F07).
///
/// EMV Book 3, Annex C2.
public struct ApplicationUsageControl: BitField {
    /// The two bytes, the first most significant.
    public var rawValue: UInt16
    /// Wraps any value.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 2 }

    /// Valid for domestic cash transactions (byte 1, bit 8).
    public var validForDomesticCash: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// Valid for international cash transactions (byte 1, bit 7).
    public var validForInternationalCash: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// Valid for domestic goods (byte 1, bit 6).
    public var validForDomesticGoods: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Valid for international goods (byte 1, bit 5).
    public var validForInternationalGoods: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// Valid for domestic services (byte 1, bit 4).
    public var validForDomesticServices: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// Valid for international services (byte 1, bit 3).
    public var validForInternationalServices: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// Valid at ATMs (byte 1, bit 2).
    public var validAtATMs: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// Valid at terminals other than ATMs (byte 1, bit 1).
    public var validAtTerminalsOtherThanATMs: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// Domestic cashback allowed (byte 2, bit 8).
    public var allowsDomesticCashback: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// International cashback allowed (byte 2, bit 7).
    public var allowsInternationalCashback: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }
}

#if !hasFeature(Embedded)
extension ApplicationUsageControl {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Valid for domestic cash transactions"),
            BitMeaning(1, 7, "Valid for international cash transactions"),
            BitMeaning(1, 6, "Valid for domestic goods"),
            BitMeaning(1, 5, "Valid for international goods"),
            BitMeaning(1, 4, "Valid for domestic services"),
            BitMeaning(1, 3, "Valid for international services"),
            BitMeaning(1, 2, "Valid at ATMs"),
            BitMeaning(1, 1, "Valid at terminals other than ATMs"),
            BitMeaning(2, 8, "Domestic cashback allowed"),
            BitMeaning(2, 7, "International cashback allowed"),
        ]
    }
}
#endif
