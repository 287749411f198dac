public import BERTLV

// Biometric verification.
extension Tag {
    /// Biometric Terminal Capabilities (9F30), EMV Book 4, Annex A.
    public static var biometricTerminalCapabilities: Tag { Tag(rawValue: 0x9F30) }
    /// Card BIT Group Template (9F31), EMV Book 3, Annex A.
    public static var cardBITGroupTemplate: Tag { Tag(rawValue: 0x9F31) }
    /// Facial Try Counter (DF50), EMV Book 3, Annex A.
    public static var facialTryCounter: Tag { Tag(rawValue: 0xDF50) }
    /// Finger Try Counter (DF51), EMV Book 3, Annex A.
    public static var fingerTryCounter: Tag { Tag(rawValue: 0xDF51) }
    /// Iris Try Counter (DF52), EMV Book 3, Annex A.
    public static var irisTryCounter: Tag { Tag(rawValue: 0xDF52) }
    /// Palm Try Counter (DF53), EMV Book 3, Annex A.
    public static var palmTryCounter: Tag { Tag(rawValue: 0xDF53) }
    /// Voice Try Counter (DF54), EMV Book 3, Annex A.
    public static var voiceTryCounter: Tag { Tag(rawValue: 0xDF54) }
}
