public import BERTLV

// The terminal, its merchant and its acquirer.
extension Tag {
    /// Acquirer Identifier (9F01), EMV Book 3, Annex A.
    public static var acquirerIdentifier: Tag { Tag(rawValue: 0x9F01) }
    /// Application Version Number - Terminal (9F09), EMV Book 3, 10.4.1.
    public static var terminalApplicationVersionNumber: Tag { Tag(rawValue: 0x9F09) }
    /// Merchant Category Code (9F15), EMV Book 3, Annex A.
    public static var merchantCategoryCode: Tag { Tag(rawValue: 0x9F15) }
    /// Merchant Identifier (9F16), EMV Book 3, Annex A.
    public static var merchantIdentifier: Tag { Tag(rawValue: 0x9F16) }
    /// Terminal Country Code (9F1A), EMV Book 3, Annex A.
    public static var terminalCountryCode: Tag { Tag(rawValue: 0x9F1A) }
    /// Terminal Floor Limit (9F1B), EMV Book 3, 10.6.1.
    public static var terminalFloorLimit: Tag { Tag(rawValue: 0x9F1B) }
    /// Terminal Identification (9F1C), EMV Book 3, Annex A.
    public static var terminalIdentification: Tag { Tag(rawValue: 0x9F1C) }
    /// Terminal Risk Management Data (9F1D), EMV Book 3, Annex A.
    public static var terminalRiskManagementData: Tag { Tag(rawValue: 0x9F1D) }
    /// Interface Device (IFD) Serial Number (9F1E), EMV Book 3, Annex A.
    public static var interfaceDeviceSerialNumber: Tag { Tag(rawValue: 0x9F1E) }
    /// Terminal Capabilities (9F33), EMV Book 4, Annex A2.
    public static var terminalCapabilities: Tag { Tag(rawValue: 0x9F33) }
    /// Terminal Type (9F35), EMV Book 4, Annex A1.
    public static var terminalType: Tag { Tag(rawValue: 0x9F35) }
    /// Additional Terminal Capabilities (9F40), EMV Book 4, Annex A3.
    public static var additionalTerminalCapabilities: Tag { Tag(rawValue: 0x9F40) }
    /// Merchant Name and Location (9F4E), EMV Book 3, Annex A.
    public static var merchantNameAndLocation: Tag { Tag(rawValue: 0x9F4E) }
}
