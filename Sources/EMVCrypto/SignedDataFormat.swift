/// The byte after the header of a recovered block, which says what was signed (EMV Book 2, 5.3 to 6.6).
public struct SignedDataFormat: RawRepresentable, Hashable, Sendable {
    /// The format byte.
    public var rawValue: UInt8
    /// Wraps any format, known or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Issuer public key certificate (02): EMV Book 2, Table 6.
    public static var issuerCertificate: Self { Self(rawValue: 0x02) }
    /// Signed Static Application Data (03): EMV Book 2, Table 7.
    public static var staticData: Self { Self(rawValue: 0x03) }
    /// ICC public key certificate (04): EMV Book 2, Table 14.
    public static var iccCertificate: Self { Self(rawValue: 0x04) }
    /// Signed Dynamic Application Data (05): EMV Book 2, Table 17 and Table 22.
    public static var dynamicData: Self { Self(rawValue: 0x05) }
    /// Signed Dynamic Application Data of Visa's fast DDA (95): EMV Book C-3, Annex C.
    public static var fastDynamicData: Self { Self(rawValue: 0x95) }
}
