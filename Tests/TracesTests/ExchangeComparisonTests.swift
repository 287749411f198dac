import BERTLV
import EMVData
import Foundation
import ISO7816
import Octets
import TestSupport
import Testing
import Traces
import Transport

/// Compares the recorded card with itself, but for one change of a response or of a command.
private func differences(
    in name: String,
    _ comparison: ExchangeComparison = ExchangeComparison(),
    of index: Int,
    _ change: (inout Exchange) throws -> Void
) throws -> (commands: [Difference], responses: [Difference]) {
    let file = RepositoryFile.root.appending(path: "Vectors/traces/\(name).trace")
    let trace = try Trace(parsing: String(contentsOf: file, encoding: .utf8))
    var comparison = comparison
    var found: (commands: [Difference], responses: [Difference]) = ([], [])
    for (position, recorded) in trace.exchanges.enumerated() {
        var exchange = recorded
        if position == index { try change(&exchange) }
        found.commands += comparison.command(recorded, exchange.command)
        found.responses += comparison.response(recorded, try exchange.result.get())
    }
    return found
}

extension Exchange {
    /// Replaces bytes of the command.
    fileprivate mutating func send(_ old: String, _ new: String) throws {
        #expect(command.hex.contains(old))
        command = try [UInt8](hex: command.hex.replacing(old, with: new))
    }

    /// Replaces bytes of the response.
    fileprivate mutating func answer(_ old: String, _ new: String) throws {
        let response = try result.get().hex
        #expect(response.contains(old))
        result = .success(try [UInt8](hex: response.replacing(old, with: new)))
    }
}

@Suite("Comparison with a recorded tap")
struct ExchangeComparisonTests {
    @Test("A tap is what it was", arguments: ["visa-offline", "mastercard-offline"])
    func same(name: String) throws {
        for changing in [ExchangeComparison.changing, []] {
            let comparison = ExchangeComparison(changing: changing)
            let found = try differences(in: name, comparison, of: -1) { _ in }
            #expect(found.commands.isEmpty && found.responses.isEmpty)
        }
    }

    @Test("Another unpredictable number is allowed, another amount only where that is said")
    func commands() throws {
        let number = try differences(in: "visa-offline", of: 2) {
            try $0.send("ABABABAB", "01020304")
        }
        #expect(
            number.commands == [
                Difference(
                    .object(.unpredictableNumber),
                    expected: [0xAB, 0xAB, 0xAB, 0xAB],
                    got: [1, 2, 3, 4],
                    isAllowed: true
                )
            ]
        )
        let amount = { (exchange: inout Exchange) throws in
            try exchange.send("000000000200", "000000000300")
        }
        #expect(
            try differences(in: "visa-offline", of: 2, amount).commands.map(\.isAllowed) == [false]
        )
        let varied = ExchangeComparison(
            changing: ExchangeComparison.changing.union([.amountAuthorised])
        )
        #expect(
            try differences(in: "visa-offline", varied, of: 2, amount).commands.map(\.isAllowed)
                == [true]
        )
        // CDOL1 names what GENERATE AC carries.
        let generate = try differences(in: "mastercard-offline", of: 8) {
            try $0.send("33BCA47D", "FFFFFFFF")
        }
        #expect(generate.commands.map(\.place) == [.object(.unpredictableNumber)])
        #expect(generate.commands.map(\.isAllowed) == [true])
    }

    @Test("Without lists every byte of a command counts")
    func strict() throws {
        let found = try differences(in: "visa-offline", ExchangeComparison(changing: []), of: 2) {
            try $0.send("ABABABAB", "01020304")
        }
        #expect(found.commands.map(\.place) == [.whole])
        #expect(found.commands.map(\.isAllowed) == [false])
    }

    @Test("What commands are not about is never allowed to be otherwise")
    func headers() throws {
        for (old, new) in [("00B2", "80B2"), ("011C", "021C"), ("1C00", "1C01")] {
            let found = try differences(in: "visa-offline", of: 3) { try $0.send(old, new) }
            #expect(found.commands.map(\.place) == [.whole])
        }
    }

    @Test("A counter and a cryptogram are allowed, a record is not")
    func responses() throws {
        let found = try differences(in: "visa-offline", of: 2) {
            try $0.answer("9F3602", "9F3603")
        }
        // The lengths do not fit any more, so that the bytes are no objects.
        #expect(found.responses.map(\.place) == [.whole])

        let file = RepositoryFile.root.appending(path: "Vectors/traces/visa-offline.trace")
        let trace = try Trace(parsing: String(contentsOf: file, encoding: .utf8))
        let options = try ResponseAPDU(parsing: trace.exchanges[2].result.get())
        let counter = try #require(
            TLV.first(.applicationTransactionCounter, in: options.objects(to: nil))?.value
        )
        let next = try differences(in: "visa-offline", of: 2) {
            try $0.answer("9F3602\(counter.hex)", "9F3602FFFE")
        }
        #expect(
            next.responses == [
                Difference(
                    .object(.applicationTransactionCounter),
                    expected: counter,
                    got: [0xFF, 0xFE],
                    isAllowed: true
                )
            ]
        )
        let record = try differences(in: "mastercard-offline", of: 3) {
            try $0.answer("5A08", "5B08")
        }
        #expect(record.responses.map(\.isAllowed) == [false, false])
        #expect(record.responses.map { $0.got == nil } == [true, false])
        #expect(record.responses.map { $0.expected == nil } == [false, true])
    }

    @Test("Another status word is told apart from the data")
    func status() throws {
        let found = try differences(in: "visa-offline", of: 3) { exchange in
            exchange.result = exchange.result.map { $0.dropLast(2) + [0x62, 0x83] }
        }
        #expect(
            found.responses == [Difference(.status, expected: [0x90, 0], got: [0x62, 0x83])]
        )
        let bare = try differences(in: "visa-offline", of: 3) {
            $0.result = .success([0x6A, 0x83])
        }
        #expect(bare.responses.first?.place == .status)
        #expect(bare.responses.count > 1)
    }

    @Test("A response in format 1 is taken apart by its place")
    func formats() throws {
        let command = try [UInt8](hex: "80AE8000010000")
        var comparison = ExchangeComparison()
        let old = try [UInt8](hex: "8012800001112233445566778806010A03A0A8009000")
        let new = try [UInt8](hex: "8012800002112233445566779906010A03A0A8009000")
        let found = comparison.response(Exchange(command, old), new)
        #expect(
            found.map(\.place) == [
                .object(.applicationTransactionCounter), .object(.applicationCryptogram),
            ]
        )
        let declined = try [UInt8](hex: "8012000001112233445566778806010A03A0A8009000")
        let other = comparison.response(Exchange(command, old), declined)
        #expect(other.map(\.place) == [.object(.cryptogramInformationData)])
        #expect(other.map(\.isAllowed) == [false])
    }

    @Test("The same objects in another order are other bytes")
    func order() throws {
        var comparison = ExchangeComparison()
        let command = try [UInt8](hex: "00B2010C00")
        let old = try [UInt8](hex: "70075A01119F0701229000")
        let new = try [UInt8](hex: "70079F0701225A01119000")
        #expect(comparison.response(Exchange(command, old), new).map(\.place) == [.whole])
    }

    @Test("9F69 changes with Visa and stays with Mastercard")
    func cardData() throws {
        let read = try [UInt8](hex: "00B2010C00")
        let old = try [UInt8](hex: "70079F6904010203049000")
        let new = try [UInt8](hex: "70079F6904010203059000")
        for (name, isAllowed) in [("A0000000031010", true), ("A0000000041010", false)] {
            var comparison = ExchangeComparison()
            let select = try Exchange(
                [UInt8](hex: "00A4040007\(name)00"),
                [UInt8](hex: "6F098407\(name)9000")
            )
            _ = comparison.response(select, try select.result.get())
            let found = comparison.response(Exchange(read, old), new)
            #expect(found.map(\.isAllowed) == [isAllowed])
        }
    }
}

@Suite("Replayed card")
struct ReplayedCardTests {
    private static let select = Exchange([0, 0xA4, 4, 0], [0x90, 0])
    private static let read = Exchange([0, 0xB2, 1, 0x14, 0], [0x6A, 0x83])

    @Test("It answers as recorded, to the end")
    func answers() throws {
        var card = ReplayedCard([Self.select, Self.read], ExchangeComparison())
        #expect(try card.transmit(Self.select.command) == [0x90, 0])
        #expect(!card.isFinished)
        #expect(try card.transmit(Self.read.command) == [0x6A, 0x83])
        #expect(card.isFinished)
        let end = TransportError.endOfScript(got: Self.read.command, index: 2)
        #expect(throws: end) { try card.transmit(Self.read.command) }
        #expect(!card.isFinished)
        #expect(card.deviation?.error == end)
    }

    @Test("The first deviation stays, whatever comes after it")
    func deviates() throws {
        var card = ReplayedCard([Self.select, Self.read], ExchangeComparison())
        let error = TransportError.unexpectedCommand(
            expected: Self.select.command,
            got: Self.read.command,
            index: 0
        )
        #expect(throws: error) { try card.transmit(Self.read.command) }
        #expect(throws: error) { try card.transmit(Self.select.command) }
        #expect(card.deviation?.differences.map(\.place) == [.whole])
        #expect(card.position == 0)
    }

    @Test("A recorded failure fails again, and the next exchange follows")
    func failures() throws {
        let failed = Exchange(command: Self.select.command, result: .failure(.timeout))
        var card = ReplayedCard([failed, Self.read], ExchangeComparison())
        #expect(throws: TransportError.timeout) { try card.transmit(Self.select.command) }
        #expect(try card.transmit(Self.read.command) == [0x6A, 0x83])
    }
}
