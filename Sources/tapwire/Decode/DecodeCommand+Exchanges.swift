import BERTLV
import EMVData
import ISO7816
import Octets
import Traces

extension DecodeCommand {
    /// Decodes a command alone.
    static func command(_ bytes: [UInt8], _ settings: DecodeSettings) -> Decoding {
        var decoding = Decoding(title: "Command APDU", byteCount: bytes.count)
        var decoder = settings.decoder
        _ = add(command: bytes, named: "", to: &decoding, &decoder, settings)
        decoding.isMasked = decoder.hasMasked
        return decoding
    }

    /// Decodes commands and responses in order, since a command's data mean what the card asked for before.
    ///
    /// A response whose command is not known has an empty one.
    static func exchanges(
        _ exchanges: [(command: [UInt8], response: [UInt8])],
        _ settings: DecodeSettings
    ) -> Decoding {
        let isAlone = exchanges.first?.command.isEmpty == true
        var decoding = Decoding(
            title: isAlone ? "Response APDU" : "Commands and responses",
            byteCount: exchanges.reduce(0) { $0 + $1.command.count + $1.response.count }
        )
        var decoder = settings.decoder
        var found: [TLVSurvey.Object] = []
        for (index, exchange) in exchanges.enumerated() {
            // An offset counts from the start of its own command or response.
            let number = exchanges.count > 1 ? " \(index + 1)" : ""
            let command =
                exchange.command.isEmpty
                ? nil
                : add(
                    command: exchange.command,
                    named: isAlone ? "" : "command\(number): ",
                    to: &decoding,
                    &decoder,
                    settings
                )
            found += add(
                response: exchange.response,
                named: isAlone ? "" : "response\(number): ",
                to: command,
                &decoding,
                &decoder
            )
        }
        decoding.sections += certificates(found, settings)
        decoding.isMasked = decoder.hasMasked
        return decoding
    }

    private static func add(
        command bytes: [UInt8],
        named place: String,
        to decoding: inout Decoding,
        _ decoder: inout ObjectDecoder,
        _ settings: DecodeSettings
    ) -> CommandAPDU? {
        let masked = decoder.mask(command: bytes)
        var section = Decoding.Section(name: "command", title: "Command")
        let command: CommandAPDU
        do throws(APDUError) { command = try CommandAPDU(parsing: bytes) } catch {
            decoding.faults.append(Decoding.Fault(error, in: place))
            decoding.sections.append(section)
            return nil
        }
        section.title = command.code.name ?? "Command \(command.code.rawValue.hex)"
        let shown = (try? CommandAPDU(parsing: masked)) ?? command
        section.parts = CommandParts.parts(of: shown, masked)
        let start = bytes.count > 4 && bytes[4] == 0 ? 7 : 5
        section.rows = rows(of: command, base: start, &decoder, settings)
        decoding.faults += decoder.takeFaults().map {
            Decoding.Fault(offset: $0.offset, sentence: place + $0.sentence)
        }
        decoding.sections.append(section)
        return command
    }

    /// The objects that a command's data stand for.
    private static func rows(
        of command: CommandAPDU,
        base: Int,
        _ decoder: inout ObjectDecoder,
        _ settings: DecodeSettings
    ) -> [DecodedRow] {
        switch command.code {
        case .getProcessingOptions:
            let survey = TLVSurvey(command.body)
            guard let template = survey.objects.first, template.tag == .commandTemplate,
                template.isWhole
            else { return [] }
            guard let list = settings.list ?? decoder.lists[.processingOptionsList],
                list.count == template.value.count
            else { return [] }
            return rows(of: list, template.value, base: base + template.valueOffset, &decoder)
        case .generateAC:
            guard let list = settings.list ?? decoder.lists[.cardRiskManagementList1],
                list.count <= command.body.count
            else { return [] }
            return rows(of: list, Array(command.body.prefix(list.count)), base: base, &decoder)
        case .internalAuthenticate, .computeCryptographicChecksum:
            guard let list = settings.list, list.count == command.body.count else { return [] }
            return rows(of: list, command.body, base: base, &decoder)
        case .putData:
            return [
                decoder.row(Tag(rawValue: UInt32(command.parameters)), command.body, offset: base)
            ]
        default: return []
        }
    }

    private static func add(
        response bytes: [UInt8],
        named place: String,
        to command: CommandAPDU?,
        _ decoding: inout Decoding,
        _ decoder: inout ObjectDecoder
    ) -> [TLVSurvey.Object] {
        var section = Decoding.Section(name: "response", title: command == nil ? nil : "Response")
        guard let response = try? ResponseAPDU(parsing: bytes) else {
            decoding.faults.append(
                Decoding.Fault(
                    offset: bytes.count,
                    sentence: place + "a response has at least two bytes"
                )
            )
            return []
        }
        section.parts = [part(response.status, to: command)]
        let isReader = command?.code == .getReaderData
        guard !response.body.isEmpty, !isReader else {
            if isReader, !response.body.isEmpty {
                section.parts.insert(
                    DecodedPart(place: "Data", digits: response.body.hex, text: "of the reader"),
                    at: 0
                )
            }
            decoding.sections.append(section)
            return []
        }
        let survey = TLVSurvey(response.body)
        // Without a known tag in front it is no TLV, but a part of an answer or something else.
        guard let first = survey.objects.first,
            survey.isSound || DataObjectDefinition[first.tag] != nil
        else {
            section.parts.insert(
                DecodedPart(
                    place: "Data",
                    digits: decoder.blank(response.body).hex,
                    text: "no data objects"
                ),
                at: 0
            )
            decoding.sections.append(section)
            return []
        }
        section.rows = decoder.rows(survey)
        if first.tag == .responseTemplate1 {
            section.rows[0].rows = format1(first, response, command, &decoder)
        }
        decoding.sections.append(section)
        decoding.add(
            faults(of: survey, response.body, base: 0, in: place),
            decoder.takeFaults().map {
                Decoding.Fault(offset: $0.offset, sentence: place + $0.sentence)
            }
        )
        if survey.end < response.body.count { decoding.isCutShort = true }
        return survey.objects
    }

    /// The objects of a response in format 1, told apart by their place (EMV Book 3, 6.5).
    private static func format1(
        _ template: TLVSurvey.Object,
        _ response: ResponseAPDU,
        _ command: CommandAPDU?,
        _ decoder: inout ObjectDecoder
    ) -> [DecodedRow] {
        let objects = response.objects(to: command?.code)
        guard objects.first?.tag != .responseTemplate1 else { return [] }
        var offset = template.valueOffset
        return objects.map { object in
            defer { offset += object.value.count }
            return decoder.row(object.tag, object.value, offset: offset)
        }
    }
}

extension Decoding.Fault {
    /// A fault of a command's form.
    fileprivate init(_ error: APDUError, in place: String) {
        switch error {
        case .tooShort(let count):
            self.init(offset: count, sentence: place + "a command has at least four bytes")
        case .lengthMismatch(let count):
            // Lc is where the header ends.
            self.init(
                offset: min(4, count),
                sentence: place + "the lengths (Lc, Le) do not fit the command's \(count) bytes"
            )
        }
    }
}
