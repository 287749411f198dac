import ISO7816
import Octets
import Profiles

/// `apdus`: commands and responses as bytes (ISO 7816-3, 12.1.3).
enum APDUFamily: VectorFamily {
    case command([UInt8])
    case response([UInt8])

    static let name = "apdus"

    private enum Kind: String, CaseIterable { case command, response }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .command: self = .command(try input.message("data"))
        case .response: self = .response(try input.message("data"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .command(let bytes):
            let command = try CommandAPDU(parsing: bytes)
            return [
                "code": .bytes(command.code.rawValue), "parameters": .bytes(command.parameters),
                "body": .bytes(command.body),
                "expectedLength": command.expectedLength.map { .number($0) } ?? .nothing,
                "encoded": .bytes(command.bytes),
            ]
        case .response(let bytes):
            let response = try ResponseAPDU(parsing: bytes)
            return [
                "body": .bytes(response.body), "status": .bytes(response.status.rawValue),
                "encoded": .bytes(response.bytes),
            ]
        }
    }
}

/// `answers-to-reset`: what cards say when they are powered (ISO 7816-3, 8.2).
struct AnswerToResetFamily: VectorFamily {
    var answer: [UInt8]

    static let name = "answers-to-reset"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        answer = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        let answer = try AnswerToReset(parsing: answer)
        return [
            "interfaceBytes": .list(
                answer.interfaceBytes.map { .text("\($0.name) \([$0.value].hex)") }
            ),
            "protocols": .list(answer.protocols.map { .number(Int($0)) }),
            "historicalBytes": .bytes(answer.historicalBytes),
        ]
    }
}
