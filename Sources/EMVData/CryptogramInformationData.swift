/// What kind of cryptogram the card gives (9F27).
///
/// EMV Book 3, Table 15.
public struct CryptogramInformationData: BitField {
    /// The byte.
    public var rawValue: UInt8
    /// Wraps any value.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 1 }

    /// Advice required (byte 1, bit 4).
    public var adviceRequired: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }
}

extension CryptogramInformationData {
    /// Makes the object for a kind of cryptogram.
    public init(_ kind: CryptogramKind) { self.init(rawValue: kind.rawValue) }

    /// The kind of cryptogram (bits 8 and 7).
    public var kind: CryptogramKind { CryptogramKind(rawValue: rawValue & 0xC0) }
}

#if !hasFeature(Embedded)
extension CryptogramInformationData {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, mask: 0xC0, value: 0x00, "AAC, declined"),
            BitMeaning(1, mask: 0xC0, value: 0x40, "TC, approved"),
            BitMeaning(1, mask: 0xC0, value: 0x80, "ARQC, online authorisation requested"),
            BitMeaning(1, 4, "Advice required"),
            BitMeaning(1, mask: 0x07, value: 0x01, "Reason: service not allowed"),
            BitMeaning(1, mask: 0x07, value: 0x02, "Reason: PIN try limit exceeded"),
            BitMeaning(1, mask: 0x07, value: 0x03, "Reason: issuer authentication failed"),
            BitMeaning(1, mask: 0x07, value: 0x04, "Reason: biometric try limit exceeded"),
        ]
    }
}
#endif
