/// What the cardholder's device did or still needs (DF4B).
///
/// EMV Book C-2, A.1.
public struct POSCardholderInteractionInformation: BitField {
    /// The three bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 3 }

    /// On device CVM verification successful (byte 2, bit 5).
    public var onDeviceCVMSuccessful: Bool {
        get { self[2, 5] }
        set { self[2, 5] = newValue }
    }

    /// Context is conflicting (byte 2, bit 4).
    public var contextIsConflicting: Bool {
        get { self[2, 4] }
        set { self[2, 4] = newValue }
    }

    /// Offline change PIN required (byte 2, bit 3).
    public var offlineChangePINRequired: Bool {
        get { self[2, 3] }
        set { self[2, 3] = newValue }
    }

    /// Acknowledgement required (byte 2, bit 2).
    public var acknowledgementRequired: Bool {
        get { self[2, 2] }
        set { self[2, 2] = newValue }
    }

    /// On device CVM required (byte 2, bit 1).
    public var onDeviceCVMRequired: Bool {
        get { self[2, 1] }
        set { self[2, 1] = newValue }
    }

    /// Wallet requires second tap (byte 3, bit 1).
    public var walletRequiresSecondTap: Bool {
        get { self[3, 1] }
        set { self[3, 1] = newValue }
    }
}

extension POSCardholderInteractionInformation {
    /// Whether the cardholder has to tap again: byte 2 bits 2 and 1, byte 3 bits 4 to 1, any set.
    public var needsSecondTap: Bool { rawValue & 0x00_030F != 0 }
}

#if !hasFeature(Embedded)
extension POSCardholderInteractionInformation {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(2, 5, "On device CVM verification successful"),
            BitMeaning(2, 4, "Context is conflicting"),
            BitMeaning(2, 3, "Offline change PIN required"),
            BitMeaning(2, 2, "Acknowledgement required"),
            BitMeaning(2, 1, "On device CVM required"),
            BitMeaning(3, 1, "Wallet requires second tap"),
        ]
    }
}
#endif
