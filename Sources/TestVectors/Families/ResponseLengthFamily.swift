import ISO7816
import Octets
import Profiles
import Transport

/// `response-lengths`: what becomes of 61xx, 6Cxx and warnings (ISO 7816-4, 5.6; EMV Book 1, 9.3).
struct ResponseLengthFamily: VectorFamily {
    private enum Kind: String, CaseIterable { case apdu, warning, tpdu }

    private var kind: Kind
    /// What is to be sent; the first recorded command where a case does not say it.
    private var command: [UInt8]
    private var exchanges: [Exchange]

    static let name = "response-lengths"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        kind = try parameters.choice("of", of: Kind.self)
        exchanges = try input.exchanges("exchanges")
        guard let first = exchanges.first else {
            throw ProfilesError(input.path(to: "exchanges"), "must have an exchange")
        }
        command = kind == .tpdu ? try input.message("command") : first.command
    }

    func output() throws -> VectorOutput {
        let card = ScriptedCard(exchanges)
        switch kind {
        case .apdu, .warning:
            var transport = LengthResolvingTransport(
                card,
                fetchesAfterWarning: kind == .warning
            )
            let response = try transport.transmit(command)
            guard transport.base.isFinished else { throw VectorRefusal("unplayed") }
            return ["response": .bytes(response)]
        case .tpdu:
            var transport = LengthResolvingTransport(
                TPDUTransport(base: card),
                fetchesAfterWarning: true
            )
            let response = try transport.transmit(command)
            guard transport.base.base.isFinished else { throw VectorRefusal("unplayed") }
            return ["response": .bytes(response)]
        }
    }
}

/// Speaks T=0 to a recorded card: header first, data when the card asks for them (EMV Book 1, 9.2.2).
///
/// Readers do this themselves; only recordings of what went over the contacts need it.
private struct TPDUTransport: Transport {
    var base: ScriptedCard

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        guard let command = try? CommandAPDU(parsing: command) else { throw .protocolViolation }
        let length = command.body.isEmpty ? command.expectedLength ?? 0 : command.body.count
        let header =
            command.code.rawValue.bigEndianBytes + command.parameters.bigEndianBytes
            + [UInt8(truncatingIfNeeded: length)]
        let answer = try base.transmit(header)
        guard answer.first == header[1] else { return try Self.status(answer) }
        guard command.body.isEmpty else { return try Self.status(base.transmit(command.body)) }
        return Array(answer.dropFirst())
    }

    /// An answer that must be a status word, since nothing else was asked for.
    private static func status(_ answer: [UInt8]) throws(TransportError) -> [UInt8] {
        guard answer.count == 2, [0x60, 0x90].contains(answer[0] & 0xF0) else {
            throw .protocolViolation
        }
        return answer
    }
}
