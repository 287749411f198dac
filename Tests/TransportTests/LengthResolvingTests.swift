import Octets
import Testing
import Transport

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
    @Test(
        "A card that never stops is given up, at once where it sends nothing",
        arguments: [("6100", 2), ("6101", 2), ("AA6100", 258)]
    )
    func endless(answer: String, count: Int) throws {
        var transport = LengthResolvingTransport(EndlessCard(answer: try [UInt8](hex: answer)))
        #expect(throws: TransportError.protocolViolation) {
            try transport.transmit([0, 0xB2, 1, 12, 0])
        }
        #expect(transport.base.count == count)
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
