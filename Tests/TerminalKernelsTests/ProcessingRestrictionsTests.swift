import BERTLV
import EMVData
import Octets
import TerminalKernels
import TestSupport
import Testing

/// Restrictions of an independent implementation's tests, seen in kernel 2's TVR (EMV Book C-2, 7.7).
@Suite("Processing restrictions")
struct ProcessingRestrictionsTests {
    struct Input: Decodable, Sendable {
        var terminal: [String: HexBytes]
        var transactionType: HexBytes
        var date: HexBytes
        var card: [String: HexBytes]
    }

    struct Expected: Decodable, Sendable { var tvr: HexBytes }

    static func vectors() throws -> [VectorCase<Input, Expected>] {
        try VectorFile<NoParameters, Input, Expected>.load("processing-restrictions").groups
            .flatMap(\.cases)
    }

    @Test("Versions, dates and usage control", arguments: try vectors())
    func restrictions(vector: VectorCase<Input, Expected>) throws {
        func tag(_ text: String) throws -> BERTLV.Tag {
            let tag = try BERTLV.Tag(bytes: [UInt8](hex: text))
            return try #require(tag)
        }
        var terminal = try TestTerminal.mastercard()
        terminal.type = TransactionType(rawValue: vector.input.transactionType.bytes[0])
        terminal.date = try #require(TransactionDate(bytes: vector.input.date.bytes)).description
        for (name, value) in vector.input.terminal {
            terminal.terminalData[try tag(name)] = value.bytes
        }
        var card = MastercardCard()
        // What the vector does not give is not on its card.
        card.recordObjects = [
            (.applicationVersionNumber, ""), (.applicationUsageControl, ""),
            (.issuerCountryCode, ""), (.applicationEffectiveDate, ""),
        ]
        for (name, value) in vector.input.card {
            card.recordObjects.append((try tag(name), value.bytes.hex))
        }
        let tap = try terminal.tap(card.card())
        let results = try #require(tap.value(.terminalVerificationResults))
        #expect(results.dropFirst(2).prefix(2) == vector.expected.tvr.bytes[1...1].hex)
    }

    @Test(
        "Cashback is judged by the amount paid out, at home and abroad",
        arguments: [
            ("FF80", "0056", false), ("FF40", "0056", true), ("FF40", "0840", false),
            ("FF80", "0840", true),
        ]
    )
    func cashback(control: String, country: String, isRestricted: Bool) throws {
        var terminal = try TestTerminal.mastercard()
        terminal.type = .cashback
        terminal.amountOther = 500
        var card = MastercardCard()
        card.recordObjects = [(.applicationUsageControl, control), (.issuerCountryCode, country)]
        let tap = try terminal.tap(card.card())
        #expect(
            tap.value(.terminalVerificationResults)
                == (isRestricted ? "0010000001" : "0000000001")
        )
        terminal.amountOther = nil
        #expect(
            try terminal.tap(card.card()).value(.terminalVerificationResults) == "0000000001"
        )
    }

    @Test(
        "Goods or services, at home and abroad",
        arguments: [
            ("21C0", "0056", false), ("09C0", "0056", false), ("D7C0", "0056", true),
            ("11C0", "0840", false), ("05C0", "0840", false), ("EBC0", "0840", true),
        ]
    )
    func goods(control: String, country: String, isRestricted: Bool) throws {
        var card = MastercardCard()
        card.recordObjects = [(.applicationUsageControl, control), (.issuerCountryCode, country)]
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(
            tap.value(.terminalVerificationResults)
                == (isRestricted ? "0010000001" : "0000000001")
        )
    }
}
