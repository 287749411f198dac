public import BERTLV

/// What a kernel concludes, with every parameter of EMV Book A, 6.2.
public struct Outcome: Hashable, Sendable {
    /// The outcome itself.
    public enum Status: UInt8, Hashable, Sendable {
        /// The payment is approved offline.
        case approved = 0x10
        /// The payment is declined offline.
        case declined = 0x20
        /// The issuer shall decide.
        case onlineRequest = 0x30
        /// The transaction ends here.
        case endApplication = 0x40
        /// Another application of the card shall be tried.
        case selectNext = 0x50
        /// Another interface (contact, stripe) shall be tried.
        case tryAnotherInterface = 0x60
        /// The card shall be presented again.
        case tryAgain = 0x70
    }

    /// Where the entry point starts again (EMV Book B, 3).
    public enum Start: UInt8, Hashable, Sendable {
        /// At pre-processing.
        case a = 0x00
        /// At protocol activation.
        case b = 0x10
        /// At combination selection.
        case c = 0x20
        /// At kernel activation, with the field kept on.
        case d = 0x30
    }

    /// What of an online response the kernel wants back.
    public enum OnlineResponseData: Hashable, Sendable {
        /// EMV data (91, 71, 72) when there are any.
        case emvData
        /// Any response.
        case any
    }

    /// The cardholder verification the reader must still do, or may rely on.
    public enum CVM: UInt8, Hashable, Sendable {
        /// None is needed.
        case noCVM = 0x00
        /// Obtain a signature.
        case obtainSignature = 0x10
        /// Ask for the PIN and send it to the issuer.
        case onlinePIN = 0x20
        /// The cardholder was verified on the device.
        case confirmationCodeVerified = 0x30
    }

    /// The interface to try when this one cannot be used.
    public enum AlternateInterface: UInt8, Hashable, Sendable {
        /// The contact chip.
        case contactChip = 0x10
        /// The magnetic stripe.
        case magneticStripe = 0x20
    }

    /// The outcome itself.
    public var status: Status
    /// Where the entry point starts again, if it does.
    public var start: Start?
    /// What of an online response comes back at that start.
    public var onlineResponseData: OnlineResponseData?
    /// The cardholder verification method; nil where none applies.
    public var cvm: CVM?
    /// The message to show now.
    public var uiRequestOnOutcome: UserInterfaceRequest?
    /// The message to show when the reader is ready again.
    public var uiRequestOnRestart: UserInterfaceRequest?
    /// What goes to the acquirer, in order; nil when there is none.
    public var dataRecord: [TLV]?
    /// What the merchant may want to know, in order; nil when there is none.
    public var discretionaryData: [TLV]?
    /// The interface to try instead.
    public var alternateInterface: AlternateInterface?
    /// Whether a receipt is needed.
    public var isReceiptNeeded: Bool
    /// How long the field stays off, in units of 100 ms; nil when it stays on.
    public var fieldOffHoldTime: UInt8?
    /// How long the card may take to leave, in units of 100 ms.
    public var removalTimeout: UInt8
    /// What went wrong.
    public var error: ErrorIndication

    /// Creates an outcome without any parameter.
    public init(_ status: Status) {
        self.status = status
        isReceiptNeeded = false
        removalTimeout = 0
        error = ErrorIndication()
    }

    /// Outcome Parameter Set (DF8129), 8 bytes (EMV Book C-2, A.1.108).
    public var parameterSet: [UInt8] {
        var presence: UInt8 = 0
        if uiRequestOnOutcome != nil { presence |= 0x80 }
        if uiRequestOnRestart != nil { presence |= 0x40 }
        if dataRecord != nil { presence |= 0x20 }
        if discretionaryData != nil { presence |= 0x10 }
        if isReceiptNeeded { presence |= 0x08 }
        let response: UInt8 =
            switch onlineResponseData {
            case nil: 0xF0
            case .emvData: 0x10
            case .any: 0x20
            }
        return [
            status.rawValue, start?.rawValue ?? 0xF0, response, cvm?.rawValue ?? 0xF0, presence,
            alternateInterface?.rawValue ?? 0xF0, fieldOffHoldTime ?? 0xFF, removalTimeout,
        ]
    }
}

/// What went wrong, at which level (DF8115, EMV Book C-2, A.1.64).
public struct ErrorIndication: Hashable, Sendable {
    /// Level 2, the application.
    public struct L2: RawRepresentable, Hashable, Sendable {
        /// The level 2 byte.
        public var rawValue: UInt8
        /// Wraps any value.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Nothing (00).
        public static let ok = L2(rawValue: 0x00)
        /// The card lacks mandatory data (01).
        public static let cardDataMissing = L2(rawValue: 0x01)
        /// Offline data authentication failed (02).
        public static let camFailed = L2(rawValue: 0x02)
        /// The card answered with an unexpected status word (03).
        public static let statusBytes = L2(rawValue: 0x03)
        /// The card's data cannot be read (04).
        public static let parsingError = L2(rawValue: 0x04)
        /// The amount is over the reader's limit (05).
        public static let maximumLimitExceeded = L2(rawValue: 0x05)
        /// The card's data contradict each other (06).
        public static let cardDataError = L2(rawValue: 0x06)
        /// The card wants magnetic stripe mode, which is not supported (07).
        public static let magstripeNotSupported = L2(rawValue: 0x07)
        /// There is no PPSE (08).
        public static let noPPSE = L2(rawValue: 0x08)
        /// The PPSE cannot be read (09).
        public static let ppseFault = L2(rawValue: 0x09)
        /// No application of the card is supported (0A).
        public static let emptyCandidateList = L2(rawValue: 0x0A)
        /// The terminal's own data are wrong or missing (0F).
        public static let terminalDataError = L2(rawValue: 0x0F)
    }

    /// Level 3, the terminal.
    public enum L3: UInt8, Hashable, Sendable {
        /// Nothing.
        case ok = 0x00
        /// The terminal did not deliver data in time.
        case timeout = 0x01
        /// The terminal stopped the transaction.
        case stop = 0x02
        /// There is no amount.
        case amountNotPresent = 0x03
    }

    /// The contactless layer; nil when nothing went wrong there.
    public var l1: L1Error?
    /// The application.
    public var l2: L2
    /// The terminal.
    public var l3: L3
    /// SW1 and SW2 of a bad answer, else 0000.
    public var statusWord: UInt16
    /// The message shown for this error.
    public var message: UserInterfaceRequest.Message
    /// The data object the error is about, for people; it is not among the six bytes.
    public var concerning: Tag?

    /// Collects the parts; by default nothing went wrong.
    public init(
        l1: L1Error? = nil,
        l2: L2 = .ok,
        l3: L3 = .ok,
        statusWord: UInt16 = 0,
        message: UserInterfaceRequest.Message = .none,
        concerning: Tag? = nil
    ) {
        self.l1 = l1
        self.l2 = l2
        self.l3 = l3
        self.statusWord = statusWord
        self.message = message
        self.concerning = concerning
    }

    /// Error Indication (DF8115), 6 bytes.
    public var bytes: [UInt8] {
        [
            l1?.rawValue ?? 0, l2.rawValue, l3.rawValue,
            UInt8(statusWord >> 8), UInt8(statusWord & 0xFF), message.rawValue,
        ]
    }
}
