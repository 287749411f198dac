public import BERTLV

// Directory entries and selection.
extension Tag {
    /// Issuer Identification Number (IIN) (42), EMV Book 3, Annex A.
    public static var issuerIdentificationNumber: Tag { Tag(rawValue: 0x42) }
    /// Application Dedicated File (ADF) Name (4F), EMV Book 1, 12.2.3.
    public static var applicationIdentifier: Tag { Tag(rawValue: 0x4F) }
    /// Application Label (50), EMV Book 1, 12.2.4.
    public static var applicationLabel: Tag { Tag(rawValue: 0x50) }
    /// Dedicated File (DF) Name (84), EMV Book 1, 11.3.4.
    public static var dedicatedFileName: Tag { Tag(rawValue: 0x84) }
    /// Application Priority Indicator (87), EMV Book 1, 12.2.3.
    public static var applicationPriority: Tag { Tag(rawValue: 0x87) }
    /// Short File Identifier (SFI) (88), EMV Book 1, 12.2.3.
    public static var shortFileIdentifier: Tag { Tag(rawValue: 0x88) }
    /// Issuer Country Code (alpha2 format) (5F55), EMV Book 3, Annex A.
    public static var issuerCountryCodeAlpha2: Tag { Tag(rawValue: 0x5F55) }
    /// Issuer Country Code (alpha3 format) (5F56), EMV Book 3, Annex A.
    public static var issuerCountryCodeAlpha3: Tag { Tag(rawValue: 0x5F56) }
    /// Issuer URL (5F50), EMV Book 3, Annex A.
    public static var issuerURL: Tag { Tag(rawValue: 0x5F50) }
    /// Language Preference (5F2D), EMV Book 1, 11.3.4.
    public static var languagePreference: Tag { Tag(rawValue: 0x5F2D) }
    /// Directory Definition File (DDF) Name (9D), EMV Book 1, 12.2.3.
    public static var directoryDefinitionFileName: Tag { Tag(rawValue: 0x9D) }
    /// Application Identifier (AID) - Terminal (9F06), EMV Book 1, 12.2.1.
    public static var terminalApplicationIdentifier: Tag { Tag(rawValue: 0x9F06) }
    /// Application Selection Registered Proprietary Data (ASRPD) (9F0A), EMV Book 1, 12.5.
    public static var applicationSelectionRegisteredProprietaryData: Tag { Tag(rawValue: 0x9F0A) }
    /// Issuer Code Table Index (9F11), EMV Book 1, 12.2.4.
    public static var issuerCodeTableIndex: Tag { Tag(rawValue: 0x9F11) }
    /// Application Preferred Name (9F12), EMV Book 1, 12.2.4.
    public static var applicationPreferredName: Tag { Tag(rawValue: 0x9F12) }
    /// Extended Selection (9F29), EMV Book B, 3.3.2.
    public static var extendedSelection: Tag { Tag(rawValue: 0x9F29) }
    /// Kernel Identifier (9F2A), EMV Book B, 3.3.2.
    public static var kernelIdentifier: Tag { Tag(rawValue: 0x9F2A) }
    /// Processing Options Data Object List (PDOL) (9F38), EMV Book 3, 10.1.
    public static var processingOptionsList: Tag { Tag(rawValue: 0x9F38) }
    /// Log Entry (9F4D), EMV Book 3, Annex D.
    public static var logEntry: Tag { Tag(rawValue: 0x9F4D) }
    /// Kernel Identifier - Terminal (96), EMV Book B, Table 3-7.
    public static var terminalKernelIdentifier: Tag { Tag(rawValue: 0x96) }
    /// POI Information (8B), EMV Book B, Annex A.
    public static var pointOfInteractionInformation: Tag { Tag(rawValue: 0x8B) }
    /// Terminal Categories Supported List (9F3E), EMV Book B, Annex A.
    public static var terminalCategoriesSupportedList: Tag { Tag(rawValue: 0x9F3E) }
}
