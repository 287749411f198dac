/// What went wrong or stood out in the checks of kernel 8 (95), whose bits are not all those of other kernels.
///
/// EMV Book C-8, A.1.
public struct Kernel8VerificationResults: BitField {
    /// The five bytes, the first most significant.
    public var rawValue: UInt64
    /// Wraps any value.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 5 }
}

#if !hasFeature(Embedded)
extension Kernel8VerificationResults {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Local authentication was not performed"),
            BitMeaning(1, 3, "Local authentication failed"),
            BitMeaning(2, 8, "Card and terminal have different application versions"),
            BitMeaning(2, 7, "Expired application"),
            BitMeaning(2, 6, "Application not yet effective"),
            BitMeaning(2, 5, "Requested service not allowed for card product"),
            BitMeaning(3, 8, "Cardholder verification was not successful"),
            BitMeaning(3, 3, "Online CVM captured"),
            BitMeaning(4, 8, "Transaction exceeds floor limit"),
            BitMeaning(5, 8, "The results have the format of kernel 8"),
            BitMeaning(5, 7, "Application identifiers do not match"),
            BitMeaning(5, 4, "Relay resistance threshold exceeded"),
            BitMeaning(5, 3, "Relay resistance time limits exceeded"),
            BitMeaning(5, mask: 0x03, value: 0x01, "Relay resistance protocol not performed"),
            BitMeaning(5, mask: 0x03, value: 0x02, "Relay resistance protocol performed"),
        ]
    }
}
#endif
