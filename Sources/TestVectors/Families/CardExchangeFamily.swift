import BERTLV
import EMVData
import ISO7816
import Octets
import Profiles
import TerminalKernels
import Transport

/// `card-exchanges`: recorded exchanges with cards, step by step (EMV Book 1, 12; Book 3, 10.1 and 10.2).
enum CardExchangeFamily: VectorFamily {
    /// The recorded commands are sent as they are; what the card lists is put in order.
    case selection([Exchange], applications: [ApplicationIdentifier])
    /// GET PROCESSING OPTIONS is made for the answer to SELECT.
    case processingOptions([Exchange], selection: [UInt8], terminal: [DataObject])
    /// The records of a locator are read.
    case records([Exchange], locator: [UInt8])

    static let name = "card-exchanges"

    private enum Kind: String, CaseIterable { case selection, processingOptions, records }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let kind = try parameters.choice("of", of: Kind.self)
        let exchanges = try input.exchanges("exchanges")
        switch kind {
        case .selection:
            var names: [ApplicationIdentifier] = []
            for element in try input.elements("applications") {
                let bytes = try JSONObject.hex(element.value, element.path, 5...16)
                if let name = ApplicationIdentifier(bytes: bytes) { names.append(name) }
            }
            self = .selection(exchanges, applications: names)
        case .processingOptions:
            self = .processingOptions(
                exchanges,
                selection: try input.hex("selection"),
                terminal: try input.dataObjects("terminal")
            )
        case .records: self = .records(exchanges, locator: try input.hex("locator"))
        }
    }

    func output() throws -> VectorOutput {
        do {
            return try read()
        } catch let failure as CardReading.Failure {
            throw failure.refusal
        }
    }

    private func read() throws -> VectorOutput {
        switch self {
        case .selection(let exchanges, let applications):
            return try Self.select(exchanges, applications)
        case .processingOptions(let exchanges, let selection, let terminal):
            var card = ScriptedCard(exchanges)
            let values = Dictionary(terminal.map { ($0.tag, $0.value) }) { $1 }
            let objects = try CardReading.processingOptions(after: selection, terminal: values) {
                try card.transmit($0)
            }
            return [
                "profile": .bytes(objects[.applicationInterchangeProfile]),
                "locator": .bytes(objects[.applicationFileLocator]),
            ]
        case .records(let exchanges, let locator):
            var card = ScriptedCard(exchanges)
            let (objects, staticData) = try CardReading.records(locator) { try card.transmit($0) }
            return [
                "account": .bytes(objects[.applicationPAN]), "signedBytes": .bytes(staticData),
            ]
        }
    }

    /// Sends what was sent, following 61xx, 6Cxx and warnings, and reads the directory's records.
    private static func select(
        _ exchanges: [Exchange],
        _ applications: [ApplicationIdentifier]
    ) throws -> VectorOutput {
        var transport = LengthResolvingTransport(
            ScriptedCard(exchanges),
            fetchesAfterWarning: true
        )
        var statuses: [VectorValue] = []
        var records: [[UInt8]] = []
        while transport.base.position < exchanges.count {
            let command = exchanges[transport.base.position].command
            let response = try ResponseAPDU(parsing: transport.transmit(command))
            statuses.append(.bytes(response.status.rawValue))
            let code = try CommandAPDU(parsing: command).code
            if code == .readRecord, response.status == .success { records.append(response.body) }
        }
        let labels = try CardReading.candidates(in: records, for: applications)
        return [
            "statuses": .list(statuses),
            "candidates": .list(labels.map { .text(String(decoding: $0, as: UTF8.self)) }),
        ]
    }
}

extension CardReading.Failure {
    /// The failure with its status word or tag behind: `status6A81`, `malformed70`.
    fileprivate var refusal: VectorRefusal {
        switch self {
        case .status(let status): VectorRefusal("status\(status.rawValue.hex)")
        case .malformed(.responseTemplate2), .malformed(nil): VectorRefusal("malformedAnswer")
        case .malformed(let tag): VectorRefusal("malformed\(tag?.description ?? "")")
        case .missing(let tag): VectorRefusal("missing\(tag?.description ?? "")")
        case .wrong(let tag): VectorRefusal("wrong\(tag?.description ?? "")")
        }
    }
}
