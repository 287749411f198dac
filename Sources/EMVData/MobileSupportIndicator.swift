/// What a reader tells a card about mobile phones (9F7E of kernel 2).
///
/// EMV Book C-2, A.1.
public struct MobileSupportIndicator: BitField {
    /// The byte.
    public var rawValue: UInt8
    /// Wraps any value.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 1 }
}

#if !hasFeature(Embedded)
extension MobileSupportIndicator {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 2, "Verification on the device required"),
            BitMeaning(1, 1, "Mobile supported"),
        ]
    }
}
#endif
