import CommandLineKit
import EMVCrypto
import EMVData
import Octets
import Profiles
import TerminalKernels
import TestVectors
import Traces
import Transport
import VirtualPOS

/// The JSON files that users write: cards, issuers, terminals and keys.
func fuzzJSON(_ bytes: [UInt8]) {
    _ = try? CardProfile(json: bytes)
    _ = try? TerminalConfiguration(json: bytes)
    if let issuers = try? IssuerProfile.issuers(json: bytes) {
        precondition(issuers.allSatisfy { $0.identificationNumber.allSatisfy { $0 <= 9 } })
    }
    if let keys = try? CAPublicKey.keys(json: bytes) {
        precondition(keys.allSatisfy(\.isChecksumValid), "a key that is not what it was")
        precondition(Set(keys.map { $0.rid + [$0.index] }).count == keys.count)
    }
}

/// Files of test values: whatever a file says, its cases are computed or refused.
func fuzzVectors(_ bytes: [UInt8]) {
    guard let file = try? VectorFile(json: bytes, name: "invented") else { return }
    precondition(VectorFamilies.names.contains(file.family) && !file.cases.isEmpty)
    precondition(Set(file.cases.map(\.id)).count == file.cases.count)
    for vector in file.cases.prefix(4) {
        switch vector.work {
        case .computation(let computation): _ = try? computation.run()
        case .cardTest(let test):
            var card = LenientCard([])
            _ = try? test.run(over: &card, redaction: Redaction())
        }
    }
}

/// Traces: what is read is written the same, and a terminal gets to an end with any card.
func fuzzTrace(_ bytes: [UInt8]) {
    guard let trace = try? Trace(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    precondition((try? Trace(parsing: trace.text)) == trace, "what was written reads otherwise")
    precondition(trace.wholeExchanges.count <= trace.exchanges.count)
    guard let terminal = try? RecordedTerminal(trace),
        let amount = Amount(minorUnits: 100, currency: .eur),
        let date = TransactionDate(year: 2026, month: 11, day: 30)
    else { return }
    let payment = Transaction(
        amount: amount,
        type: .purchase,
        date: date,
        time: [0x12, 0, 0],
        sequenceCounter: 1
    )
    guard let tap = try? terminal.tap(on: .builtIn, payment) else { return }
    precondition(Set(tap.card.played).count == tap.card.played.count, "an answer given twice")
}

/// Texts of other programs: what is read of them is a trace, and the same tap is the same.
func fuzzImport(_ bytes: [UInt8]) {
    guard let found = try? TraceImport(parsing: String(decoding: bytes, as: UTF8.self)) else {
        return
    }
    let trace = found.trace
    precondition((try? Trace(parsing: trace.text)) == trace, "what was written reads otherwise")
    precondition(TraceCapture(trace, startSeconds: .max).bytes.count % 4 == 0)
    var same = ExchangeComparison()
    var other = ExchangeComparison()
    for (exchange, next) in zip(trace.exchanges, trace.exchanges.dropFirst()) {
        precondition(exchange.isCommandPartial || same.command(exchange, exchange.command).isEmpty)
        _ = other.command(exchange, next.command)
        guard let response = try? exchange.result.get() else { continue }
        precondition(same.response(exchange, response).isEmpty)
        let found = other.response(exchange, (try? next.result.get()) ?? [])
        precondition(found.isEmpty == ((try? next.result.get()) == response))
    }
}

/// The words of a command line, one a line.
func fuzzArguments(_ bytes: [UInt8]) {
    let command = Command(
        "anything",
        summary: "Takes one of everything.",
        positionals: [Command.Positional("FILE", "Any.", isRepeatable: true, isOptional: true)],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .flag("flag", "On or off."), .value("value", "TEXT", "Any text."),
                    .value("list", "TEXT", "Any texts.", isRepeatable: true),
                    .choice("choice", ["one", "two"], "One of two.", default: "one"),
                ]
            )
        ],
        run: { _ in .success }
    )
    let words = String(decoding: bytes, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let arguments = try? Arguments(parsing: words, for: command) else { return }
    precondition(["one", "two"].contains(arguments["choice"]))
    precondition(arguments.values("value").count <= 1)
    precondition(arguments.positionals.count <= words.count)
}
