public import BERTLV

// Certificates, keys and signed data.
extension Tag {
    /// Certification Authority Public Key Index (8F), EMV Book 2, 5.
    public static var certificationAuthorityKeyIndex: Tag { Tag(rawValue: 0x8F) }
    /// Issuer Public Key Certificate (90), EMV Book 2, 5.3.
    public static var issuerPublicKeyCertificate: Tag { Tag(rawValue: 0x90) }
    /// Issuer Public Key Remainder (92), EMV Book 2, 5.3.
    public static var issuerPublicKeyRemainder: Tag { Tag(rawValue: 0x92) }
    /// Signed Static Application Data (SSAD) (93), EMV Book 2, 5.4.
    public static var signedStaticApplicationData: Tag { Tag(rawValue: 0x93) }
    /// Certification Authority Public Key Index - Terminal (9F22), EMV Book 2, 11.2.2.
    public static var terminalCertificationAuthorityKeyIndex: Tag { Tag(rawValue: 0x9F22) }
    /// Integrated Circuit Card (ICC) PIN Encipherment Public Key Certificate (9F2D),
    /// EMV Book 2, 7.1.
    public static var iccPINEnciphermentCertificate: Tag { Tag(rawValue: 0x9F2D) }
    /// Integrated Circuit Card (ICC) PIN Encipherment Public Key Exponent (9F2E), EMV Book 2, 7.1.
    public static var iccPINEnciphermentExponent: Tag { Tag(rawValue: 0x9F2E) }
    /// Integrated Circuit Card (ICC) PIN Encipherment Public Key Remainder (9F2F), EMV Book 2, 7.1.
    public static var iccPINEnciphermentRemainder: Tag { Tag(rawValue: 0x9F2F) }
    /// Issuer Public Key Exponent (9F32), EMV Book 2, 5.1.
    public static var issuerPublicKeyExponent: Tag { Tag(rawValue: 0x9F32) }
    /// Data Authentication Code (9F45), EMV Book 2, 5.4.
    public static var dataAuthenticationCode: Tag { Tag(rawValue: 0x9F45) }
    /// Integrated Circuit Card (ICC) Public Key Certificate (9F46), EMV Book 2, 6.4.
    public static var iccPublicKeyCertificate: Tag { Tag(rawValue: 0x9F46) }
    /// Integrated Circuit Card (ICC) Public Key Exponent (9F47), EMV Book 2, 6.1.
    public static var iccPublicKeyExponent: Tag { Tag(rawValue: 0x9F47) }
    /// Integrated Circuit Card (ICC) Public Key Remainder (9F48), EMV Book 2, 6.4.
    public static var iccPublicKeyRemainder: Tag { Tag(rawValue: 0x9F48) }
    /// Signed Dynamic Application Data (SDAD) (9F4B), EMV Book 2, 6.5.
    public static var signedDynamicApplicationData: Tag { Tag(rawValue: 0x9F4B) }
    /// ICC Dynamic Number (9F4C), EMV Book 2, 6.5.
    public static var iccDynamicNumber: Tag { Tag(rawValue: 0x9F4C) }
}
