public import BERTLV

// Biometric verification.
extension Tag {
    /// Biometric Information Template (BIT) (7F60), EMV Book 3, Annex A.
    public static var biometricInformationTemplate: Tag { Tag(rawValue: 0x7F60) }
    /// Biometric Terminal Capabilities (9F30), EMV Book 3, Annex A.
    public static var biometricTerminalCapabilities: Tag { Tag(rawValue: 0x9F30) }
    /// Card BIT Group Template (9F31), EMV Book 3, Annex A.
    public static var cardBITGroupTemplate: Tag { Tag(rawValue: 0x9F31) }
    /// Biometric Header Template (BHT) (A1), EMV Book 3, Annex A.
    public static var biometricHeaderTemplate: Tag { Tag(rawValue: 0xA1) }
    /// Offline BIT Group Template (BF4A), EMV Book 3, Annex A.
    public static var offlineBITGroupTemplate: Tag { Tag(rawValue: 0xBF4A) }
    /// Online BIT Group Template (BF4B), EMV Book 3, Annex A.
    public static var onlineBITGroupTemplate: Tag { Tag(rawValue: 0xBF4B) }
    /// Biometric Try Counters Template (BF4C), EMV Book 3, Annex A.
    public static var biometricTryCountersTemplate: Tag { Tag(rawValue: 0xBF4C) }
    /// Preferred Attempts Template (BF4D), EMV Book 3, Annex A.
    public static var preferredAttemptsTemplate: Tag { Tag(rawValue: 0xBF4D) }
    /// Biometric Verification Data Template (BF4E), EMV Book 3, Annex A.
    public static var biometricVerificationDataTemplate: Tag { Tag(rawValue: 0xBF4E) }
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
