public import BERTLV

// Kernel 3: card and reader objects of Visa contactless (EMV Book C-3).
extension Tag {
    /// Available Offline Spending Amount (AOSA) (9F5D), EMV Book C-3, Annex A.
    public static var availableOfflineSpendingAmount: Tag { Tag(rawValue: 0x9F5D) }
    /// Terminal Transaction Qualifiers (TTQ) (9F66), EMV Book C-3, Annex A.
    public static var terminalTransactionQualifiers: Tag { Tag(rawValue: 0x9F66) }
    /// Card Additional Processes (CAP) (9F68), EMV Book C-3, Annex A.
    public static var cardAdditionalProcesses: Tag { Tag(rawValue: 0x9F68) }
    /// Card Authentication Related Data (9F69), EMV Book C-3, Annex A.
    public static var cardAuthenticationRelatedData: Tag { Tag(rawValue: 0x9F69) }
    /// Card Transaction Qualifiers (CTQ) (9F6C), EMV Book C-3, Annex A.
    public static var cardTransactionQualifiers: Tag { Tag(rawValue: 0x9F6C) }
    /// Form Factor Indicator (FFI) (9F6E), EMV Book C-3, Annex A.
    public static var formFactorIndicator: Tag { Tag(rawValue: 0x9F6E) }
    /// Customer Exclusive Data (CED) (9F7C), EMV Book C-3, Annex A.
    public static var customerExclusiveData: Tag { Tag(rawValue: 0x9F7C) }
    /// Application Program Identifier (9F5A), EMV Book C-3, Annex A.
    public static var applicationProgramIdentifier: Tag { Tag(rawValue: 0x9F5A) }
}
