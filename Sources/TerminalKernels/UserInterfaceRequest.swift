public import EMVData

/// What the reader shows the cardholder (EMV Book A, 8; DF8116 in EMV Book C-2).
public struct UserInterfaceRequest: Hashable, Sendable {
    /// Which message (EMV Book A, 9.4).
    public struct Message: RawRepresentable, Hashable, Sendable {
        /// The message identifier.
        public var rawValue: UInt8
        /// Wraps any identifier.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Approved (03).
        public static let approved = Message(rawValue: 0x03)
        /// Not authorised (07).
        public static let notAuthorised = Message(rawValue: 0x07)
        /// Please enter your PIN (09).
        public static let enterPIN = Message(rawValue: 0x09)
        /// Processing error (0F).
        public static let processingError = Message(rawValue: 0x0F)
        /// Please remove card (10).
        public static let removeCard = Message(rawValue: 0x10)
        /// Welcome (14).
        public static let welcome = Message(rawValue: 0x14)
        /// Present card (15).
        public static let presentCard = Message(rawValue: 0x15)
        /// Processing (16).
        public static let processing = Message(rawValue: 0x16)
        /// Card read OK, please remove card (17).
        public static let cardReadOK = Message(rawValue: 0x17)
        /// Please insert or swipe card (18).
        public static let insertOrSwipe = Message(rawValue: 0x18)
        /// Please present one card only (19).
        public static let oneCardOnly = Message(rawValue: 0x19)
        /// Approved, please sign (1A).
        public static let approvedPleaseSign = Message(rawValue: 0x1A)
        /// Authorising, please wait (1B).
        public static let authorising = Message(rawValue: 0x1B)
        /// Insert, swipe or try another card (1C).
        public static let tryAnotherCard = Message(rawValue: 0x1C)
        /// Please insert card (1D).
        public static let insertCard = Message(rawValue: 0x1D)
        /// Nothing to show, clear the display (1E).
        public static let clearDisplay = Message(rawValue: 0x1E)
        /// See phone for instructions (20).
        public static let seePhone = Message(rawValue: 0x20)
        /// Present card again (21).
        public static let presentAgain = Message(rawValue: 0x21)
        /// No message (FF).
        public static let none = Message(rawValue: 0xFF)
    }

    /// What the reader is doing (EMV Book A, 9.2).
    public enum Status: UInt8, Hashable, Sendable {
        /// Not ready.
        case notReady = 0x00
        /// Idle.
        case idle = 0x01
        /// Ready to read.
        case readyToRead = 0x02
        /// Processing.
        case processing = 0x03
        /// Card read successfully: the card may leave.
        case cardReadSuccessfully = 0x04
        /// Processing error.
        case processingError = 0x05
        /// Conditions of use are not satisfied.
        case conditionsNotSatisfied = 0x06
        /// More than one card in the field.
        case collision = 0x07
        /// The card is still there.
        case cardNotRemoved = 0x08
        /// No status.
        case notApplicable = 0xFF
    }

    /// The amount or balance to show with it.
    public enum Value: Hashable, Sendable {
        /// The amount of the transaction.
        case amount(Amount)
        /// What is left on the card.
        case balance(Amount)
    }

    /// The message.
    public var message: Message
    /// The reader's status.
    public var status: Status
    /// How long to show it at least, in units of 100 ms.
    public var holdTime: UInt32
    /// The card's language preference (5F2D), up to 8 bytes; empty for the terminal's own.
    public var languagePreference: [UInt8]
    /// The amount or balance to show.
    public var value: Value?

    /// Collects the parts.
    public init(
        _ message: Message,
        _ status: Status,
        holdTime: UInt32 = 0,
        languagePreference: [UInt8] = [],
        value: Value? = nil
    ) {
        self.message = message
        self.status = status
        self.holdTime = holdTime
        self.languagePreference = languagePreference
        self.value = value
    }
}
