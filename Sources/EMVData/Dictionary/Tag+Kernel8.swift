public import BERTLV

// Kernel 8: card, reader and working objects of the EMVCo kernel (EMV Book C-8).
extension Tag {
    /// Kernel Key Data (9E), EMV Book C-8, A.1.
    public static var kernelKeyData: Tag { Tag(rawValue: 0x9E) }
    /// Kernel Qualifier (9F2B), EMV Book C-8, A.1.
    public static var kernelQualifier: Tag { Tag(rawValue: 0x9F2B) }
    /// Card Qualifier (9F2C), EMV Book C-8, A.1.
    public static var cardQualifier: Tag { Tag(rawValue: 0x9F2C) }
    /// Encrypted Record (DA), EMV Book C-8, A.1.
    public static var encryptedRecord: Tag { Tag(rawValue: 0xDA) }
    /// Cardholder Verification Decision (9F8102), EMV Book C-8, A.1.
    public static var cardholderVerificationDecision: Tag { Tag(rawValue: 0x9F8102) }
    /// Card Key Data (9F8103), EMV Book C-8, A.1.
    public static var cardKeyData: Tag { Tag(rawValue: 0x9F8103) }
    /// Card TVR (9F8104), EMV Book C-8, A.1.
    public static var cardTVR: Tag { Tag(rawValue: 0x9F8104) }
    /// EDA-MAC (9F8105), EMV Book C-8, A.1.
    public static var edaMAC: Tag { Tag(rawValue: 0x9F8105) }
    /// Authenticated Application Data (9F8106), EMV Book C-8, A.1.
    public static var authenticatedApplicationData: Tag { Tag(rawValue: 0x9F8106) }
    /// IAD MAC Offset (9F8107), EMV Book C-8, A.1.
    public static var iadMACOffset: Tag { Tag(rawValue: 0x9F8107) }
    /// Restart Indicator (9F8108), EMV Book C-8, A.1.
    public static var restartIndicator: Tag { Tag(rawValue: 0x9F8108) }
    /// IAD-MAC (9F8109), EMV Book C-8, A.1.
    public static var iadMAC: Tag { Tag(rawValue: 0x9F8109) }
    /// Extended SDA Tag List (9F810A), EMV Book C-8, A.1.
    public static var extendedSDATagList: Tag { Tag(rawValue: 0x9F810A) }
    /// ICC ECC Public Key (for ICC RSA Certificate) (9F810B), EMV Book C-8, A.1.
    public static var iccECCPublicKey: Tag { Tag(rawValue: 0x9F810B) }
    /// RR Time Excess (9F810C), EMV Book C-8, A.1.
    public static var relayResistanceTimeExcess: Tag { Tag(rawValue: 0x9F810C) }
    /// Card Capabilities Information (9F810D), EMV Book C-8, A.1.
    public static var cardCapabilitiesInformation: Tag { Tag(rawValue: 0x9F810D) }
    /// Data Envelope 1 (9F8111), EMV Book C-8, A.1.
    public static var dataEnvelope1: Tag { Tag(rawValue: 0x9F8111) }
    /// Data Envelope 2 (9F8112), EMV Book C-8, A.1.
    public static var dataEnvelope2: Tag { Tag(rawValue: 0x9F8112) }
    /// Data Envelope 3 (9F8113), EMV Book C-8, A.1.
    public static var dataEnvelope3: Tag { Tag(rawValue: 0x9F8113) }
    /// Data Envelope 4 (9F8114), EMV Book C-8, A.1.
    public static var dataEnvelope4: Tag { Tag(rawValue: 0x9F8114) }
    /// Data Envelope 5 (9F8115), EMV Book C-8, A.1.
    public static var dataEnvelope5: Tag { Tag(rawValue: 0x9F8115) }
    /// Data Envelope 6 (9F8116), EMV Book C-8, A.1.
    public static var dataEnvelope6: Tag { Tag(rawValue: 0x9F8116) }
    /// Data Envelope 7 (9F8117), EMV Book C-8, A.1.
    public static var dataEnvelope7: Tag { Tag(rawValue: 0x9F8117) }
    /// Data Envelope 8 (9F8118), EMV Book C-8, A.1.
    public static var dataEnvelope8: Tag { Tag(rawValue: 0x9F8118) }
    /// Data Envelope 9 (9F8119), EMV Book C-8, A.1.
    public static var dataEnvelope9: Tag { Tag(rawValue: 0x9F8119) }
    /// Data Envelope 10 (9F811A), EMV Book C-8, A.1.
    public static var dataEnvelope10: Tag { Tag(rawValue: 0x9F811A) }
    /// Data Needed (9F8201), EMV Book C-8, A.1.
    public static var kernel8DataNeeded: Tag { Tag(rawValue: 0x9F8201) }
    /// Proceed To First Write Flag (9F8202), EMV Book C-8, A.1.
    public static var kernel8ProceedToFirstWriteFlag: Tag { Tag(rawValue: 0x9F8202) }
    /// Tags To Read (9F8203), EMV Book C-8, A.1.
    public static var kernel8TagsToRead: Tag { Tag(rawValue: 0x9F8203) }
    /// Error Indication (9F8204), EMV Book C-8, A.1.
    public static var kernel8ErrorIndication: Tag { Tag(rawValue: 0x9F8204) }
    /// User Interface Request Data 1 (9F8205), EMV Book C-8, A.1.
    public static var userInterfaceRequestData1: Tag { Tag(rawValue: 0x9F8205) }
    /// Card Data Input Capability (9F8206), EMV Book C-8, A.1.
    public static var kernel8CardDataInputCapability: Tag { Tag(rawValue: 0x9F8206) }
    /// CVM Capability - CVM Required (9F8207), EMV Book C-8, A.1.
    public static var kernel8CVMCapabilityCVMRequired: Tag { Tag(rawValue: 0x9F8207) }
    /// CVM Capability - No CVM Required (9F8208), EMV Book C-8, A.1.
    public static var kernel8CVMCapabilityNoCVMRequired: Tag { Tag(rawValue: 0x9F8208) }
    /// Kernel Configuration (9F8209), EMV Book C-8, A.1.
    public static var kernel8KernelConfiguration: Tag { Tag(rawValue: 0x9F8209) }
    /// Security Capability (9F820A), EMV Book C-8, A.1.
    public static var kernel8SecurityCapability: Tag { Tag(rawValue: 0x9F820A) }
    /// Terminal Action Code - Denial (9F820B), EMV Book C-8, A.1.
    public static var kernel8TerminalActionCodeDenial: Tag { Tag(rawValue: 0x9F820B) }
    /// Terminal Action Code - Online (9F820C), EMV Book C-8, A.1.
    public static var kernel8TerminalActionCodeOnline: Tag { Tag(rawValue: 0x9F820C) }
    /// Reader Contactless Floor Limit (9F820D), EMV Book C-8, A.1.
    public static var kernel8ReaderContactlessFloorLimit: Tag { Tag(rawValue: 0x9F820D) }
    /// Reader CVM Required Limit (9F820E), EMV Book C-8, A.1.
    public static var kernel8ReaderCVMRequiredLimit: Tag { Tag(rawValue: 0x9F820E) }
    /// Time Out Value (9F820F), EMV Book C-8, A.1.
    public static var kernel8TimeOutValue: Tag { Tag(rawValue: 0x9F820F) }
    /// Outcome Parameter Set (9F8210), EMV Book C-8, A.1.
    public static var kernel8OutcomeParameterSet: Tag { Tag(rawValue: 0x9F8210) }
    /// Message Hold Time (9F8211), EMV Book C-8, A.1.
    public static var kernel8MessageHoldTime: Tag { Tag(rawValue: 0x9F8211) }
    /// Hold Time Value (9F8212), EMV Book C-8, A.1.
    public static var kernel8HoldTimeValue: Tag { Tag(rawValue: 0x9F8212) }
    /// Minimum Relay Resistance Grace Period (9F8213), EMV Book C-8, A.1.
    public static var kernel8MinimumRelayResistanceGracePeriod: Tag { Tag(rawValue: 0x9F8213) }
    /// Maximum Relay Resistance Grace Period (9F8214), EMV Book C-8, A.1.
    public static var kernel8MaximumRelayResistanceGracePeriod: Tag { Tag(rawValue: 0x9F8214) }
    /// Terminal Expected Transmission Time For Relay Resistance C-APDU (9F8215), EMV Book C-8, A.1.
    public static var kernel8TerminalExpectedTransmissionTimeForCommand: Tag {
        Tag(rawValue: 0x9F8215)
    }
    /// Terminal Expected Transmission Time For Relay Resistance R-APDU (9F8216), EMV Book C-8, A.1.
    public static var kernel8TerminalExpectedTransmissionTimeForResponse: Tag {
        Tag(rawValue: 0x9F8216)
    }
    /// Relay Resistance Accuracy Threshold (9F8217), EMV Book C-8, A.1.
    public static var kernel8RelayResistanceAccuracyThreshold: Tag { Tag(rawValue: 0x9F8217) }
    /// Relay Resistance Transmission Time Mismatch Threshold (9F8218), EMV Book C-8, A.1.
    public static var kernel8RelayResistanceTransmissionTimeMismatchThreshold: Tag {
        Tag(rawValue: 0x9F8218)
    }
    /// User Interface Request Data 2 (9F8219), EMV Book C-8, A.1.
    public static var userInterfaceRequestData2: Tag { Tag(rawValue: 0x9F8219) }
    /// Reserved TVR Mask (9F821A), EMV Book C-8, A.1.
    public static var reservedTVRMask: Tag { Tag(rawValue: 0x9F821A) }
    /// Write Data Status (9F821B), EMV Book C-8, A.1.
    public static var writeDataStatus: Tag { Tag(rawValue: 0x9F821B) }
    /// Read Data Status (9F821C), EMV Book C-8, A.1.
    public static var readDataStatus: Tag { Tag(rawValue: 0x9F821C) }
    /// Message Identifiers On Restart (9F821D), EMV Book C-8, A.1.
    public static var messageIdentifiersOnRestart: Tag { Tag(rawValue: 0x9F821D) }
    /// Default IAD MAC Offset (9F821E), EMV Book C-8, A.1.
    public static var defaultIADMACOffset: Tag { Tag(rawValue: 0x9F821E) }
    /// Discretionary Data Tag List (9F821F), EMV Book C-8, A.1.
    public static var discretionaryDataTagList: Tag { Tag(rawValue: 0x9F821F) }
    /// Default CDOL1 (9F8220), EMV Book C-8, A.1.
    public static var defaultCDOL1: Tag { Tag(rawValue: 0x9F8220) }
    /// Tag Mapping List (9F8221), EMV Book C-8, A.1.
    public static var tagMappingList: Tag { Tag(rawValue: 0x9F8221) }
    /// Data To Send (BF8101), EMV Book C-8, A.1.
    public static var kernel8DataToSend: Tag { Tag(rawValue: 0xBF8101) }
    /// Data Record (BF8102), EMV Book C-8, A.1.
    public static var kernel8DataRecord: Tag { Tag(rawValue: 0xBF8102) }
    /// Discretionary Data (BF8103), EMV Book C-8, A.1.
    public static var kernel8DiscretionaryData: Tag { Tag(rawValue: 0xBF8103) }
    /// Data Envelopes To Write (BF8104), EMV Book C-8, A.1.
    public static var dataEnvelopesToWrite: Tag { Tag(rawValue: 0xBF8104) }
}
