/// What the card asks of the reader for this transaction (9F6C).
///
/// EMV Book C-3, Annex A; kernel 7 uses the same object.
public struct CardTransactionQualifiers: BitField {
    /// The two bytes, the first most significant.
    public var rawValue: UInt16
    /// Wraps any value.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 2 }

    /// Online PIN required (byte 1, bit 8).
    public var requiresOnlinePIN: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// Signature required (byte 1, bit 7).
    public var requiresSignature: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// Go online if offline data authentication fails and the reader is online capable (byte 1, bit 6).
    public var goesOnlineIfODAFails: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Switch interface if offline data authentication fails and the reader supports contact (byte 1, bit 5).
    public var switchesInterfaceIfODAFails: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// Go online if the application has expired (byte 1, bit 4).
    public var goesOnlineIfExpired: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// Switch interface for cash transactions (byte 1, bit 3).
    public var switchesInterfaceForCash: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// Switch interface for cashback transactions (byte 1, bit 2).
    public var switchesInterfaceForCashback: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// Not valid for contactless ATM transactions (byte 1, bit 1).
    public var isNotValidForContactlessATM: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// Consumer device CVM performed (byte 2, bit 8).
    public var consumerDeviceCVMPerformed: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// Card supports issuer update processing at the point of sale (byte 2, bit 7).
    public var supportsIssuerUpdate: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }
}

#if !hasFeature(Embedded)
extension CardTransactionQualifiers {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Online PIN required"),
            BitMeaning(1, 7, "Signature required"),
            BitMeaning(
                1,
                6,
                "Go online if offline data authentication fails and the reader is online capable"
            ),
            BitMeaning(
                1,
                5,
                "Switch interface if offline data authentication fails and the reader supports contact"
            ),
            BitMeaning(1, 4, "Go online if the application has expired"),
            BitMeaning(1, 3, "Switch interface for cash transactions"),
            BitMeaning(1, 2, "Switch interface for cashback transactions"),
            BitMeaning(1, 1, "Not valid for contactless ATM transactions"),
            BitMeaning(2, 8, "Consumer device CVM performed"),
            BitMeaning(2, 7, "Card supports issuer update processing at the point of sale"),
        ]
    }
}
#endif
