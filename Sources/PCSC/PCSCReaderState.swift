internal import CPCSC

/// What is known of one reader.
public struct PCSCReaderState: Hashable, Sendable {
    /// State bits as `SCardGetStatusChange` uses them.
    public struct Flags: RawRepresentable, Hashable, Sendable {
        /// The bits.
        public var rawValue: UInt32
        /// Wraps any bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Nothing is known (`SCARD_STATE_UNAWARE`).
        public static let unaware = Flags(rawValue: 0)
        /// The reader is not known (`SCARD_STATE_UNKNOWN`).
        public var isUnknown: Bool { rawValue & 0x0004 != 0 }
        /// The reader cannot be used now (`SCARD_STATE_UNAVAILABLE`).
        public var isUnavailable: Bool { rawValue & 0x0008 != 0 }
        /// There is a card (`SCARD_STATE_PRESENT`).
        public var isCardPresent: Bool { rawValue & 0x0020 != 0 }
        /// Another program has the card to itself (`SCARD_STATE_EXCLUSIVE`).
        public var isExclusive: Bool { rawValue & 0x0080 != 0 }
        /// Another program uses the card (`SCARD_STATE_INUSE`).
        public var isInUse: Bool { rawValue & 0x0100 != 0 }
        /// The card does not answer (`SCARD_STATE_MUTE`).
        public var isMute: Bool { rawValue & 0x0200 != 0 }
        /// How many cards have come and gone, as far as 16 bits count.
        public var cardEventCount: UInt32 { rawValue >> 16 }
    }

    /// The pseudo reader whose state changes when readers come and go.
    public static let plugAndPlay = PCSCReaderState(name: #"\\?PnP?\Notification"#)

    /// The reader's name.
    public let name: String
    /// What was last seen, with the count of card events in the upper half.
    public private(set) var flags = Flags.unaware
    /// The card's answer to reset, up to 33 bytes; empty without a card.
    public private(set) var answerToReset: [UInt8] = []

    /// Starts from knowing nothing about a reader.
    public init(name: String) { self.name = name }

    /// A reader as it was seen.
    init(name: String, flags: UInt32) {
        self.name = name
        self.flags = Flags(rawValue: flags)
    }

    /// Takes over what the resource manager saw.
    @unsafe
    mutating func update(_ state: SCARD_READERSTATE) {
        // The changed bit belongs to the answer, not to what is known.
        unsafe flags.rawValue = UInt32(truncatingIfNeeded: state.dwEventState) & ~0x0002
        let count = unsafe min(Int(state.cbAtr), MemoryLayout.size(ofValue: state.rgbAtr))
        answerToReset = unsafe withUnsafeBytes(of: state.rgbAtr) { bytes in
            unsafe Array(bytes.prefix(count))
        }
    }
}
