public import BERTLV

// What the application allows and how it wants to be asked.
extension Tag {
    /// Application Interchange Profile (AIP) (82), EMV Book 3, Annex C1.
    public static var applicationInterchangeProfile: Tag { Tag(rawValue: 0x82) }
    /// Card Risk Management Data Object List 1 (CDOL1) (8C), EMV Book 3, 9.2.1.
    public static var cardRiskManagementList1: Tag { Tag(rawValue: 0x8C) }
    /// Card Risk Management Data Object List 2 (CDOL2) (8D), EMV Book 3, 9.2.1.
    public static var cardRiskManagementList2: Tag { Tag(rawValue: 0x8D) }
    /// Cardholder Verification Method (CVM) List (8E), EMV Book 3, 10.5.
    public static var cvmList: Tag { Tag(rawValue: 0x8E) }
    /// Application File Locator (AFL) (94), EMV Book 3, 10.2.
    public static var applicationFileLocator: Tag { Tag(rawValue: 0x94) }
    /// Transaction Certificate Data Object List (TDOL) (97), EMV Book 3, 9.2.2.
    public static var transactionCertificateList: Tag { Tag(rawValue: 0x97) }
    /// Application Discretionary Data (9F05), EMV Book 3, Annex A.
    public static var applicationDiscretionaryData: Tag { Tag(rawValue: 0x9F05) }
    /// Application Usage Control (AUC) (9F07), EMV Book 3, Annex C2.
    public static var applicationUsageControl: Tag { Tag(rawValue: 0x9F07) }
    /// Application Version Number - Card (9F08), EMV Book 3, 10.4.1.
    public static var applicationVersionNumber: Tag { Tag(rawValue: 0x9F08) }
    /// Issuer Action Code - Default (9F0D), EMV Book 3, 10.7.
    public static var issuerActionCodeDefault: Tag { Tag(rawValue: 0x9F0D) }
    /// Issuer Action Code - Denial (9F0E), EMV Book 3, 10.7.
    public static var issuerActionCodeDenial: Tag { Tag(rawValue: 0x9F0E) }
    /// Issuer Action Code - Online (9F0F), EMV Book 3, 10.7.
    public static var issuerActionCodeOnline: Tag { Tag(rawValue: 0x9F0F) }
    /// Lower Consecutive Offline Limit (9F14), EMV Book 3, 10.6.3.
    public static var lowerConsecutiveOfflineLimit: Tag { Tag(rawValue: 0x9F14) }
    /// Upper Consecutive Offline Limit (9F23), EMV Book 3, 10.6.3.
    public static var upperConsecutiveOfflineLimit: Tag { Tag(rawValue: 0x9F23) }
    /// Application Reference Currency (9F3B), EMV Book 3, Annex A.
    public static var applicationReferenceCurrency: Tag { Tag(rawValue: 0x9F3B) }
    /// Application Currency Code (9F42), EMV Book 3, Annex A.
    public static var applicationCurrencyCode: Tag { Tag(rawValue: 0x9F42) }
    /// Application Reference Currency Exponent (9F43), EMV Book 3, Annex A.
    public static var applicationReferenceCurrencyExponent: Tag { Tag(rawValue: 0x9F43) }
    /// Application Currency Exponent (9F44), EMV Book 3, Annex A.
    public static var applicationCurrencyExponent: Tag { Tag(rawValue: 0x9F44) }
    /// Dynamic Data Authentication Data Object List (DDOL) (9F49), EMV Book 2, 6.5.
    public static var dynamicDataAuthenticationList: Tag { Tag(rawValue: 0x9F49) }
    /// Static Data Authentication Tag List (9F4A), EMV Book 3, 10.3.
    public static var staticDataAuthenticationTagList: Tag { Tag(rawValue: 0x9F4A) }
    /// Log Format (9F4F), EMV Book 3, Annex D.
    public static var logFormat: Tag { Tag(rawValue: 0x9F4F) }
}
