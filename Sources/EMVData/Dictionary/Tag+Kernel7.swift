public import BERTLV

// Kernel 7: card objects of UnionPay contactless (EMV Book C-7).
extension Tag {
    /// Application Currency Code of electronic cash (9F51), EMV Book C-7, Annex A.
    public static var electronicCashCurrency: Tag { Tag(rawValue: 0x9F51) }
    /// Cumulative Total Transaction Amount Limit (9F54), EMV Book C-7, Annex A.
    public static var cumulativeTotalTransactionAmountLimit: Tag { Tag(rawValue: 0x9F54) }
    /// Lower Consecutive Offline Limit (9F58), EMV Book C-7, Annex A.
    public static var lowerConsecutiveLimitUnionPay: Tag { Tag(rawValue: 0x9F58) }
    /// Upper Consecutive Offline Limit (9F59), EMV Book C-7, Annex A.
    public static var upperConsecutiveLimitUnionPay: Tag { Tag(rawValue: 0x9F59) }
    /// Product Identification Information (9F63), EMV Book C-7, Annex A.
    public static var productIdentificationInformation: Tag { Tag(rawValue: 0x9F63) }
    /// Electronic Cash Reset Threshold (9F6D), EMV Book C-7, Annex A.
    public static var electronicCashResetThreshold: Tag { Tag(rawValue: 0x9F6D) }
    /// Electronic Cash Issuer Authorisation Code (9F74), EMV Book C-7, Annex A.
    public static var electronicCashAuthorisationCode: Tag { Tag(rawValue: 0x9F74) }
    /// Electronic Cash Balance Limit (9F77), EMV Book C-7, Annex A.
    public static var electronicCashBalanceLimit: Tag { Tag(rawValue: 0x9F77) }
    /// Electronic Cash Single Transaction Limit (9F78), EMV Book C-7, Annex A.
    public static var electronicCashTransactionLimit: Tag { Tag(rawValue: 0x9F78) }
    /// Electronic Cash Balance (9F79), EMV Book C-7, Annex A.
    public static var electronicCashBalance: Tag { Tag(rawValue: 0x9F79) }
    /// Contactless Extended Application Indicator (DF60), EMV Book C-7, Annex A.
    public static var contactlessApplicationIndicator: Tag { Tag(rawValue: 0xDF60) }
    /// Chinese Cryptography Support Indicator (DF69), EMV Book C-7, Annex A.
    public static var chineseCryptographyIndicator: Tag { Tag(rawValue: 0xDF69) }
}
