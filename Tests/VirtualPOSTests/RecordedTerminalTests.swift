import BERTLV
import EMVData
import Foundation
import Octets
import Profiles
import TerminalKernels
import TestSupport
import Testing
import Traces
import Transport
import VirtualPOS

private func recorded(_ name: String) throws -> Trace {
    let file = RepositoryFile.root.appending(path: "Vectors/traces/\(name).trace")
    return try Trace(parsing: String(contentsOf: file, encoding: .utf8))
}

/// A payment that no recording here has.
private func payment() throws -> Transaction {
    Transaction(
        amount: try #require(Amount(minorUnits: 4711, currency: .usd)),
        type: .refund,
        date: try #require(TransactionDate(text: "2031-01-02")),
        time: [1, 2, 3],
        sequenceCounter: 9
    )
}

@Suite("The terminal of a recording")
struct RecordedTerminalTests {
    @Test("The payment is the recorded one, and the given one where nothing is told")
    func transaction() throws {
        let told = try RecordedTerminal(recorded("mastercard-offline"))
        let transaction = told.transaction(try payment())
        #expect(transaction.amount == Amount(minorUnits: 1, currency: .eur))
        #expect(transaction.amountOther == nil)
        #expect(transaction.type == .purchase)
        #expect(transaction.date == TransactionDate(text: "2019-08-19"))
        #expect(transaction.time == [0, 0, 0])
        #expect(transaction.sequenceCounter == 9)

        var silent = try recorded("visa-prepaid-1")
        silent.exchanges[2].isCommandPartial = true
        let untold = try RecordedTerminal(silent)
        #expect(untold.currency == nil)
        #expect(untold.amount(in: .usd) == nil)
        let date = try #require(TransactionDate(text: "2016-06-15"))
        var expected = try payment()
        // A header tells it.
        expected.date = date
        #expect(untold.transaction(try payment()) == expected)
    }

    /// DF8117 to DF8119 and DF811F stand for the bytes of 9F33.
    @Test("Kernel 2 keeps the capabilities it is configured with unless others are recorded")
    func capabilities() throws {
        let tags: Set<BERTLV.Tag> = [
            .cardDataInputCapability, .cvmCapabilityCVMRequired, .cvmCapabilityNoCVMRequired,
            .securityCapability,
        ]
        func configured(_ name: String) throws -> Set<BERTLV.Tag> {
            let terminal = try RecordedTerminal(recorded(name))
            let configuration = terminal.configuration(.builtIn, for: try payment())
            let combination = try #require(configuration.combinations.first { $0.kernel == 2 })
            return tags.intersection(combination.dataObjects.map(\.tag))
        }
        #expect(try configured("mastercard-debit-1") == tags)
        #expect(try configured("mastercard-offline") == tags)
        #expect(try configured("mastercard-online").isEmpty)
    }

    @Test("A directory made for a run names its applications in order")
    func directory() throws {
        let terminal = try RecordedTerminal(recorded("mastercard-contact"))
        let tap = try terminal.tap(
            on: .builtIn,
            payment(),
            directory: [[0xA0, 0, 0, 0, 9, 9, 9], [UInt8](hex: "A0000000041010")]
        )
        #expect(
            tap.card.differences.map { difference in
                guard case .unrecorded(let sent) = difference else { return "" }
                return sent.hex
            } == ["00A404000E325041592E5359532E444446303100"]
        )
        #expect(tap.card.played == [0, 1])
    }

    @Test("A failure of the reader that was recorded ends the tap")
    func readerFailure() throws {
        var trace = try recorded("visa-offline")
        trace.exchanges[2].result = .failure(.reader(code: 5))
        let terminal = try RecordedTerminal(trace)
        #expect(throws: TransportError.reader(code: 5)) {
            try terminal.tap(on: .builtIn, payment())
        }
    }

    /// Contact cards among them speak T=0; commands of which only a part is known are sent as far as that goes.
    @Test(
        "Every recorded chain of exchanges is made of one command each",
        arguments: try FileManager.default.contentsOfDirectory(
            atPath: RepositoryFile.root.appending(path: "Vectors/traces").path()
        ).map { String($0.dropLast(".trace".count)) }
    )
    func chains(name: String) throws {
        let trace = try recorded(name)
        var transport = LengthResolvingTransport(ScriptedCard(trace.exchanges))
        for (_, exchange) in trace.wholeExchanges {
            let result: Result<[UInt8], TransportError>
            do throws(TransportError) {
                result = .success(try transport.transmit(exchange.command))
            } catch {
                result = .failure(error)
            }
            #expect(result == exchange.result, "\(exchange.command.hex)")
        }
        #expect(transport.unwrapped().isFinished)
    }
}
