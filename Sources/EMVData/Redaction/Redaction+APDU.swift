#if !hasFeature(Embedded)
import BERTLV
public import ISO7816
import Octets

extension Redaction {
    /// Masks a command; bytes that are none keep their first four and lose the rest.
    public mutating func mask(command bytes: [UInt8]) -> [UInt8] {
        guard extent == .cardholderData else { return bytes }
        guard let command = try? CommandAPDU(parsing: bytes) else {
            return bytes.prefix(4) + Self.zeros(bytes.dropFirst(4))
        }
        let masked = mask(command).body
        guard let start = bytes.bodyOffset(of: command) else { return bytes }
        return bytes[..<start] + masked + bytes[(start + masked.count)...]
    }

    /// Masks a response; bytes that are none are blanked.
    public mutating func mask(response bytes: [UInt8]) -> [UInt8] {
        guard extent == .cardholderData else { return bytes }
        guard let response = try? ResponseAPDU(parsing: bytes) else { return Self.zeros(bytes) }
        return mask(response).bytes
    }

    /// Masks a response and learns from it.
    public mutating func mask(_ response: ResponseAPDU) -> ResponseAPDU {
        guard extent == .cardholderData else { return response }
        // Another application has been selected, which asks for other data.
        if response.body.first == 0x6F { lists = [:] }
        let isWhole = (try? TLV.parse(response.body))?.allSatisfy(Self.isResponse) == true
        return ResponseAPDU(
            body: isWhole ? mask(encoded: response.body) : Self.zeros(response.body),
            status: response.status
        )
    }

    /// Whether a card answers with such an object: a template of EMV, or a short object to GET DATA.
    ///
    /// Anything longer might be the middle of a response that came in parts, and its first byte no tag at all.
    private static func isResponse(_ object: TLV) -> Bool {
        let templates: [Tag] = [
            .fileControlInformation, .recordTemplate, .responseTemplate1, .responseTemplate2,
        ]
        return templates.contains(object.tag) || object.value.count <= 32
    }

    /// Masks a command.
    public mutating func mask(_ command: CommandAPDU) -> CommandAPDU {
        guard extent == .cardholderData, !command.body.isEmpty else { return command }
        var masked = command
        masked.body = maskBody(of: command)
        return masked
    }

    /// Masks a command's data by what the instruction says is in them; those of an unknown one are blanked.
    private mutating func maskBody(of command: CommandAPDU) -> [UInt8] {
        let body = command.body
        switch UInt8(truncatingIfNeeded: command.code.rawValue) {
        case 0xA4, 0x82, 0xEA:
            // SELECT, EXTERNAL AUTHENTICATE, EXCHANGE RELAY RESISTANCE DATA: a name, a cryptogram, a random number.
            return maskLearned(body)
        case 0xA8:
            return maskProcessingOptions(body)
        case 0xAE:
            return maskFilledList(
                body,
                of: [
                    lists[.cardRiskManagementList1],
                    lists[.cardRiskManagementList2],
                    joined(.cardRiskManagementList1, .dsdol),
                ]
            )
        case 0x88:
            return maskFilledList(
                body,
                of: [lists[.dynamicDataAuthenticationList], Self.unpredictableNumberOnly]
            )
        case 0x2A:
            return maskFilledList(body, of: [lists[.udol], Self.unpredictableNumberOnly])
        case 0xD0:
            return maskFilledList(body, of: [lists[.drdol]])
        case 0xDA:
            let tag = Tag(rawValue: UInt32(command.parameters))
            return Self.rule(for: tag) == nil ? mask(body, of: tag) : Self.zeros(body)
        case 0xDC, 0xE2:
            return mask(encoded: body)
        case 0x16, 0x18, 0x1E,
            0x24 where command.code.isSecured:
            // Block, unblock, change of a PIN: a MAC, and in front of it what the card's own key enciphers.
            return maskLearned(body)
        default:
            return Self.zeros(body)
        }
    }

    /// GET PROCESSING OPTIONS: the filled PDOL inside a command template (83).
    private func maskProcessingOptions(_ body: [UInt8]) -> [UInt8] {
        var reader = TLVReader(body.span)
        guard let template = try? reader.next(), template.tag == .commandTemplate,
            reader.offset == body.count
        else { return Self.zeros(body) }
        let filled = maskFilledList(
            [UInt8](template.value),
            of: [lists[.processingOptionsList], DataObjectList(entries: [])]
        )
        return body[..<template.valueOffset] + filled
    }

    /// The default DDOL and UDOL: the terminal's random number.
    private static var unpredictableNumberOnly: DataObjectList {
        DataObjectList(entries: [DataObjectList.Entry(.unpredictableNumber, 4)])
    }
}

extension CommandCode {
    /// Whether the class byte says that the data are secured (ISO 7816-4, 5.4.1).
    fileprivate var isSecured: Bool { rawValue >> 8 & 0x0C != 0 }
}

extension Array<UInt8> {
    /// Where the data of `command`, read from these bytes, start; nil when it has none.
    fileprivate func bodyOffset(of command: CommandAPDU) -> Int? {
        guard !command.body.isEmpty else { return nil }
        return self[4] == 0 ? 7 : 5
    }
}

#endif
