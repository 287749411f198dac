public import BERTLV

// Kernel 2: card, reader and working objects of Mastercard contactless (EMV Book C-2).
extension Tag {
    /// Offline Accumulator Balance (9F50), EMV Book C-2, A.1.
    public static var offlineAccumulatorBalance: Tag { Tag(rawValue: 0x9F50) }
    /// DRDOL (9F51), EMV Book C-2, A.1.
    public static var drdol: Tag { Tag(rawValue: 0x9F51) }
    /// Transaction Category Code (9F53), EMV Book C-2, A.1.
    public static var transactionCategoryCode: Tag { Tag(rawValue: 0x9F53) }
    /// DS ODS Card (9F54), EMV Book C-2, A.1.
    public static var dsODSCard: Tag { Tag(rawValue: 0x9F54) }
    /// DSDOL (9F5B), EMV Book C-2, A.1.
    public static var dsdol: Tag { Tag(rawValue: 0x9F5B) }
    /// DS Requested Operator ID (9F5C), EMV Book C-2, A.1.
    public static var dsRequestedOperatorID: Tag { Tag(rawValue: 0x9F5C) }
    /// Application Capabilities Information (9F5D), EMV Book C-2, A.1.
    public static var applicationCapabilitiesInformation: Tag { Tag(rawValue: 0x9F5D) }
    /// DS ID (9F5E), EMV Book C-2, A.1.
    public static var dataStorageIdentifier: Tag { Tag(rawValue: 0x9F5E) }
    /// DS Slot Availability (9F5F), EMV Book C-2, A.1.
    public static var dsSlotAvailability: Tag { Tag(rawValue: 0x9F5F) }
    /// CVC3 (Track1) (9F60), EMV Book C-2, A.1.
    public static var cvc3Track1: Tag { Tag(rawValue: 0x9F60) }
    /// CVC3 (Track2) (9F61), EMV Book C-2, A.1.
    public static var cvc3Track2: Tag { Tag(rawValue: 0x9F61) }
    /// PCVC3 (Track1) (9F62), EMV Book C-2, A.1.
    public static var pcvc3Track1: Tag { Tag(rawValue: 0x9F62) }
    /// PUNATC (Track1) (9F63), EMV Book C-2, A.1.
    public static var punatcTrack1: Tag { Tag(rawValue: 0x9F63) }
    /// NATC (Track1) (9F64), EMV Book C-2, A.1.
    public static var natcTrack1: Tag { Tag(rawValue: 0x9F64) }
    /// PCVC3 (Track2) (9F65), EMV Book C-2, A.1.
    public static var pcvc3Track2: Tag { Tag(rawValue: 0x9F65) }
    /// PUNATC (Track2) (9F66), EMV Book C-2, A.1.
    public static var punatcTrack2: Tag { Tag(rawValue: 0x9F66) }
    /// NATC (Track2) (9F67), EMV Book C-2, A.1.
    public static var natcTrack2: Tag { Tag(rawValue: 0x9F67) }
    /// Mag-stripe CVM List (9F68), EMV Book C-2, A.1.
    public static var magStripeCVMList: Tag { Tag(rawValue: 0x9F68) }
    /// UDOL (9F69), EMV Book C-2, A.1.
    public static var udol: Tag { Tag(rawValue: 0x9F69) }
    /// Unpredictable Number (Numeric) (9F6A), EMV Book C-2, A.1.
    public static var unpredictableNumberNumeric: Tag { Tag(rawValue: 0x9F6A) }
    /// Track 2 Data (9F6B), EMV Book C-2, A.1.
    public static var track2Data: Tag { Tag(rawValue: 0x9F6B) }
    /// Mag-stripe Application Version Number (Reader) (9F6D), EMV Book C-2, A.1.
    public static var magStripeApplicationVersionNumber: Tag { Tag(rawValue: 0x9F6D) }
    /// Third Party Data (9F6E), EMV Book C-2, A.1.
    public static var thirdPartyData: Tag { Tag(rawValue: 0x9F6E) }
    /// DS Slot Management Control (9F6F), EMV Book C-2, A.1.
    public static var dsSlotManagementControl: Tag { Tag(rawValue: 0x9F6F) }
    /// Protected Data Envelope 1 (9F70), EMV Book C-2, A.1.
    public static var protectedDataEnvelope1: Tag { Tag(rawValue: 0x9F70) }
    /// Protected Data Envelope 2 (9F71), EMV Book C-2, A.1.
    public static var protectedDataEnvelope2: Tag { Tag(rawValue: 0x9F71) }
    /// Protected Data Envelope 3 (9F72), EMV Book C-2, A.1.
    public static var protectedDataEnvelope3: Tag { Tag(rawValue: 0x9F72) }
    /// Protected Data Envelope 4 (9F73), EMV Book C-2, A.1.
    public static var protectedDataEnvelope4: Tag { Tag(rawValue: 0x9F73) }
    /// Protected Data Envelope 5 (9F74), EMV Book C-2, A.1.
    public static var protectedDataEnvelope5: Tag { Tag(rawValue: 0x9F74) }
    /// Unprotected Data Envelope 1 (9F75), EMV Book C-2, A.1.
    public static var unprotectedDataEnvelope1: Tag { Tag(rawValue: 0x9F75) }
    /// Unprotected Data Envelope 2 (9F76), EMV Book C-2, A.1.
    public static var unprotectedDataEnvelope2: Tag { Tag(rawValue: 0x9F76) }
    /// Unprotected Data Envelope 3 (9F77), EMV Book C-2, A.1.
    public static var unprotectedDataEnvelope3: Tag { Tag(rawValue: 0x9F77) }
    /// Unprotected Data Envelope 4 (9F78), EMV Book C-2, A.1.
    public static var unprotectedDataEnvelope4: Tag { Tag(rawValue: 0x9F78) }
    /// Unprotected Data Envelope 5 (9F79), EMV Book C-2, A.1.
    public static var unprotectedDataEnvelope5: Tag { Tag(rawValue: 0x9F79) }
    /// Merchant Custom Data (9F7C), EMV Book C-2, A.1.
    public static var merchantCustomData: Tag { Tag(rawValue: 0x9F7C) }
    /// DS Summary 1 (9F7D), EMV Book C-2, A.1.
    public static var dsSummary1: Tag { Tag(rawValue: 0x9F7D) }
    /// Mobile Support Indicator (9F7E), EMV Book C-2, A.1.
    public static var mobileSupportIndicator: Tag { Tag(rawValue: 0x9F7E) }
    /// DS Unpredictable Number (9F7F), EMV Book C-2, A.1.
    public static var dsUnpredictableNumber: Tag { Tag(rawValue: 0x9F7F) }
    /// POS Cardholder Interaction Information (DF4B), EMV Book C-2, A.1.
    public static var posCardholderInteractionInformation: Tag { Tag(rawValue: 0xDF4B) }
    /// DS Input (Card) (DF60), EMV Book C-2, A.1.
    public static var dsInputCard: Tag { Tag(rawValue: 0xDF60) }
    /// DS Digest H (DF61), EMV Book C-2, A.1.
    public static var dsDigestH: Tag { Tag(rawValue: 0xDF61) }
    /// DS ODS Info (DF62), EMV Book C-2, A.1.
    public static var dsODSInfo: Tag { Tag(rawValue: 0xDF62) }
    /// DS ODS Term (DF63), EMV Book C-2, A.1.
    public static var dsODSTerm: Tag { Tag(rawValue: 0xDF63) }
    /// DS Summary 2 (DF8101), EMV Book C-2, A.1.
    public static var dsSummary2: Tag { Tag(rawValue: 0xDF8101) }
    /// DS Summary 3 (DF8102), EMV Book C-2, A.1.
    public static var dsSummary3: Tag { Tag(rawValue: 0xDF8102) }
    /// Balance Read Before Gen AC (DF8104), EMV Book C-2, A.1.
    public static var balanceReadBeforeGenerateAC: Tag { Tag(rawValue: 0xDF8104) }
    /// Balance Read After Gen AC (DF8105), EMV Book C-2, A.1.
    public static var balanceReadAfterGenerateAC: Tag { Tag(rawValue: 0xDF8105) }
    /// Data Needed (DF8106), EMV Book C-2, A.1.
    public static var dataNeeded: Tag { Tag(rawValue: 0xDF8106) }
    /// CDOL1 Related Data (DF8107), EMV Book C-2, A.1.
    public static var cdol1RelatedData: Tag { Tag(rawValue: 0xDF8107) }
    /// DS AC Type (DF8108), EMV Book C-2, A.1.
    public static var dsACType: Tag { Tag(rawValue: 0xDF8108) }
    /// DS Input (Term) (DF8109), EMV Book C-2, A.1.
    public static var dsInputTerm: Tag { Tag(rawValue: 0xDF8109) }
    /// DS ODS Info For Reader (DF810A), EMV Book C-2, A.1.
    public static var dsODSInfoForReader: Tag { Tag(rawValue: 0xDF810A) }
    /// DS Summary Status (DF810B), EMV Book C-2, A.1.
    public static var dsSummaryStatus: Tag { Tag(rawValue: 0xDF810B) }
    /// Kernel ID (DF810C), EMV Book C-2, A.1.
    public static var kernelID: Tag { Tag(rawValue: 0xDF810C) }
    /// DSVN Term (DF810D), EMV Book C-2, A.1.
    public static var dsvnTerm: Tag { Tag(rawValue: 0xDF810D) }
    /// Post-Gen AC Put Data Status (DF810E), EMV Book C-2, A.1.
    public static var postGenerateACPutDataStatus: Tag { Tag(rawValue: 0xDF810E) }
    /// Pre-Gen AC Put Data Status (DF810F), EMV Book C-2, A.1.
    public static var preGenerateACPutDataStatus: Tag { Tag(rawValue: 0xDF810F) }
    /// Proceed To First Write Flag (DF8110), EMV Book C-2, A.1.
    public static var proceedToFirstWriteFlag: Tag { Tag(rawValue: 0xDF8110) }
    /// PDOL Related Data (DF8111), EMV Book C-2, A.1.
    public static var pdolRelatedData: Tag { Tag(rawValue: 0xDF8111) }
    /// Tags To Read (DF8112), EMV Book C-2, A.1.
    public static var tagsToRead: Tag { Tag(rawValue: 0xDF8112) }
    /// DRDOL Related Data (DF8113), EMV Book C-2, A.1.
    public static var drdolRelatedData: Tag { Tag(rawValue: 0xDF8113) }
    /// Reference Control Parameter (DF8114), EMV Book C-2, A.1.
    public static var referenceControlParameter: Tag { Tag(rawValue: 0xDF8114) }
    /// Error Indication (DF8115), EMV Book C-2, A.1.
    public static var errorIndication: Tag { Tag(rawValue: 0xDF8115) }
    /// User Interface Request Data (DF8116), EMV Book C-2, A.1.
    public static var userInterfaceRequestData: Tag { Tag(rawValue: 0xDF8116) }
    /// Card Data Input Capability (DF8117), EMV Book C-2, A.1.
    public static var cardDataInputCapability: Tag { Tag(rawValue: 0xDF8117) }
    /// CVM Capability - CVM Required (DF8118), EMV Book C-2, A.1.
    public static var cvmCapabilityCVMRequired: Tag { Tag(rawValue: 0xDF8118) }
    /// CVM Capability - No CVM Required (DF8119), EMV Book C-2, A.1.
    public static var cvmCapabilityNoCVMRequired: Tag { Tag(rawValue: 0xDF8119) }
    /// Default UDOL (DF811A), EMV Book C-2, A.1.
    public static var defaultUDOL: Tag { Tag(rawValue: 0xDF811A) }
    /// Kernel Configuration (DF811B), EMV Book C-2, A.1.
    public static var kernelConfiguration: Tag { Tag(rawValue: 0xDF811B) }
    /// Max Lifetime of Torn Transaction Log Record (DF811C), EMV Book C-2, A.1.
    public static var maximumLifetimeOfTornRecord: Tag { Tag(rawValue: 0xDF811C) }
    /// Max Number of Torn Transaction Log Records (DF811D), EMV Book C-2, A.1.
    public static var maximumNumberOfTornRecords: Tag { Tag(rawValue: 0xDF811D) }
    /// Mag-stripe CVM Capability - CVM Required (DF811E), EMV Book C-2, A.1.
    public static var magStripeCVMCapabilityCVMRequired: Tag { Tag(rawValue: 0xDF811E) }
    /// Security Capability (DF811F), EMV Book C-2, A.1.
    public static var securityCapability: Tag { Tag(rawValue: 0xDF811F) }
    /// Terminal Action Code - Default (DF8120), EMV Book C-2, A.1.
    public static var terminalActionCodeDefault: Tag { Tag(rawValue: 0xDF8120) }
    /// Terminal Action Code - Denial (DF8121), EMV Book C-2, A.1.
    public static var terminalActionCodeDenial: Tag { Tag(rawValue: 0xDF8121) }
    /// Terminal Action Code - Online (DF8122), EMV Book C-2, A.1.
    public static var terminalActionCodeOnline: Tag { Tag(rawValue: 0xDF8122) }
    /// Reader Contactless Floor Limit (DF8123), EMV Book C-2, A.1.
    public static var readerContactlessFloorLimit: Tag { Tag(rawValue: 0xDF8123) }
    /// Reader Contactless Transaction Limit (No On-device CVM) (DF8124), EMV Book C-2, A.1.
    public static var readerContactlessTransactionLimitNoOnDeviceCVM: Tag {
        Tag(rawValue: 0xDF8124)
    }
    /// Reader Contactless Transaction Limit (On-device CVM) (DF8125), EMV Book C-2, A.1.
    public static var readerContactlessTransactionLimitOnDeviceCVM: Tag { Tag(rawValue: 0xDF8125) }
    /// Reader CVM Required Limit (DF8126), EMV Book C-2, A.1.
    public static var readerCVMRequiredLimit: Tag { Tag(rawValue: 0xDF8126) }
    /// Time Out Value (DF8127), EMV Book C-2, A.1.
    public static var timeOutValue: Tag { Tag(rawValue: 0xDF8127) }
    /// IDS Status (DF8128), EMV Book C-2, A.1.
    public static var idsStatus: Tag { Tag(rawValue: 0xDF8128) }
    /// Outcome Parameter Set (DF8129), EMV Book C-2, A.1.
    public static var outcomeParameterSet: Tag { Tag(rawValue: 0xDF8129) }
    /// DD Card (Track1) (DF812A), EMV Book C-2, A.1.
    public static var ddCardTrack1: Tag { Tag(rawValue: 0xDF812A) }
    /// DD Card (Track2) (DF812B), EMV Book C-2, A.1.
    public static var ddCardTrack2: Tag { Tag(rawValue: 0xDF812B) }
    /// Mag-stripe CVM Capability - No CVM Required (DF812C), EMV Book C-2, A.1.
    public static var magStripeCVMCapabilityNoCVMRequired: Tag { Tag(rawValue: 0xDF812C) }
    /// Message Hold Time (DF812D), EMV Book C-2, A.1.
    public static var messageHoldTime: Tag { Tag(rawValue: 0xDF812D) }
    /// Hold Time Value (DF8130), EMV Book C-2, A.1.
    public static var holdTimeValue: Tag { Tag(rawValue: 0xDF8130) }
    /// Phone Message Table (DF8131), EMV Book C-2, A.1.
    public static var phoneMessageTable: Tag { Tag(rawValue: 0xDF8131) }
    /// Minimum Relay Resistance Grace Period (DF8132), EMV Book C-2, A.1.
    public static var minimumRelayResistanceGracePeriod: Tag { Tag(rawValue: 0xDF8132) }
    /// Maximum Relay Resistance Grace Period (DF8133), EMV Book C-2, A.1.
    public static var maximumRelayResistanceGracePeriod: Tag { Tag(rawValue: 0xDF8133) }
    /// Terminal Expected Transmission Time For Relay Resistance C-APDU (DF8134), EMV Book C-2, A.1.
    public static var terminalExpectedTransmissionTimeForCommand: Tag { Tag(rawValue: 0xDF8134) }
    /// Terminal Expected Transmission Time For Relay Resistance R-APDU (DF8135), EMV Book C-2, A.1.
    public static var terminalExpectedTransmissionTimeForResponse: Tag { Tag(rawValue: 0xDF8135) }
    /// Relay Resistance Accuracy Threshold (DF8136), EMV Book C-2, A.1.
    public static var relayResistanceAccuracyThreshold: Tag { Tag(rawValue: 0xDF8136) }
    /// Relay Resistance Transmission Time Mismatch Threshold (DF8137), EMV Book C-2, A.1.
    public static var relayResistanceTransmissionTimeMismatchThreshold: Tag {
        Tag(rawValue: 0xDF8137)
    }
    /// Terminal Relay Resistance Entropy (DF8301), EMV Book C-2, A.1.
    public static var terminalRelayResistanceEntropy: Tag { Tag(rawValue: 0xDF8301) }
    /// Device Relay Resistance Entropy (DF8302), EMV Book C-2, A.1.
    public static var deviceRelayResistanceEntropy: Tag { Tag(rawValue: 0xDF8302) }
    /// Min Time For Processing Relay Resistance APDU (DF8303), EMV Book C-2, A.1.
    public static var minimumTimeForRelayResistanceProcessing: Tag { Tag(rawValue: 0xDF8303) }
    /// Max Time For Processing Relay Resistance APDU (DF8304), EMV Book C-2, A.1.
    public static var maximumTimeForRelayResistanceProcessing: Tag { Tag(rawValue: 0xDF8304) }
    /// Device Estimated Transmission Time For Relay Resistance R-APDU (DF8305), EMV Book C-2, A.1.
    public static var deviceEstimatedTransmissionTime: Tag { Tag(rawValue: 0xDF8305) }
    /// Measured Relay Resistance Processing Time (DF8306), EMV Book C-2, A.1.
    public static var measuredRelayResistanceProcessingTime: Tag { Tag(rawValue: 0xDF8306) }
    /// RRP Counter (DF8307), EMV Book C-2, A.1.
    public static var relayResistanceCounter: Tag { Tag(rawValue: 0xDF8307) }
    /// Torn Record (FF8101), EMV Book C-2, A.1.
    public static var tornRecord: Tag { Tag(rawValue: 0xFF8101) }
    /// Tags To Write Before Gen AC (FF8102), EMV Book C-2, A.1.
    public static var tagsToWriteBeforeGenerateAC: Tag { Tag(rawValue: 0xFF8102) }
    /// Tags To Write After Gen AC (FF8103), EMV Book C-2, A.1.
    public static var tagsToWriteAfterGenerateAC: Tag { Tag(rawValue: 0xFF8103) }
    /// Data To Send (FF8104), EMV Book C-2, A.1.
    public static var dataToSend: Tag { Tag(rawValue: 0xFF8104) }
    /// Data Record (FF8105), EMV Book C-2, A.1.
    public static var dataRecord: Tag { Tag(rawValue: 0xFF8105) }
    /// Discretionary Data (FF8106), EMV Book C-2, A.1.
    public static var discretionaryData: Tag { Tag(rawValue: 0xFF8106) }
}
