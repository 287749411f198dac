/// What went wrong or stood out in the terminal's checks (95).
///
/// EMV Book 3, Annex C5; for contactless kernels byte 5 as in EMV Book C-2, A.1.
public struct TerminalVerificationResults: BitField {
    /// The five bytes, the first most significant.
    public var rawValue: UInt64
    /// Wraps any value.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 5 }

    /// Offline data authentication was not performed (byte 1, bit 8).
    public var offlineDataAuthenticationNotPerformed: Bool {
        get { self[1, 8] }
        set { self[1, 8] = newValue }
    }

    /// SDA failed (byte 1, bit 7).
    public var sdaFailed: Bool {
        get { self[1, 7] }
        set { self[1, 7] = newValue }
    }

    /// ICC data missing (byte 1, bit 6).
    public var iccDataMissing: Bool {
        get { self[1, 6] }
        set { self[1, 6] = newValue }
    }

    /// Card appears on the terminal exception file (byte 1, bit 5).
    public var cardOnExceptionFile: Bool {
        get { self[1, 5] }
        set { self[1, 5] = newValue }
    }

    /// DDA failed (byte 1, bit 4).
    public var ddaFailed: Bool {
        get { self[1, 4] }
        set { self[1, 4] = newValue }
    }

    /// CDA failed (byte 1, bit 3).
    public var cdaFailed: Bool {
        get { self[1, 3] }
        set { self[1, 3] = newValue }
    }

    /// SDA selected (byte 1, bit 2).
    public var sdaSelected: Bool {
        get { self[1, 2] }
        set { self[1, 2] = newValue }
    }

    /// XDA selected (byte 1, bit 1).
    public var xdaSelected: Bool {
        get { self[1, 1] }
        set { self[1, 1] = newValue }
    }

    /// ICC and terminal have different application versions (byte 2, bit 8).
    public var applicationVersionsDiffer: Bool {
        get { self[2, 8] }
        set { self[2, 8] = newValue }
    }

    /// Expired application (byte 2, bit 7).
    public var expiredApplication: Bool {
        get { self[2, 7] }
        set { self[2, 7] = newValue }
    }

    /// Application not yet effective (byte 2, bit 6).
    public var applicationNotYetEffective: Bool {
        get { self[2, 6] }
        set { self[2, 6] = newValue }
    }

    /// Requested service not allowed for card product (byte 2, bit 5).
    public var requestedServiceNotAllowed: Bool {
        get { self[2, 5] }
        set { self[2, 5] = newValue }
    }

    /// New card (byte 2, bit 4).
    public var newCard: Bool {
        get { self[2, 4] }
        set { self[2, 4] = newValue }
    }

    /// Biometric performed and successful (byte 2, bit 2).
    public var biometricSuccessful: Bool {
        get { self[2, 2] }
        set { self[2, 2] = newValue }
    }

    /// Biometric template format not supported (byte 2, bit 1).
    public var biometricFormatNotSupported: Bool {
        get { self[2, 1] }
        set { self[2, 1] = newValue }
    }

    /// Cardholder verification was not successful (byte 3, bit 8).
    public var cardholderVerificationFailed: Bool {
        get { self[3, 8] }
        set { self[3, 8] = newValue }
    }

    /// Unrecognised CVM (byte 3, bit 7).
    public var unrecognisedCVM: Bool {
        get { self[3, 7] }
        set { self[3, 7] = newValue }
    }

    /// PIN try limit exceeded (byte 3, bit 6).
    public var pinTryLimitExceeded: Bool {
        get { self[3, 6] }
        set { self[3, 6] = newValue }
    }

    /// PIN entry required, PIN pad absent or not working (byte 3, bit 5).
    public var pinPadNotWorking: Bool {
        get { self[3, 5] }
        set { self[3, 5] = newValue }
    }

    /// PIN entry required, PIN pad present, PIN not entered (byte 3, bit 4).
    public var pinNotEntered: Bool {
        get { self[3, 4] }
        set { self[3, 4] = newValue }
    }

    /// Online CVM captured (byte 3, bit 3).
    public var onlineCVMCaptured: Bool {
        get { self[3, 3] }
        set { self[3, 3] = newValue }
    }

    /// Biometric required, capture device absent or not working (byte 3, bit 2).
    public var biometricCaptureFailed: Bool {
        get { self[3, 2] }
        set { self[3, 2] = newValue }
    }

    /// Biometric required, subtype entry bypassed (byte 3, bit 1).
    public var biometricSubtypeBypassed: Bool {
        get { self[3, 1] }
        set { self[3, 1] = newValue }
    }

    /// Transaction exceeds floor limit (byte 4, bit 8).
    public var floorLimitExceeded: Bool {
        get { self[4, 8] }
        set { self[4, 8] = newValue }
    }

    /// Lower consecutive offline limit exceeded (byte 4, bit 7).
    public var lowerConsecutiveOfflineLimitExceeded: Bool {
        get { self[4, 7] }
        set { self[4, 7] = newValue }
    }

    /// Upper consecutive offline limit exceeded (byte 4, bit 6).
    public var upperConsecutiveOfflineLimitExceeded: Bool {
        get { self[4, 6] }
        set { self[4, 6] = newValue }
    }

    /// Selected randomly for online processing (byte 4, bit 5).
    public var selectedRandomlyForOnline: Bool {
        get { self[4, 5] }
        set { self[4, 5] = newValue }
    }

    /// Merchant forced transaction online (byte 4, bit 4).
    public var merchantForcedOnline: Bool {
        get { self[4, 4] }
        set { self[4, 4] = newValue }
    }

    /// Biometric try limit exceeded (byte 4, bit 3).
    public var biometricTryLimitExceeded: Bool {
        get { self[4, 3] }
        set { self[4, 3] = newValue }
    }

    /// Selected biometric type not supported (byte 4, bit 2).
    public var biometricTypeNotSupported: Bool {
        get { self[4, 2] }
        set { self[4, 2] = newValue }
    }

    /// XDA signature verification failed (byte 4, bit 1).
    public var xdaFailed: Bool {
        get { self[4, 1] }
        set { self[4, 1] = newValue }
    }

    /// Default TDOL used (byte 5, bit 8).
    public var defaultTDOLUsed: Bool {
        get { self[5, 8] }
        set { self[5, 8] = newValue }
    }

    /// Issuer authentication failed (byte 5, bit 7).
    public var issuerAuthenticationFailed: Bool {
        get { self[5, 7] }
        set { self[5, 7] = newValue }
    }

    /// Script processing failed before final GENERATE AC (byte 5, bit 6).
    public var scriptFailedBeforeFinalGenerateAC: Bool {
        get { self[5, 6] }
        set { self[5, 6] = newValue }
    }

    /// Script processing failed after final GENERATE AC (byte 5, bit 5).
    public var scriptFailedAfterFinalGenerateAC: Bool {
        get { self[5, 5] }
        set { self[5, 5] = newValue }
    }

    /// Relay resistance threshold exceeded (byte 5, bit 4).
    public var relayResistanceThresholdExceeded: Bool {
        get { self[5, 4] }
        set { self[5, 4] = newValue }
    }

    /// Relay resistance time limits exceeded (byte 5, bit 3).
    public var relayResistanceTimeLimitsExceeded: Bool {
        get { self[5, 3] }
        set { self[5, 3] = newValue }
    }
}

extension TerminalVerificationResults {
    /// Whether the relay resistance protocol was performed (byte 5, bits 2 and 1), EMV Book C-2, A.1.
    public enum RelayResistance: UInt8, Sendable {
        /// The reader does not support it (00).
        case notSupported = 0b00
        /// The reader supports it and did not perform it (01).
        case notPerformed = 0b01
        /// It was performed (10).
        case performed = 0b10
        /// Reserved (11).
        case reserved = 0b11
    }

    /// Whether the relay resistance protocol was performed.
    public var relayResistance: RelayResistance {
        get {
            switch (self[5, 2], self[5, 1]) {
            case (false, false): .notSupported
            case (false, true): .notPerformed
            case (true, false): .performed
            case (true, true): .reserved
            }
        }
        set {
            self[5, 2] = newValue.rawValue & 0b10 != 0
            self[5, 1] = newValue.rawValue & 0b01 != 0
        }
    }
}

#if !hasFeature(Embedded)
extension TerminalVerificationResults {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Offline data authentication was not performed"),
            BitMeaning(1, 7, "SDA failed"),
            BitMeaning(1, 6, "ICC data missing"),
            BitMeaning(1, 5, "Card appears on the terminal exception file"),
            BitMeaning(1, 4, "DDA failed"),
            BitMeaning(1, 3, "CDA failed"),
            BitMeaning(1, 2, "SDA selected"),
            BitMeaning(1, 1, "XDA selected"),
            BitMeaning(2, 8, "ICC and terminal have different application versions"),
            BitMeaning(2, 7, "Expired application"),
            BitMeaning(2, 6, "Application not yet effective"),
            BitMeaning(2, 5, "Requested service not allowed for card product"),
            BitMeaning(2, 4, "New card"),
            BitMeaning(2, 2, "Biometric performed and successful"),
            BitMeaning(2, 1, "Biometric template format not supported"),
            BitMeaning(3, 8, "Cardholder verification was not successful"),
            BitMeaning(3, 7, "Unrecognised CVM"),
            BitMeaning(3, 6, "PIN try limit exceeded"),
            BitMeaning(3, 5, "PIN entry required, PIN pad absent or not working"),
            BitMeaning(3, 4, "PIN entry required, PIN pad present, PIN not entered"),
            BitMeaning(3, 3, "Online CVM captured"),
            BitMeaning(3, 2, "Biometric required, capture device absent or not working"),
            BitMeaning(3, 1, "Biometric required, subtype entry bypassed"),
            BitMeaning(4, 8, "Transaction exceeds floor limit"),
            BitMeaning(4, 7, "Lower consecutive offline limit exceeded"),
            BitMeaning(4, 6, "Upper consecutive offline limit exceeded"),
            BitMeaning(4, 5, "Selected randomly for online processing"),
            BitMeaning(4, 4, "Merchant forced transaction online"),
            BitMeaning(4, 3, "Biometric try limit exceeded"),
            BitMeaning(4, 2, "Selected biometric type not supported"),
            BitMeaning(4, 1, "XDA signature verification failed"),
            BitMeaning(5, 8, "Default TDOL used"),
            BitMeaning(5, 7, "Issuer authentication failed"),
            BitMeaning(5, 6, "Script processing failed before final GENERATE AC"),
            BitMeaning(5, 5, "Script processing failed after final GENERATE AC"),
            BitMeaning(5, 4, "Relay resistance threshold exceeded"),
            BitMeaning(5, 3, "Relay resistance time limits exceeded"),
            BitMeaning(5, mask: 0x03, value: 0x01, "Relay resistance protocol not performed"),
            BitMeaning(5, mask: 0x03, value: 0x02, "Relay resistance protocol performed"),
        ]
    }
}
#endif
