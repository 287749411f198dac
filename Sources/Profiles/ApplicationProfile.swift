public import EMVCrypto
public import EMVData

/// One application of a card profile.
public struct ApplicationProfile: Hashable, Sendable {
    /// Application identifier (4F, 84), 5 to 16 bytes; it starts with the scheme's RID.
    public var aid: [UInt8]
    /// Application label (50), 1 to 16 characters.
    public var label: String
    /// Application priority (87), 1 the highest to 15.
    public var priority: UInt8
    /// Kernel identifier in the directory entry (9F2A), one or three to eight bytes; nil leaves it to the RID.
    public var kernelIdentifier: [UInt8]?
    /// Language preference (5F2D), one to four two-letter codes; nil for none.
    public var languages: String?

    /// Application PAN (5A).
    public var pan: PrimaryAccountNumber
    /// Application PAN sequence number (5F34) as the card carries it, 0x12 for 12.
    public var panSequenceNumber: UInt8
    /// Application expiration date (5F24).
    public var expirationDate: TransactionDate
    /// Application effective date (5F25); nil for none.
    public var effectiveDate: TransactionDate?
    /// Service code (5F30), three digits, one an element.
    public var serviceCode: [UInt8]
    /// What follows the service code in track 2 (57), digits, one an element.
    public var trackDiscretionaryData: [UInt8]
    /// Cardholder name (5F20), 2 to 26 characters; nil for none.
    public var cardholderName: String?
    /// Issuer country code (5F28), ISO 3166 numeric.
    public var issuerCountry: UInt16
    /// Application currency code (9F42).
    public var currency: Currency

    /// Application Interchange Profile (82).
    public var interchangeProfile: ApplicationInterchangeProfile
    /// Application Usage Control (9F07).
    public var usageControl: ApplicationUsageControl
    /// Processing Options Data Object List (9F38); empty when the application asks for nothing.
    public var processingOptionsList: DataObjectList
    /// Derivation key index in the issuer application data.
    public var derivationKeyIndex: UInt8
    /// When the application wants its user authenticated on the device.
    public var consumerDeviceCVM: ConsumerDeviceCVM
    /// What the application does offline, online or not at all.
    public var risk: CardRisk
    /// What only applications of the scheme have.
    public var details: Details

    /// Further data objects of the record that holds the PAN.
    public var recordObjects: [DataObject]
    /// Data objects GET DATA answers beside the ATC (9F36).
    public var retrievableObjects: [DataObject]

    /// What only applications of one scheme have.
    public enum Details: Hashable, Sendable {
        /// Visa qVSDC.
        case visa(VisaDetails)
        /// Mastercard M/Chip.
        case mastercard(MastercardDetails)
    }

    /// What a Visa application has.
    public struct VisaDetails: Hashable, Sendable {
        /// Cryptogram version number: 10, 17, 18 or 43.
        public var cryptogramVersion: Int
        /// Card Transaction Qualifiers (9F6C) before the transaction's own bits are set.
        public var transactionQualifiers: CardTransactionQualifiers
        /// Whether the cardholder may be verified by online PIN.
        public var acceptsOnlinePIN: Bool
        /// Whether the cardholder may be verified by signature.
        public var acceptsSignature: Bool
        /// Form Factor Indicator (9F6E), four bytes; nil for none.
        public var formFactor: [UInt8]?
    }

    /// What a Mastercard application has.
    public struct MastercardDetails: Hashable, Sendable {
        /// Card Risk Management Data Object List 1 (8C).
        public var riskManagementList: DataObjectList
        /// CVM List (8E).
        public var cvmList: CVMList
        /// Issuer Action Codes (9F0D, 9F0E, 9F0F).
        public var issuerActionCodes: ActionCodes
        /// Application Version Number (9F08).
        public var applicationVersion: UInt16
        /// Application Capabilities Information (9F5D), three bytes; nil for none.
        public var capabilities: [UInt8]?
    }

    /// Whose application it is; decides the kernel.
    public var scheme: Scheme {
        switch details {
        case .visa: .visa
        case .mastercard: .mastercard
        }
    }

    /// How the application makes its cryptogram: what an issuer must do to make keys for it and to check it.
    public var cryptogram: ApplicationCryptogram {
        switch details {
        case .visa(let visa):
            switch visa.cryptogramVersion {
            case 10: .visaCVN10
            case 17: .visaCVN17
            case 43: .visaCVN43
            default: .visaCVN18
            }
        case .mastercard: .mchipCVN14
        }
    }
}

/// When an application wants its user authenticated on the device (CDCVM).
public enum ConsumerDeviceCVM: String, CaseIterable, Hashable, Sendable {
    /// The application knows no CDCVM: a plastic card.
    case none
    /// When the terminal requires a CVM.
    case onRequest
    /// In every transaction, as wallets do that authenticate before they pay.
    case always
}

/// What a card decides by, each transaction for itself: it keeps no counters of offline spending.
public struct CardRisk: Hashable, Sendable {
    /// The highest amount approved offline in the application's currency, in its smallest unit; nil for none.
    public var offlineLimitMinorUnits: UInt64?
    /// The amount above which every transaction is declined, in the smallest unit; nil for none.
    public var declineLimitMinorUnits: UInt64?
    /// Whether a terminal abroad may get an offline approval.
    public var allowsOfflineAbroad: Bool

    /// Collects the limits.
    public init(
        offlineLimitMinorUnits: UInt64?,
        declineLimitMinorUnits: UInt64?,
        allowsOfflineAbroad: Bool
    ) {
        self.offlineLimitMinorUnits = offlineLimitMinorUnits
        self.declineLimitMinorUnits = declineLimitMinorUnits
        self.allowsOfflineAbroad = allowsOfflineAbroad
    }
}
