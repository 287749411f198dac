public import BERTLV

// Templates of cards and responses.
extension Tag {
    /// Application Template (61), EMV Book 1, 12.2.3.
    public static var applicationTemplate: Tag { Tag(rawValue: 0x61) }
    /// File Control Parameters (FCP) Template (62), ISO 7816-4, 7.4.
    public static var fileControlParameters: Tag { Tag(rawValue: 0x62) }
    /// File Control Information (FCI) Template (6F), EMV Book 1, 11.3.4.
    public static var fileControlInformation: Tag { Tag(rawValue: 0x6F) }
    /// READ RECORD Response Message Template (70), EMV Book 3, 6.5.11.
    public static var recordTemplate: Tag { Tag(rawValue: 0x70) }
    /// Issuer Script Template 1 (71), EMV Book 3, 10.10.
    public static var issuerScriptTemplate1: Tag { Tag(rawValue: 0x71) }
    /// Issuer Script Template 2 (72), EMV Book 3, 10.10.
    public static var issuerScriptTemplate2: Tag { Tag(rawValue: 0x72) }
    /// Directory Discretionary Template (73), EMV Book 1, 12.2.3.
    public static var directoryDiscretionaryTemplate: Tag { Tag(rawValue: 0x73) }
    /// Response Message Template Format 2 (77), EMV Book 3, 6.5.5.4.
    public static var responseTemplate2: Tag { Tag(rawValue: 0x77) }
    /// Response Message Template Format 1 (80), EMV Book 3, 6.5.5.4.
    public static var responseTemplate1: Tag { Tag(rawValue: 0x80) }
    /// Command Template (83), EMV Book 3, 6.5.8.
    public static var commandTemplate: Tag { Tag(rawValue: 0x83) }
    /// File Control Information (FCI) Proprietary Template (A5), EMV Book 1, 11.3.4.
    public static var fileControlInformationProprietary: Tag { Tag(rawValue: 0xA5) }
    /// File Control Information (FCI) Issuer Discretionary Data (BF0C), EMV Book 1, 11.3.4.
    public static var issuerDiscretionaryData: Tag { Tag(rawValue: 0xBF0C) }
}
