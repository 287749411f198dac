import EMVCrypto
import Foundation
import Octets
import TestSupport
import Testing

/// A recorded card: it answers the recorded commands in their order, and any other command is a failure.
struct RecordedCard: TestCard {
    private var exchanges: [(command: [UInt8], response: [UInt8])] = []
    private var position = 0

    /// Reads `Vectors/traces/name.trace`: a command behind `>`, its response behind `<`.
    init(_ name: String) throws {
        let file = RepositoryFile.root.appending(path: "Vectors/traces/\(name).trace")
        var command: [UInt8] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let bytes = line.dropFirst(2)
            if line.hasPrefix("> ") { command = try [UInt8](hex: bytes) }
            if line.hasPrefix("< ") { exchanges.append((command, try [UInt8](hex: bytes))) }
        }
    }

    /// Whether every exchange was played.
    var isFinished: Bool { position == exchanges.count }

    /// The recorded responses, to take apart in tests.
    var responses: [[UInt8]] {
        get { exchanges.map(\.response) }
        set { for index in exchanges.indices { exchanges[index].response = newValue[index] } }
    }

    mutating func answer(_ command: [UInt8]) -> Result<[UInt8], FieldFailure> {
        guard position < exchanges.count, exchanges[position].command == command else {
            Issue.record("not the recorded command: \(command.hex)")
            return .success([0x6F, 0x00])
        }
        defer { position += 1 }
        return .success(exchanges[position].response)
    }
}

/// The certification authority keys that certify the recorded cards.
enum RecordedCardKeys {
    struct Input: Decodable, Sendable {
        var rid: HexBytes
        var index: HexBytes
        var modulus: HexBytes
        var exponent: HexBytes
    }

    struct Expected: Decodable, Sendable {
        var checksum: HexBytes
    }

    static func all() throws -> [CAPublicKey] {
        try VectorFile<NoParameters, Input, Expected>.load("recorded-card-ca-keys").groups
            .flatMap(\.cases).map { vector in
                try CAPublicKey(
                    rid: vector.input.rid.bytes,
                    index: vector.input.index.bytes[0],
                    modulus: vector.input.modulus.bytes,
                    exponent: vector.input.exponent.bytes,
                    checksum: vector.expected.checksum.bytes
                )
            }
    }
}
