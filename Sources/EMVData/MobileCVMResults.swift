/// What became of the verification on a device with an American Express application (9F71 of kernel 4).
///
/// Method, condition, result; the values are those public decoders know.
public struct MobileCVMResults: BitField {
    /// The three bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 3 }
}

#if !hasFeature(Embedded)
extension MobileCVMResults {
    /// What the values mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, mask: 0xFF, value: 0x01, "Mobile CVM performed"),
            BitMeaning(1, mask: 0xFF, value: 0x3F, "No CVM performed"),
            BitMeaning(2, mask: 0xFF, value: 0x00, "Mobile CVM not required"),
            BitMeaning(2, mask: 0xFF, value: 0x03, "Terminal required the CVM"),
            BitMeaning(3, mask: 0xFF, value: 0x00, "Result unknown"),
            BitMeaning(3, mask: 0xFF, value: 0x01, "Mobile CVM failed"),
            BitMeaning(3, mask: 0xFF, value: 0x02, "Mobile CVM successful"),
            BitMeaning(3, mask: 0xFF, value: 0x03, "Mobile CVM blocked"),
        ]
    }
}
#endif
