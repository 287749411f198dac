import Octets
import TestSupport
import Testing
import Transport

/// A case of `Vectors/response-lengths.json`.
private struct LengthCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Input: Decodable {
        struct Exchange: Decodable {
            var command: String
            var response: String
        }
        var exchanges: [Exchange]
    }
    struct Expected: Decodable { var response: String? }
    var id: String
    var input: Input
    var expected: Expected
    var testDescription: String { id }

    /// What the card was asked and answered.
    func exchanges() throws -> [Exchange] {
        try input.exchanges.map {
            Exchange(try [UInt8](hex: $0.command), try [UInt8](hex: $0.response))
        }
    }

    struct File: Decodable {
        struct Group: Decodable { var cases: [LengthCase] }
        var groups: [Group]
    }

    static func all() throws -> [LengthCase] {
        try RepositoryFile.json("Vectors/response-lengths.json", as: File.self).groups.flatMap(
            \.cases
        )
    }
}

/// A card that always has more to say.
private struct EndlessCard: Transport {
    var answer: [UInt8]
    var count = 0

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        count += 1
        return answer
    }
}

@Suite("Response lengths")
struct LengthResolvingTests {
    @Test("61xx and 6Cxx end in one response", arguments: try LengthCase.all())
    private func vectors(_ vector: LengthCase) throws {
        var transport = LengthResolvingTransport(ScriptedCard(try vector.exchanges()))
        let command = try vector.exchanges()[0].command
        if let expected = vector.expected.response {
            #expect(try transport.transmit(command).hex == expected)
        } else {
            #expect(throws: TransportError.protocolViolation) { try transport.transmit(command) }
        }
        #expect(transport.base.isFinished)
    }

    @Test("A card that never stops is given up", arguments: ["6100", "AA6100", "6101"])
    func endless(answer: String) throws {
        var transport = LengthResolvingTransport(EndlessCard(answer: try [UInt8](hex: answer)))
        #expect(throws: TransportError.protocolViolation) {
            try transport.transmit([0, 0xB2, 1, 12, 0])
        }
        #expect(transport.base.count <= LengthResolvingTransport<EndlessCard>.maximumRounds)
    }

    @Test("More than an APDU can hold is given up")
    func tooLong() throws {
        let answer = [UInt8](repeating: 0xAA, count: 1000) + [0x61, 0x00]
        var transport = LengthResolvingTransport(EndlessCard(answer: answer))
        #expect(throws: TransportError.protocolViolation) {
            try transport.transmit([0, 0xB2, 1, 12, 0])
        }
        #expect(transport.base.count == 66)
    }

    @Test("What is no APDU goes through, and 6Cxx to it is only reported")
    func rawBytes() throws {
        let exchange = Exchange([0xFF, 0x00], [0x6C, 0x04])
        var transport = LengthResolvingTransport(ScriptedCard([exchange]))
        #expect(try transport.transmit([0xFF, 0x00]) == [0x6C, 0x04])
    }
}
