#if !hasFeature(Embedded)

extension StatusWord {
    /// Whether the card did what it was told: 9000, or 61xx with more to fetch.
    public var isSuccess: Bool { self == .success || rawValue >> 8 == 0x61 }

    /// What the status word says in words.
    /// - Parameter command: The command it answers, which can give it a meaning of its own; nil when it is not known.
    /// - Returns: The meaning; nil for one that neither ISO 7816-4 nor the books have.
    public func meaning(to command: CommandAPDU?) -> String? {
        command.flatMap(ownMeaning) ?? generalMeaning
    }

    /// What it says to one command; nil where that is what it says to all.
    private func ownMeaning(_ command: CommandAPDU) -> String? {
        if command.code.isIssuerScript {
            return Self.scriptMeanings[rawValue]
        }
        switch command.code {
        case .select:
            // P2 with bit 2 asks for the next application of the same name (EMV Book 1, 11.3.2).
            if self == .fileNotFound, command.parameters & 0x02 != 0 {
                return "no further application of that name"
            }
            if self == .fileNotFound, Self.directories.contains(command.body) {
                return "the card has no payment directory of that name"
            }
            return Self.selectMeanings[rawValue]
        case .getProcessingOptions: return Self.processingMeanings[rawValue]
        case .readRecord: return Self.recordMeanings[rawValue]
        case .generateAC: return Self.cryptogramMeanings[rawValue]
        case .getData, CommandCode(rawValue: 0x00CA): return Self.dataMeanings[rawValue]
        case .externalAuthenticate: return Self.externalMeanings[rawValue]
        case .verify:
            return rawValue & 0xFFF0 == 0x63C0
                ? "wrong PIN, \(Self.tries(rawValue))" : Self.verifyMeanings[rawValue]
        case .recoverAC: return Self.magstripeMeanings[rawValue]
        default: return nil
        }
    }

    private static let directories = ["1PAY.SYS.DDF01", "2PAY.SYS.DDF01"].map { [UInt8]($0.utf8) }

    private static func tries(_ number: UInt16) -> String {
        switch number & 0x0F {
        case 0: "no try left"
        case 1: "1 try left"
        default: "\(number & 0x0F) tries left"
        }
    }

    // EMV Book 1, 11.3.5 and 12.3.2.
    private static let selectMeanings: [UInt16: String] = [
        0x6A82: "no application of that name",
        0x6A81: "the card is blocked, or does not know SELECT",
        0x6283: "the application is blocked",
    ]

    // EMV Book 3, 10.1; Book C-3, 5.2.2.2.
    private static let processingMeanings: [UInt16: String] = [
        0x6985: "conditions of use not satisfied: the terminal offers another application",
        0x6984: "the card wants another interface",
        0x6986: "the cardholder shall look at the device",
    ]

    // EMV Book 3, 6.5.11.
    private static let recordMeanings: [UInt16: String] = [
        0x6A83: "the file has no such record",
        0x6A82: "there is no file with that SFI",
        0x6981: "the file is not one of records",
    ]

    // EMV Book 3, 6.5.5; Books C-4 and C-5.
    private static let cryptogramMeanings: [UInt16: String] = [
        0x6985: "conditions of use not satisfied: no cryptogram, or not a further one",
        0x6984: "the card wants another interface",
        0x6986: "the cardholder shall look at the device",
    ]

    // EMV Book 3, 6.5.7.
    private static let dataMeanings: [UInt16: String] = [
        0x6A88: "the card does not have that data object",
        0x6A81: "the card does not give out that data object",
    ]

    // EMV Book 3, 6.5.4 and 10.9.
    private static let externalMeanings: [UInt16: String] = [
        0x6300: "issuer authentication failed",
        0x6985: "the card authenticates the issuer only once",
    ]

    // EMV Book 3, 6.5.12.
    private static let verifyMeanings: [UInt16: String] = [
        0x6983: "the PIN is blocked: no tries left",
        0x6984: "the PIN is blocked: no tries were left before",
    ]

    // EMV Book C-5, 5.9.
    private static let magstripeMeanings: [UInt16: String] = [
        0x6300: "the card declines",
        0x6986: "the cardholder shall look at the device",
    ]

    // EMV Book 2, 9.2; Book 3, 6.5.
    private static let scriptMeanings: [UInt16: String] = [
        0x6987: "the script's MAC is missing",
        0x6988: "the script's MAC is wrong",
        0x6982: "the script is not authenticated",
    ]

    /// What the status word says whatever the command was (ISO 7816-4, 5.6).
    private var generalMeaning: String? {
        let low = rawValue & 0xFF
        switch rawValue {
        case 0x6100...0x61FF:
            return "\(low == 0 ? "256 or more" : "\(low)") bytes wait for GET RESPONSE"
        case 0x63C0...0x63CF: return "warning, counter \(low & 0x0F): for a PIN, \(Self.tries(low))"
        case 0x6C00...0x6CFF: return "wrong Le, \(low == 0 ? 256 : low) bytes are there"
        default: break
        }
        if let meaning = Self.meanings[rawValue] { return meaning }
        return Self.classes[rawValue >> 8]
    }

    private static let meanings: [UInt16: String] = [
        0x9000: "success",
        0x6281: "warning: the data may be damaged",
        0x6282: "warning: the file or record ends before Le bytes",
        0x6283: "warning: the file or application is blocked",
        0x6284: "warning: the file control information is malformed",
        0x6285: "warning: the file is in its final state",
        0x6286: "warning: a sensor gives no data",
        0x6300: "warning: memory has changed; in authentication, failed",
        0x6381: "warning: the file is now full",
        0x6401: "error: the card waits for an answer at once",
        0x6581: "error: memory failure",
        0x6700: "wrong length",
        0x6881: "logical channel not supported",
        0x6882: "secure messaging not supported",
        0x6883: "the last command of a chain is missing",
        0x6884: "command chaining not supported",
        0x6981: "the command does not fit the file",
        0x6982: "security status not satisfied",
        0x6983: "authentication method blocked",
        0x6984: "referenced data not usable",
        0x6985: "conditions of use not satisfied",
        0x6986: "command not allowed",
        0x6987: "secure messaging objects are missing",
        0x6988: "secure messaging objects are wrong",
        0x6A80: "incorrect data",
        0x6A81: "function not supported",
        0x6A82: "file or application not found",
        0x6A83: "record not found",
        0x6A84: "not enough memory in the file",
        0x6A85: "Lc does not fit the TLV structure",
        0x6A86: "incorrect P1 or P2",
        0x6A87: "Lc does not fit P1 and P2",
        0x6A88: "referenced data not found",
        0x6A89: "the file exists already",
        0x6A8A: "the file name exists already",
        0x6B00: "wrong P1 or P2",
        0x6D00: "instruction not supported",
        0x6E00: "class not supported",
        0x6F00: "error without a diagnosis",
    ]

    /// What the first byte alone says.
    private static let classes: [UInt16: String] = [
        0x62: "warning, memory unchanged", 0x63: "warning, memory changed",
        0x64: "error, memory unchanged", 0x65: "error, memory changed",
        0x66: "error of security", 0x68: "function of the class not supported",
        0x69: "command not allowed", 0x6A: "wrong parameters",
        0x6F: "error without a diagnosis",
    ]
}

#endif
