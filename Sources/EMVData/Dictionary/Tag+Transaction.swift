public import BERTLV

// The transaction as the terminal describes it.
extension Tag {
    /// Amount, Authorised (Binary) (81), EMV Book 3, Annex A.
    public static var amountAuthorisedBinary: Tag { Tag(rawValue: 0x81) }
    /// Amount, Authorised (Numeric) (9F02), EMV Book 3, Annex A.
    public static var amountAuthorised: Tag { Tag(rawValue: 0x9F02) }
    /// Amount, Other (Numeric) (9F03), EMV Book 3, Annex A.
    public static var amountOther: Tag { Tag(rawValue: 0x9F03) }
    /// Amount, Other (Binary) (9F04), EMV Book 3, Annex A.
    public static var amountOtherBinary: Tag { Tag(rawValue: 0x9F04) }
    /// Amount, Reference Currency (9F3A), EMV Book 3, Annex A.
    public static var amountReferenceCurrency: Tag { Tag(rawValue: 0x9F3A) }
    /// Transaction Currency Code (5F2A), EMV Book 3, Annex A.
    public static var transactionCurrencyCode: Tag { Tag(rawValue: 0x5F2A) }
    /// Transaction Currency Exponent (5F36), EMV Book 3, Annex A.
    public static var transactionCurrencyExponent: Tag { Tag(rawValue: 0x5F36) }
    /// Transaction Reference Currency Code (9F3C), EMV Book 3, Annex A.
    public static var transactionReferenceCurrencyCode: Tag { Tag(rawValue: 0x9F3C) }
    /// Transaction Reference Currency Exponent (9F3D), EMV Book 3, Annex A.
    public static var transactionReferenceCurrencyExponent: Tag { Tag(rawValue: 0x9F3D) }
    /// Terminal Verification Results (TVR) (95), EMV Book 3, Annex C5.
    public static var terminalVerificationResults: Tag { Tag(rawValue: 0x95) }
    /// Transaction Personal Identification Number (PIN) Data (99), EMV Book 3, Annex A.
    public static var transactionPINData: Tag { Tag(rawValue: 0x99) }
    /// Transaction Date (9A), EMV Book 3, Annex A.
    public static var transactionDate: Tag { Tag(rawValue: 0x9A) }
    /// Transaction Status Information (TSI) (9B), EMV Book 3, Annex C6.
    public static var transactionStatusInformation: Tag { Tag(rawValue: 0x9B) }
    /// Transaction Type (9C), EMV Book 3, Annex A.
    public static var transactionType: Tag { Tag(rawValue: 0x9C) }
    /// Transaction Time (9F21), EMV Book 3, Annex A.
    public static var transactionTime: Tag { Tag(rawValue: 0x9F21) }
    /// Cardholder Verification Method (CVM) Results (9F34), EMV Book 4, Annex A4.
    public static var cvmResults: Tag { Tag(rawValue: 0x9F34) }
    /// Unpredictable Number (9F37), EMV Book 3, Annex A.
    public static var unpredictableNumber: Tag { Tag(rawValue: 0x9F37) }
    /// Point-of-Service (POS) Entry Mode (9F39), EMV Book 3, Annex A.
    public static var posEntryMode: Tag { Tag(rawValue: 0x9F39) }
    /// Transaction Sequence Counter (9F41), EMV Book 3, Annex A.
    public static var transactionSequenceCounter: Tag { Tag(rawValue: 0x9F41) }
}
