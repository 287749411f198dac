public import BERTLV

// Kernel 5: card and reader objects of JCB contactless (EMV Book C-5).
extension Tag {
    /// Cardholder Verification Status (9F50), EMV Book C-5, Annex A.
    public static var cardholderVerificationStatus: Tag { Tag(rawValue: 0x9F50) }
    /// Terminal Compatibility Indicator (9F52), EMV Book C-5, Annex A.
    public static var terminalCompatibilityIndicator: Tag { Tag(rawValue: 0x9F52) }
    /// Terminal Interchange Profile (9F53), EMV Book C-5, Annex A.
    public static var terminalInterchangeProfile: Tag { Tag(rawValue: 0x9F53) }
    /// Issuer Country Code (9F57), EMV Book C-5, Annex A.
    public static var issuerCountryCodeJCB: Tag { Tag(rawValue: 0x9F57) }
    /// Mag-stripe Data Object List (MDOL) (9F5C), EMV Book C-5, Annex A.
    public static var magStripeDataObjectList: Tag { Tag(rawValue: 0x9F5C) }
    /// Offline Balance (9F5F), EMV Book C-5, Annex A.
    public static var offlineBalance: Tag { Tag(rawValue: 0x9F5F) }
    /// Issuer Update Parameter (9F60), EMV Book C-5, Annex A.
    public static var issuerUpdateParameter: Tag { Tag(rawValue: 0x9F60) }
}
