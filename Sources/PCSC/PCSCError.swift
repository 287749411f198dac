/// A PC/SC return code other than success, as the resource manager gave it (PC/SC part 5, 2.1).
public struct PCSCError: Error, RawRepresentable, Hashable, Sendable {
    /// The code, such as `0x8010001D`.
    public var rawValue: UInt32
    /// Wraps any code, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The resource manager is not running (8010001D, `SCARD_E_NO_SERVICE`).
    public static let noService = PCSCError(rawValue: 0x8010_001D)
    /// The resource manager has shut down (8010001E, `SCARD_E_SERVICE_STOPPED`).
    public static let serviceStopped = PCSCError(rawValue: 0x8010_001E)
    /// The link to the resource manager failed (80100013, `SCARD_F_COMM_ERROR`).
    public static let commError = PCSCError(rawValue: 0x8010_0013)
    /// There is no reader (8010002E, `SCARD_E_NO_READERS_AVAILABLE`).
    public static let noReadersAvailable = PCSCError(rawValue: 0x8010_002E)
    /// There is no reader of that name (80100009, `SCARD_E_UNKNOWN_READER`).
    public static let unknownReader = PCSCError(rawValue: 0x8010_0009)
    /// The reader went away (80100017, `SCARD_E_READER_UNAVAILABLE`).
    public static let readerUnavailable = PCSCError(rawValue: 0x8010_0017)
    /// There is no card in the reader (8010000C, `SCARD_E_NO_SMARTCARD`).
    public static let noSmartcard = PCSCError(rawValue: 0x8010_000C)
    /// Another program uses the card alone (8010000B, `SCARD_E_SHARING_VIOLATION`).
    public static let sharingViolation = PCSCError(rawValue: 0x8010_000B)
    /// The time is over (8010000A, `SCARD_E_TIMEOUT`).
    public static let timeout = PCSCError(rawValue: 0x8010_000A)
    /// A call went past its deadline and was left behind (80100007, `SCARD_F_WAITED_TOO_LONG`).
    public static let waitedTooLong = PCSCError(rawValue: 0x8010_0007)
    /// The call was cancelled (80100002, `SCARD_E_CANCELLED`).
    public static let cancelled = PCSCError(rawValue: 0x8010_0002)
    /// The handle is not, or no longer, valid (80100003, `SCARD_E_INVALID_HANDLE`).
    public static let invalidHandle = PCSCError(rawValue: 0x8010_0003)
    /// The card was reset by another program (80100068, `SCARD_W_RESET_CARD`).
    public static let resetCard = PCSCError(rawValue: 0x8010_0068)
    /// The card was removed (80100069, `SCARD_W_REMOVED_CARD`).
    public static let removedCard = PCSCError(rawValue: 0x8010_0069)
    /// The card does not answer a reset (80100066, `SCARD_W_UNRESPONSIVE_CARD`).
    public static let unresponsiveCard = PCSCError(rawValue: 0x8010_0066)
    /// The card has no power (80100067, `SCARD_W_UNPOWERED_CARD`).
    public static let unpoweredCard = PCSCError(rawValue: 0x8010_0067)
    /// The link to the card failed (80100016, `SCARD_E_NOT_TRANSACTED`).
    public static let notTransacted = PCSCError(rawValue: 0x8010_0016)
    /// The link to the reader failed (8010002F, `SCARD_E_COMM_DATA_LOST`).
    public static let commDataLost = PCSCError(rawValue: 0x8010_002F)

    /// Whether the resource manager itself is gone, so that a new context is needed.
    public var isServiceLost: Bool {
        switch self {
        case .noService, .serviceStopped, .commError, .invalidHandle: true
        default: false
        }
    }

    /// Whether the card, or its reader, has left.
    public var isCardLost: Bool {
        switch self {
        case .removedCard, .noSmartcard, .unpoweredCard, .unresponsiveCard, .readerUnavailable,
            .unknownReader:
            true
        default: false
        }
    }
}

extension PCSCError: CustomStringConvertible {
    /// One sentence, with the code.
    public var description: String {
        "\(sentence) (PC/SC \(String(rawValue, radix: 16, uppercase: true)))"
    }

    private var sentence: String {
        switch rawValue {
        case 0x8010_0001: "The PC/SC service failed an internal check"
        case 0x8010_0002: "The call was cancelled"
        case 0x8010_0003: "The PC/SC handle is no longer valid"
        case 0x8010_0004: "A parameter of the PC/SC call is wrong"
        case 0x8010_0005: "The reader's start-up information is missing"
        case 0x8010_0006: "There is not enough memory for the PC/SC call"
        case 0x8010_0007: "The reader or the PC/SC service (pcscd) did not answer in time"
        case 0x8010_0008: "A command or response is longer than PC/SC takes"
        case 0x8010_0009: "There is no reader of that name"
        case 0x8010_000A: "The time for the PC/SC call is over"
        case 0x8010_000B: "Another program has the card to itself"
        case 0x8010_000C: "There is no card in the reader"
        case 0x8010_000D: "The card is not known"
        case 0x8010_000E: "The reader cannot do that with the card"
        case 0x8010_000F: "The card does not speak the wanted protocol"
        case 0x8010_0010: "The reader is not ready"
        case 0x8010_0011: "A value of the PC/SC call is wrong"
        case 0x8010_0012: "The system cancelled the call"
        case 0x8010_0013: "The link to the PC/SC service failed"
        case 0x8010_0014: "The PC/SC service failed for an unknown reason"
        case 0x8010_0015: "The card's answer to reset is not valid"
        case 0x8010_0016: "The exchange with the card failed"
        case 0x8010_0017: "The reader was removed"
        case 0x8010_0018: "The PC/SC service is shutting down"
        case 0x8010_0019: "The protocol header buffer is too small"
        case 0x8010_001A: "The reader's driver is too old"
        case 0x8010_001B: "Two readers have the same name"
        case 0x8010_001C: "The card is not supported"
        case 0x8010_001D: "The PC/SC service (pcscd) is not running"
        case 0x8010_001E: "The PC/SC service (pcscd) has stopped"
        case 0x8010_001F: "The reader or card does not support that"
        case 0x8010_0020: "No provider is installed for the card"
        case 0x8010_0021: "The objects cannot be created in that order"
        case 0x8010_0022: "The card does not support the wanted feature"
        case 0x8010_0023: "The card has no such directory"
        case 0x8010_0024: "The card has no such file"
        case 0x8010_0025: "The path is not a directory of the card"
        case 0x8010_0026: "The path is not a file of the card"
        case 0x8010_0027: "Access to the file is denied"
        case 0x8010_0028: "The card has no room for that"
        case 0x8010_0029: "The position in the file cannot be set"
        case 0x8010_002A: "The PIN is wrong"
        case 0x8010_002B: "A part of the PC/SC service gave an unknown code"
        case 0x8010_002C: "The certificate does not exist"
        case 0x8010_002D: "The certificate cannot be read"
        case 0x8010_002E: "There is no reader"
        case 0x8010_002F: "The link to the card failed"
        case 0x8010_0030: "The key container does not exist"
        case 0x8010_0031: "The PC/SC service is too busy"
        case 0x8010_0065: "The reader cannot talk to this card"
        case 0x8010_0066: "The card does not answer"
        case 0x8010_0067: "The card has no power"
        case 0x8010_0068: "Another program has reset the card"
        case 0x8010_0069: "The card was removed"
        case 0x8010_006A:
            "The PC/SC service denied access: it starts, stops, or a polkit rule forbids it"
        case 0x8010_006B: "The PIN was wrong"
        case 0x8010_006C: "The PIN is blocked"
        case 0x8010_006D: "The end of the file is reached"
        case 0x8010_006E: "The user cancelled"
        case 0x8010_006F: "The card wants a PIN first"
        default: "PC/SC failed"
        }
    }
}
