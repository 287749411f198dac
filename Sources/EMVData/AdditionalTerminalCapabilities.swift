/// Transaction types, keys and displays the terminal has (9F40).
///
/// EMV Book 4, Annex A3.
public struct AdditionalTerminalCapabilities: BitField {
    /// The five bytes, the first most significant.
    public var rawValue: UInt64
    /// Wraps any value.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 5 }

    /// Cash (byte 1, bit 8).
    public var supportsCash: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// Goods (byte 1, bit 7).
    public var supportsGoods: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// Services (byte 1, bit 6).
    public var supportsServices: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Cashback (byte 1, bit 5).
    public var supportsCashback: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// Inquiry (byte 1, bit 4).
    public var supportsInquiry: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// Transfer (byte 1, bit 3).
    public var supportsTransfer: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// Payment (byte 1, bit 2).
    public var supportsPayment: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// Administrative (byte 1, bit 1).
    public var supportsAdministrative: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// Cash deposit (byte 2, bit 8).
    public var supportsCashDeposit: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// Numeric keys (byte 3, bit 8).
    public var hasNumericKeys: Bool {
        get { self[3, 8] }
        set { self[3, 8] = newValue }
    }

    /// Alphabetic and special character keys (byte 3, bit 7).
    public var hasAlphabeticKeys: Bool {
        get { self[3, 7] }
        set { self[3, 7] = newValue }
    }

    /// Command keys (byte 3, bit 6).
    public var hasCommandKeys: Bool {
        get { self[3, 6] }
        set { self[3, 6] = newValue }
    }

    /// Function keys (byte 3, bit 5).
    public var hasFunctionKeys: Bool {
        get { self[3, 5] }
        set { self[3, 5] = newValue }
    }

    /// Print, attendant (byte 4, bit 8).
    public var printsForAttendant: Bool {
        get { self[4, 8] }
        set { self[4, 8] = newValue }
    }

    /// Print, cardholder (byte 4, bit 7).
    public var printsForCardholder: Bool {
        get { self[4, 7] }
        set { self[4, 7] = newValue }
    }

    /// Display, attendant (byte 4, bit 6).
    public var displaysToAttendant: Bool {
        get { self[4, 6] }
        set { self[4, 6] = newValue }
    }

    /// Display, cardholder (byte 4, bit 5).
    public var displaysToCardholder: Bool {
        get { self[4, 5] }
        set { self[4, 5] = newValue }
    }

    /// Code table 10 (byte 4, bit 2).
    public var hasCodeTable10: Bool {
        get { self[4, 2] }
        set { self[4, 2] = newValue }
    }

    /// Code table 9 (byte 4, bit 1).
    public var hasCodeTable9: Bool {
        get { self[4, 1] }
        set { self[4, 1] = newValue }
    }

    /// Code table 8 (byte 5, bit 8).
    public var hasCodeTable8: Bool {
        get { self[5, 8] }
        set { self[5, 8] = newValue }
    }

    /// Code table 7 (byte 5, bit 7).
    public var hasCodeTable7: Bool {
        get { self[5, 7] }
        set { self[5, 7] = newValue }
    }

    /// Code table 6 (byte 5, bit 6).
    public var hasCodeTable6: Bool {
        get { self[5, 6] }
        set { self[5, 6] = newValue }
    }

    /// Code table 5 (byte 5, bit 5).
    public var hasCodeTable5: Bool {
        get { self[5, 5] }
        set { self[5, 5] = newValue }
    }

    /// Code table 4 (byte 5, bit 4).
    public var hasCodeTable4: Bool {
        get { self[5, 4] }
        set { self[5, 4] = newValue }
    }

    /// Code table 3 (byte 5, bit 3).
    public var hasCodeTable3: Bool {
        get { self[5, 3] }
        set { self[5, 3] = newValue }
    }

    /// Code table 2 (byte 5, bit 2).
    public var hasCodeTable2: Bool {
        get { self[5, 2] }
        set { self[5, 2] = newValue }
    }

    /// Code table 1 (byte 5, bit 1).
    public var hasCodeTable1: Bool {
        get { self[5, 1] }
        set { self[5, 1] = newValue }
    }
}

#if !hasFeature(Embedded)
extension AdditionalTerminalCapabilities {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Cash"),
            BitMeaning(1, 7, "Goods"),
            BitMeaning(1, 6, "Services"),
            BitMeaning(1, 5, "Cashback"),
            BitMeaning(1, 4, "Inquiry"),
            BitMeaning(1, 3, "Transfer"),
            BitMeaning(1, 2, "Payment"),
            BitMeaning(1, 1, "Administrative"),
            BitMeaning(2, 8, "Cash deposit"),
            BitMeaning(3, 8, "Numeric keys"),
            BitMeaning(3, 7, "Alphabetic and special character keys"),
            BitMeaning(3, 6, "Command keys"),
            BitMeaning(3, 5, "Function keys"),
            BitMeaning(4, 8, "Print, attendant"),
            BitMeaning(4, 7, "Print, cardholder"),
            BitMeaning(4, 6, "Display, attendant"),
            BitMeaning(4, 5, "Display, cardholder"),
            BitMeaning(4, 2, "Code table 10"),
            BitMeaning(4, 1, "Code table 9"),
            BitMeaning(5, 8, "Code table 8"),
            BitMeaning(5, 7, "Code table 7"),
            BitMeaning(5, 6, "Code table 6"),
            BitMeaning(5, 5, "Code table 5"),
            BitMeaning(5, 4, "Code table 4"),
            BitMeaning(5, 3, "Code table 3"),
            BitMeaning(5, 2, "Code table 2"),
            BitMeaning(5, 1, "Code table 1"),
        ]
    }
}
#endif
