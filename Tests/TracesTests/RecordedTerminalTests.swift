import BERTLV
import EMVData
import Foundation
import Octets
import TestSupport
import Testing
import Traces
import Transport

/// Reads one of the recorded cards.
private func recorded(_ name: String) throws -> Trace {
    let file = RepositoryFile.root.appending(path: "Vectors/traces/\(name).trace")
    return try Trace(parsing: String(contentsOf: file, encoding: .utf8))
}

@Suite("Recorded terminal")
struct RecordedTerminalTests {
    @Test(
        "The recorded cards are read and written the same",
        arguments: try FileManager.default.contentsOfDirectory(
            atPath: RepositoryFile.root.appending(path: "Vectors/traces").path()
        )
    )
    func roundTrip(name: String) throws {
        let file = RepositoryFile.root.appending(path: "Vectors/traces/\(name)")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(try Trace(parsing: text).text == text)
    }

    @Test("The PDOL of a Visa card names what the terminal gave")
    func visa() throws {
        let trace = try recorded("visa-offline")
        let activations = try trace.activations()
        try #require(activations.count == 1)
        #expect(activations[0].index == 2)
        #expect(activations[0].dedicatedFileName.hex == "A0000000031010")
        #expect(
            activations[0].processingOptions.map { "\($0.tag)=\($0.value.hex)" } == [
                "9F66=24004000", "9F02=000000000200", "5F2A=0840", "9F37=ABABABAB",
            ]
        )
        #expect(activations[0].generateAC.isEmpty)
        #expect(
            trace.headerObjects.map { "\($0.tag)=\($0.value.hex)" } == [
                "9A=190819", "9C=00", "9F1A=0840",
            ]
        )
    }

    @Test("CDOL1 of a Mastercard card names the rest")
    func mastercard() throws {
        let activation = try #require(try recorded("mastercard-offline").activations().first)
        let expected: [(BERTLV.Tag, String)] = [
            (.amountAuthorised, "000000000001"), (.amountOther, "000000000000"),
            (.terminalCountryCode, "0056"), (.terminalVerificationResults, "0000000001"),
            (.transactionCurrencyCode, "0978"), (.transactionDate, "190819"),
            (.transactionType, "00"), (.unpredictableNumber, "33BCA47D"), (.terminalType, "26"),
            (.dataAuthenticationCode, "0000"), (.iccDynamicNumber, "0000000000000000"),
            (.cvmResults, "1F0302"), (.transactionTime, "000000"),
            (.additionalTerminalCapabilities, "6000F00001"),
        ]
        for (tag, value) in expected { #expect(activation.value(tag)?.hex == value, "\(tag)") }
        #expect(activation.value(.terminalCapabilities) == nil)
    }

    @Test("The last list that asks for an object tells its value")
    func twice() throws {
        let activation = try #require(try recorded("mastercard-online").activations().first)
        #expect(
            activation.processingOptions.first { $0.tag == .terminalCapabilities }?.value.hex
                == "000008"
        )
        #expect(activation.value(.terminalCapabilities)?.hex == "000808")
    }

    @Test("Commands that do not fit the card's list are an error")
    func misfit() throws {
        var trace = try recorded("visa-offline")
        trace.exchanges[2].command[4] -= 1
        trace.exchanges[2].command[6] -= 1
        trace.exchanges[2].command.remove(at: 7)
        #expect(throws: TraceError(.misfit(exchange: 3))) { try trace.activations() }

        var other = try recorded("mastercard-offline")
        other.exchanges[8].command[4] = 1
        other.exchanges[8].command.removeSubrange(6...)
        #expect(throws: TraceError(.misfit(exchange: 9))) { try other.activations() }
    }

    @Test("A card without lists and a trace without a payment tell nothing")
    func nothing() throws {
        let select = Exchange([0, 0xA4, 4, 0, 0], [0x90, 0])
        #expect(try Trace(exchanges: [select]).activations().isEmpty)
        let options = Exchange([0x80, 0xA8, 0, 0, 2, 0x83, 0, 0], [0x6A, 0x82])
        let activations = try Trace(exchanges: [select, options]).activations()
        #expect(activations.map(\.processingOptions) == [[]])
        #expect(activations.map(\.dedicatedFileName) == [[]])
    }

    @Test("What a reader speaking T=0 made several exchanges of is read as one")
    func chains() throws {
        let whole = try recorded("visa-offline")
        var trace = whole
        // SELECT is answered by 61xx; the length of READ RECORD is corrected; GPO in two parts.
        let selection = try trace.exchanges[1].result.get()
        trace.exchanges[1] = Exchange(trace.exchanges[1].command, [0x61, 0x29])
        trace.exchanges.insert(Exchange([0x00, 0xC0, 0, 0, 0x29], selection), at: 2)
        let options = try trace.exchanges[3].result.get()
        trace.exchanges[3] = Exchange(
            trace.exchanges[3].command,
            options.prefix(100) + [0x61, 0x55]
        )
        trace.exchanges.insert(
            Exchange([0x00, 0xC0, 0, 0, 0x55], Array(options.dropFirst(100))),
            at: 4
        )
        var corrected = trace.exchanges[5]
        corrected.command[4] = 0x16
        trace.exchanges[5].result = .success([0x6C, 0x16])
        trace.exchanges.insert(corrected, at: 6)

        #expect(trace.exchanges.count == whole.exchanges.count + 3)
        #expect(trace.wholeExchanges.map(\.exchange) == whole.exchanges)
        #expect(trace.wholeExchanges.map(\.index) == [0, 1, 3, 5, 7, 8])
        #expect(whole.wholeExchanges.map(\.index) == Array(0..<6))
        var activations = try trace.activations()
        activations[0].index -= 1
        #expect(try activations == whole.activations())
    }

    @Test("What was not recorded of a command tells nothing")
    func partialCommands() throws {
        var trace = try recorded("visa-offline")
        trace.exchanges[2].command = [0x80, 0xA8, 0, 0]
        trace.exchanges[2].isCommandPartial = true
        let activations = try trace.activations()
        #expect(activations.map(\.processingOptions) == [[]])
        #expect(activations[0].dedicatedFileName.hex == "A0000000031010")
    }

    @Test("A terminal that fills nothing in tells nothing")
    func emptyTemplate() throws {
        var trace = try recorded("visa-offline")
        trace.exchanges[2].command = [0x80, 0xA8, 0, 0, 2, 0x83, 0, 0]
        #expect(try trace.activations().map(\.processingOptions) == [[]])
    }
}
