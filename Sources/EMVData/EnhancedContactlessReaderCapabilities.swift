/// What a reader with kernel 4 can do (9F6E of kernel 4).
///
/// EMV Book C-4, 4.3.4, Table 4-4.
public struct EnhancedContactlessReaderCapabilities: BitField {
    /// The four bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 4 }
}

/// Which modes a reader with kernel 4 has, and whether this transaction needs a CVM (9F6D of kernel 4).
///
/// EMV Book C-4, 4.3.3, Table 4-2; Expresspay 3 calls the modes Expresspay 1.0, 2.0 and Mobile.
public struct ContactlessReaderCapabilities: BitField {
    /// The byte.
    public var rawValue: UInt8
    /// Wraps any value.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 1 }
}

#if !hasFeature(Embedded)
extension EnhancedContactlessReaderCapabilities {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Contact chip supported"),
            BitMeaning(1, 7, "Mag-stripe mode supported"),
            BitMeaning(1, 6, "Full online EMV mode supported (no longer used)"),
            BitMeaning(1, 5, "Partial online EMV mode supported"),
            BitMeaning(1, 4, "Mobile supported"),
            BitMeaning(1, 3, "Try another interface after a decline"),
            BitMeaning(2, 8, "Mobile CVM supported"),
            BitMeaning(2, 7, "Online PIN supported"),
            BitMeaning(2, 6, "Signature supported"),
            BitMeaning(2, 5, "Plaintext offline PIN supported"),
            BitMeaning(3, 8, "Offline-only reader"),
            BitMeaning(3, 7, "CVM required"),
            BitMeaning(4, 8, "Exempt from the checks without CVM"),
            BitMeaning(4, 7, "Delayed authorisation"),
            BitMeaning(4, 6, "Transit terminal"),
            BitMeaning(4, mask: 0x07, value: 0x01, "Kernel version 2.2 to 2.3"),
            BitMeaning(4, mask: 0x07, value: 0x02, "Kernel version 2.4 to 2.6"),
            BitMeaning(4, mask: 0x07, value: 0x03, "Kernel version 2.7 or later"),
        ]
    }
}

extension ContactlessReaderCapabilities {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, mask: 0xC0, value: 0x00, "Deprecated: Expresspay 1.0"),
            BitMeaning(1, mask: 0xC0, value: 0x40, "Mag-stripe mode"),
            BitMeaning(1, mask: 0xC0, value: 0x80, "Deprecated: EMV and mag-stripe mode"),
            BitMeaning(1, mask: 0xC0, value: 0xC0, "EMV and mag-stripe mode, mobile"),
            BitMeaning(1, mask: 0x08, value: 0x00, "CVM not required"),
            BitMeaning(1, 4, "CVM required"),
        ]
    }
}
#endif
