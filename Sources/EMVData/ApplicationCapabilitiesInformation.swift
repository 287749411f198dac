/// What a Mastercard application adds to the basic transaction (9F5D of kernel 2).
///
/// EMV Book C-2, A.1.
public struct ApplicationCapabilitiesInformation: BitField {
    /// The three bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 3 }

    /// Support for field off detection (byte 2, bit 3).
    public var supportsFieldOffDetection: Bool {
        get { self[2, 3] }
        set { self[2, 3] = newValue }
    }

    /// Support for balance reading (byte 2, bit 2).
    public var supportsBalanceReading: Bool {
        get { self[2, 2] }
        set { self[2, 2] = newValue }
    }

    /// CDA supported over TC, ARQC and AAC (byte 2, bit 1).
    public var supportsCDAForAllCryptograms: Bool {
        get { self[2, 1] }
        set { self[2, 1] = newValue }
    }
}

extension ApplicationCapabilitiesInformation {
    /// The version of this object's layout (byte 1, bits 8 to 5).
    public var version: UInt8 { self[byte: 1] >> 4 }
    /// The version of integrated data storage, 0 for none (byte 1, bits 4 to 1).
    public var dataStorageVersion: UInt8 { self[byte: 1] & 0x0F }
    /// The sizes of standalone data storage, 0 for none (byte 3).
    public var standaloneDataStorageScheme: UInt8 { self[byte: 3] }
}

#if !hasFeature(Embedded)
extension ApplicationCapabilitiesInformation {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, mask: 0x0F, value: 0x00, "Data storage not supported"),
            BitMeaning(1, mask: 0x0F, value: 0x01, "Data storage version 1"),
            BitMeaning(1, mask: 0x0F, value: 0x02, "Data storage version 2"),
            BitMeaning(2, 3, "Support for field off detection"),
            BitMeaning(2, 2, "Support for balance reading"),
            BitMeaning(2, 1, "CDA supported over TC, ARQC and AAC"),
        ]
    }
}
#endif
