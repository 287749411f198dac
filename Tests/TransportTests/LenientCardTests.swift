import ISO7816
import Octets
import Testing
import Transport

/// A recording of two applications, and what a terminal may ask of it.
@Suite("Lenient card")
struct LenientCardTests {
    private static let done: [UInt8] = [0x90, 0x00]

    private static func select(_ name: [UInt8]) -> [UInt8] {
        CommandAPDU(.select, parameters: 0x0400, body: name, expectedLength: 256).bytes
    }
    private static func read(_ record: UInt8) -> [UInt8] {
        CommandAPDU(.readRecord, parameters: UInt16(record) << 8 | 0x0C, expectedLength: 256).bytes
    }
    private static func options(_ values: [UInt8]) -> [UInt8] {
        CommandAPDU(
            .getProcessingOptions,
            parameters: 0,
            body: [0x83, UInt8(values.count)] + values,
            expectedLength: 256
        ).bytes
    }
    private static let cplc: [UInt8] = [0x80, 0xCA, 0x9F, 0x7F, 0x00]

    private let recording = [
        Exchange(cplc, [0] + done),
        Exchange(select([1, 2, 3]), [1] + done),
        Exchange(options([7]), [2] + done),
        Exchange(read(1), [3] + done),
        Exchange(select([4, 5, 6]), [4] + done),
        Exchange(command: [], isCommandPartial: true, result: .success([5] + done)),
        Exchange(read(2), [6] + done),
        Exchange(command: read(3), result: .failure(.cardRemoved)),
    ]

    @Test("Asked as it was, it differs in nothing")
    func same() throws {
        var card = LenientCard(recording)
        for (index, exchange) in recording.enumerated().dropLast() {
            let command = index == 5 ? Self.options([9]) : exchange.command
            #expect(try card.transmit(command) == [UInt8(index)] + Self.done)
        }
        #expect(throws: TransportError.cardRemoved) { try card.transmit(Self.read(3)) }
        #expect(card.differences.isEmpty)
        #expect(card.unplayed.isEmpty)
    }

    @Test("What only the recorded terminal sent is passed over")
    func passedOver() throws {
        var card = LenientCard(recording)
        #expect(try card.transmit(Self.select([4, 5, 6])) == [4] + Self.done)
        #expect(try card.transmit(Self.read(2)) == [6] + Self.done)
        #expect(card.differences.isEmpty)
        #expect(card.played == [4, 6])
        #expect(card.unplayed == [0, 1, 2, 3, 5, 7])
    }

    @Test("The same question asked otherwise gets the recorded answer, and is a difference")
    func replaced() throws {
        var card = LenientCard(recording)
        let select = Self.select([1, 2, 3, 4])
        #expect(try card.transmit(select) == [1] + Self.done)
        #expect(try card.transmit(Self.options([8])) == [2] + Self.done)
        #expect(
            card.differences == [
                .replaced(index: 1, sent: select), .replaced(index: 2, sent: Self.options([8])),
            ]
        )
    }

    @Test("A record of another application is no answer; there is nothing, as a card says it")
    func refused() throws {
        var card = LenientCard(recording)
        _ = try card.transmit(Self.select([1, 2, 3]))
        #expect(try card.transmit(Self.read(2)) == [0x6A, 0x83])
        #expect(try card.transmit(Self.select([9, 9])) == [0x6A, 0x82])
        #expect(try card.transmit([0x00, 0x84, 0, 0, 8]) == [0x6D, 0x00])
        #expect(try card.transmit([1]) == [0x6D, 0x00])
        #expect(card.differences.count == 4)
        #expect(card.differences[0] == .unrecorded(sent: Self.read(2)))
        // What was refused moved nothing.
        #expect(try card.transmit(Self.read(1)) == [3] + Self.done)
        // What was played is not played again.
        #expect(try card.transmit(Self.read(1)) == [0x6A, 0x83])
    }

    @Test("The other application's answer to the same question is none either")
    func section() throws {
        var card = LenientCard([
            Exchange(Self.select([1, 2, 3]), Self.done),
            Exchange(Self.select([4, 5, 6]), Self.done),
            Exchange(Self.options([7]), [2] + Self.done),
        ])
        _ = try card.transmit(Self.select([1, 2, 3]))
        #expect(try card.transmit(Self.options([7])) == [0x6D, 0x00])
        #expect(try card.transmit(Self.options([8])) == [0x6D, 0x00])
        _ = try card.transmit(Self.select([4, 5, 6]))
        #expect(try card.transmit(Self.options([8])) == [2] + Self.done)
    }

    @Test("A stand-in answers what the recording has not, and is a difference all the same")
    func standIn() throws {
        let answer = Exchange(Self.select([8]), [8] + Self.done)
        var card = LenientCard(recording, standIns: [answer])
        #expect(try card.transmit(answer.command) == [8] + Self.done)
        #expect(try card.transmit(Self.select([1, 2, 3])) == [1] + Self.done)
        #expect(card.differences == [.unrecorded(sent: answer.command)])
    }
}
