public import BERTLV

// The cryptogram and the issuer's answer to it.
extension Tag {
    /// Authorisation Code (89), EMV Book 3, Annex A.
    public static var authorisationCode: Tag { Tag(rawValue: 0x89) }
    /// Authorisation Response Code (8A), EMV Book 4, Annex A6.
    public static var authorisationResponseCode: Tag { Tag(rawValue: 0x8A) }
    /// Issuer Authentication Data (91), EMV Book 2, 8.2.
    public static var issuerAuthenticationData: Tag { Tag(rawValue: 0x91) }
    /// Issuer Application Data (IAD) (9F10), EMV Book 3, Annex C7.
    public static var issuerApplicationData: Tag { Tag(rawValue: 0x9F10) }
    /// Issuer Script Identifier (9F18), EMV Book 3, 10.10.
    public static var issuerScriptIdentifier: Tag { Tag(rawValue: 0x9F18) }
    /// Application Cryptogram (AC) (9F26), EMV Book 2, 8.1.
    public static var applicationCryptogram: Tag { Tag(rawValue: 0x9F26) }
    /// Cryptogram Information Data (CID) (9F27), EMV Book 3, 6.5.5.4.
    public static var cryptogramInformationData: Tag { Tag(rawValue: 0x9F27) }
    /// Issuer Script Results (9F5B), EMV Book 4, Annex A5.
    public static var issuerScriptResults: Tag { Tag(rawValue: 0x9F5B) }
    /// Issuer Script Command (86), EMV Book 3, 10.10.
    public static var issuerScriptCommand: Tag { Tag(rawValue: 0x86) }
    /// Transaction Certificate (TC) Hash Value (98), EMV Book 3, Annex A.
    public static var transactionCertificateHash: Tag { Tag(rawValue: 0x98) }
}
