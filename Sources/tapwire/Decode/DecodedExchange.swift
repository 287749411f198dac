import BERTLV
import EMVData
import ISO7816
import Octets
import PCSC
import Traces
import Transport

/// A command and its response as people read them.
struct DecodedExchange {
    /// What the command is: `READ RECORD 1, SFI 2`.
    var title: String
    /// The command APDU.
    var command: [UInt8]
    /// The response APDU; nil when there was none.
    var response: [UInt8]?
    /// The status word in words, or why there is no response.
    var status: String
    /// Whether the response is there and says 9000.
    var isSuccess: Bool
    /// Whether command or response differ from what was exchanged, for the cardholder's sake.
    var isMasked = false
    /// How long the card took; nil where nobody measured.
    var elapsed: Duration?
    /// What the terminal sent for the card's data object list.
    var sent: [DecodedObject]
    /// What the card answered.
    var received: [DecodedObject]
}

/// Decodes the exchanges of one tap in order, since a command's data mean what the card asked for before.
struct ExchangeDecoder {
    /// Which kernel the selected application belongs to; tags of others mean something else.
    private(set) var kernel: KernelIdentifier?
    private var currency: Currency
    private var lists: [Tag: DataObjectList] = [:]
    /// What has been learned about the card, so that the same is masked everywhere.
    var redaction: Redaction

    /// Starts before the first exchange.
    init(currency: Currency, redaction: Redaction) {
        self.currency = currency
        self.redaction = redaction
    }

    /// Decodes the next exchange, masked.
    mutating func decode(_ exchange: Exchange) -> DecodedExchange {
        let command = redaction.mask(command: exchange.command)
        var decoded = DecodedExchange(
            title: "Command",
            command: command,
            status: "",
            isSuccess: false,
            isMasked: command != exchange.command,
            elapsed: exchange.elapsed,
            sent: [],
            received: []
        )
        let parsed = try? CommandAPDU(parsing: command)
        if let parsed {
            decoded.title = Self.title(of: parsed)
            let sent = sent(by: parsed)
            // The card is told what its amounts are in.
            if let code = sent.last(where: { $0.tag == .transactionCurrencyCode })?.value,
                let told = Currency(bytes: code)
            {
                currency = told
            }
            decoded.sent = decode(sent)
        }
        switch exchange.result {
        case .failure(let error):
            decoded.status = error.text
        case .success(let bytes):
            // What a reader tells of itself is no cardholder's.
            let response =
                parsed?.code == .getReaderData ? bytes : redaction.mask(response: bytes)
            decoded.response = response
            if response != bytes { decoded.isMasked = true }
            guard let body = try? ResponseAPDU(parsing: response) else {
                decoded.status = "too short for a response"
                return decoded
            }
            decoded.status = body.status.text(to: parsed)
            decoded.isSuccess = body.status == .success
            let objects = body.objects(to: parsed?.code)
            if parsed?.code == .select { select(objects) }
            learn(objects)
            decoded.received = decode(objects)
        }
        return decoded
    }

    /// Decodes objects as the selected application means them; nothing is masked.
    func decode(_ objects: [TLV]) -> [DecodedObject] {
        objects.map { DecodedObject($0, kernel: kernel, currency: currency) }
    }

    /// What the values of a command stand for, by the list the card gave.
    private func sent(by command: CommandAPDU) -> [TLV] {
        switch command.code {
        case .getProcessingOptions:
            guard let template = try? TLV.parseOne(command.body) else { return [] }
            return lists[.processingOptionsList]?.split(template.value) ?? []
        case .generateAC:
            // A card that stores data asks for more behind CDOL1 (DSDOL).
            guard let list = lists[.cardRiskManagementList1] else { return [] }
            return list.split(Array(command.body.prefix(list.count))) ?? []
        default: return []
        }
    }

    /// Begins with another application.
    private mutating func select(_ objects: [TLV]) {
        lists = [:]
        guard let name = TLV.first(.dedicatedFileName, in: objects)?.value,
            let aid = ApplicationIdentifier(bytes: name)
        else { return }
        kernel = KernelIdentifier.default(forRID: aid.rid)
    }

    private mutating func learn(_ objects: [TLV]) {
        for tag in [Tag.processingOptionsList, .cardRiskManagementList1] {
            guard let value = TLV.first(tag, in: objects)?.value else { continue }
            lists[tag] = try? DataObjectList(parsing: value)
        }
    }

    /// What a command is, for people.
    static func title(of command: CommandAPDU) -> String {
        let high = UInt8(command.parameters >> 8)
        let low = UInt8(command.parameters & 0xFF)
        switch command.code {
        case .select:
            let isText = command.body.count > 4 && command.body.allSatisfy { 0x20..<0x7F ~= $0 }
            let name = isText ? String(decoding: command.body, as: UTF8.self) : command.body.hex
            return "SELECT \(name)" + (low & 0x02 != 0 ? " (next)" : "")
        case .getProcessingOptions: return "GET PROCESSING OPTIONS"
        case .readRecord: return "READ RECORD \(high), SFI \(low >> 3)"
        case .generateAC:
            let kind = CryptogramKind(rawValue: high)
            return "GENERATE AC, \(kind)" + (high & 0x10 != 0 ? " with CDA" : "")
        case .getData: return "GET DATA \(command.parameters.hex)"
        case .getReaderData:
            let object =
                switch command.parameters {
                case 0x0000: "UID"
                case 0x0100: "historical bytes"
                default: command.parameters.hex
                }
            return "GET DATA of the reader, \(object)"
        default: return command.code.name ?? "Command \(command.code.rawValue.hex)"
        }
    }
}

extension TransportError {
    /// What happened, for people.
    var text: String {
        switch self {
        case .timeout: "no answer in time"
        case .cardRemoved: "the card left"
        case .protocolViolation: "the card broke the protocol"
        case .unexpectedCommand: "another command than was recorded"
        case .endOfScript: "no exchange left in the recording"
        case .reader(let code): "\(PCSCError(rawValue: code))"
        }
    }
}

extension StatusWord {
    /// The status word with what it says to a command.
    func text(to command: CommandAPDU?) -> String {
        rawValue.hex + (meaning(to: command).map { " \($0)" } ?? "")
    }
}
