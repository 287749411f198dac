public import BERTLV

/// One application of a card profile.
public struct ApplicationProfile: Hashable, Sendable {
    /// Whose application it is; decides the kernel and how cryptograms are made.
    public var scheme: Scheme
    /// Application identifier (4F, 84), 5 to 16 bytes.
    public var aid: [UInt8]
    /// Application label (50), 1 to 16 characters.
    public var label: String
    /// Application priority (87), 1 the highest to 15.
    public var priority: UInt8
    /// Kernel identifier in the directory entry (9F2A), one or three to eight bytes; nil leaves it to the RID.
    public var kernelIdentifier: [UInt8]?
    /// Language preference (5F2D), one to four two-letter codes; nil for none.
    public var languages: String?

    /// Application PAN (5A), 12 to 19 digits, one an element.
    public var pan: [UInt8]
    /// Application PAN sequence number (5F34), 0 to 99.
    public var panSequenceNumber: UInt8
    /// Application expiration date (5F24), YYMMDD in three bytes.
    public var expirationDate: [UInt8]
    /// Application effective date (5F25), YYMMDD in three bytes; nil for none.
    public var effectiveDate: [UInt8]?
    /// Service code (5F30), three digits, one an element.
    public var serviceCode: [UInt8]
    /// What follows the service code in track 2 (57), digits, one an element.
    public var trackDiscretionaryData: [UInt8]
    /// Cardholder name (5F20), 2 to 26 characters; nil for none.
    public var cardholderName: String?
    /// Issuer country code (5F28), ISO 3166 numeric.
    public var issuerCountry: UInt16
    /// Application currency code (9F42), ISO 4217 numeric.
    public var currency: UInt16

    /// Application Interchange Profile (82).
    public var interchangeProfile: UInt16
    /// Application Usage Control (9F07).
    public var usageControl: UInt16
    /// Processing Options Data Object List (9F38); empty when the application asks for nothing.
    public var processingOptionsList: [UInt8]
    /// Cryptogram version number in the issuer application data: 0A, 11 or 12 for Visa, 14 for Mastercard.
    public var cryptogramVersion: UInt8
    /// Derivation key index in the issuer application data.
    public var derivationKeyIndex: UInt8
    /// When the application wants its user authenticated on the device.
    public var consumerDeviceCVM: ConsumerDeviceCVM
    /// What the application does offline, online or not at all.
    public var risk: CardRisk

    /// Card Transaction Qualifiers (9F6C) before the transaction's own bits are set; Visa.
    public var transactionQualifiers: UInt16
    /// Cardholder verification methods the application accepts from the reader; Visa.
    public var readerCVMs: ReaderCVMs
    /// Form Factor Indicator (9F6E), four bytes; nil for none; Visa.
    public var formFactor: [UInt8]?

    /// Card Risk Management Data Object List 1 (8C); Mastercard.
    public var riskManagementList: [UInt8]
    /// CVM List (8E); empty for none; Mastercard.
    public var cvmList: [UInt8]
    /// Issuer Action Codes (9F0D, 9F0E, 9F0F); Mastercard.
    public var issuerActionCodes: ActionCodes
    /// Application Version Number (9F08); Mastercard.
    public var applicationVersion: UInt16
    /// Application Capabilities Information (9F5D), three bytes; nil for none; Mastercard.
    public var capabilities: [UInt8]?

    /// Further data objects of the record that holds the PAN: tag and value.
    public var recordObjects: [DataObject]
    /// Data objects GET DATA answers beside the ATC (9F36): tag and value.
    public var retrievableObjects: [DataObject]
}

/// A tag and its value, as profiles and configurations write them: `"9F33": "E0F8C8"`.
public struct DataObject: Hashable, Sendable {
    /// The tag.
    public var tag: Tag
    /// The value.
    public var value: [UInt8]
    /// Joins tag and value.
    public init(_ tag: Tag, _ value: [UInt8]) {
        self.tag = tag
        self.value = value
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

/// Cardholder verification methods a Visa application accepts from the reader, in this order.
public struct ReaderCVMs: Hashable, Sendable {
    /// Online PIN.
    public var onlinePIN: Bool
    /// Signature.
    public var signature: Bool
    /// Chooses the methods.
    public init(onlinePIN: Bool, signature: Bool) {
        self.onlinePIN = onlinePIN
        self.signature = signature
    }
}

/// Three masks over the Terminal Verification Results, five bytes each: issuer's (IAC) or terminal's (TAC).
public struct ActionCodes: Hashable, Sendable {
    /// Declines offline.
    public var denial: [UInt8]
    /// Goes online.
    public var online: [UInt8]
    /// Declines when online is impossible.
    public var `default`: [UInt8]
    /// Collects the masks.
    public init(denial: [UInt8], online: [UInt8], default: [UInt8]) {
        self.denial = denial
        self.online = online
        self.default = `default`
    }
}
