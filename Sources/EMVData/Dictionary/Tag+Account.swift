public import BERTLV

// The account and its holder.
extension Tag {
    /// Track 1 Data (56), EMV Book C-2, A.1.
    public static var track1Data: Tag { Tag(rawValue: 0x56) }
    /// Track 2 Equivalent Data (57), EMV Book 3, Annex A.
    public static var track2EquivalentData: Tag { Tag(rawValue: 0x57) }
    /// Application Primary Account Number (PAN) (5A), EMV Book 3, Annex A.
    public static var applicationPAN: Tag { Tag(rawValue: 0x5A) }
    /// Cardholder Name (5F20), EMV Book 3, Annex A.
    public static var cardholderName: Tag { Tag(rawValue: 0x5F20) }
    /// Application Expiration Date (5F24), EMV Book 3, Annex A.
    public static var applicationExpirationDate: Tag { Tag(rawValue: 0x5F24) }
    /// Application Effective Date (5F25), EMV Book 3, Annex A.
    public static var applicationEffectiveDate: Tag { Tag(rawValue: 0x5F25) }
    /// Issuer Country Code (5F28), EMV Book 3, Annex A.
    public static var issuerCountryCode: Tag { Tag(rawValue: 0x5F28) }
    /// Service Code (5F30), EMV Book 3, Annex A.
    public static var serviceCode: Tag { Tag(rawValue: 0x5F30) }
    /// Application Primary Account Number (PAN) Sequence Number (5F34), EMV Book 3, Annex A.
    public static var panSequenceNumber: Tag { Tag(rawValue: 0x5F34) }
    /// International Bank Account Number (IBAN) (5F53), EMV Book 3, Annex A.
    public static var internationalBankAccountNumber: Tag { Tag(rawValue: 0x5F53) }
    /// Bank Identifier Code (BIC) (5F54), EMV Book 3, Annex A.
    public static var bankIdentifierCode: Tag { Tag(rawValue: 0x5F54) }
    /// Account Type (5F57), EMV Book 3, Annex A.
    public static var accountType: Tag { Tag(rawValue: 0x5F57) }
    /// Cardholder Name Extended (9F0B), EMV Book 3, Annex A.
    public static var cardholderNameExtended: Tag { Tag(rawValue: 0x9F0B) }
    /// Issuer Identification Number Extended (IINE) (9F0C), EMV Book 3, Annex A.
    public static var issuerIdentificationNumberExtended: Tag { Tag(rawValue: 0x9F0C) }
    /// Track 1 Discretionary Data (9F1F), EMV Book 3, Annex A.
    public static var track1DiscretionaryData: Tag { Tag(rawValue: 0x9F1F) }
    /// Track 2 Discretionary Data (9F20), EMV Book 3, Annex A.
    public static var track2DiscretionaryData: Tag { Tag(rawValue: 0x9F20) }
    /// Payment Account Reference (PAR) (9F24), EMV Book 3, Annex A.
    public static var paymentAccountReference: Tag { Tag(rawValue: 0x9F24) }
    /// Last 4 Digits of PAN (9F25), EMV Book 3, Annex A.
    public static var lastFourDigitsOfPAN: Tag { Tag(rawValue: 0x9F25) }
    /// Token Requestor ID (9F19), EMV Book 3, Annex A.
    public static var tokenRequestorID: Tag { Tag(rawValue: 0x9F19) }
}
