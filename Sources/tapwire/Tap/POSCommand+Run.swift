import CommandLineKit
import EMVData
import Foundation
import PCSC
import Profiles
import TerminalKernels
import Traces
import Transport
import VirtualPOS

extension POSCommand {
    /// Takes the payments on a thread of their own, since a reader blocks.
    static func run(_ arguments: Arguments) async throws -> ExitCode {
        let desk = try POSDesk(arguments)
        return try await onThread(named: "reader") { try desk.run() }
    }
}

/// A point of sale with its issuer, for as many payments as it shall take.
private struct POSDesk: Sendable {
    private let arguments: Arguments
    private let terminal: TerminalOptions
    private let pointOfSale: POSTerminal
    private let bank: any AuthorizationHost
    private let interruption = Interruption()
    private let trace: OutputFile?
    /// How many payments; nil for any number.
    private let count: Int?

    /// Enough for any number of payments: what an account has is not what is tried here.
    private static let availableMinorUnits: UInt64 = 1_000_000_000_000
    /// How long to wait before a reader that was lost is looked for again.
    private static let pauseSeconds = 0.5

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        let number = try arguments.count()
        count = arguments.has("loop") || number != nil ? number : 1
        guard count == 1 || !arguments.has("trace") else {
            throw CommandFailure(
                .usage,
                "a trace holds one payment; leave out --trace, or --loop and --count"
            )
        }
        guard try PaymentOptions(arguments).amount != nil else {
            throw CommandFailure(.usage, "pos needs --amount, such as --amount 12.34")
        }
        trace = try OutputFile("trace", "trace file", arguments)
        terminal = try TerminalOptions(arguments)
        pointOfSale = try terminal.pointOfSale()
        let cards =
            try arguments.values("profile").map { try CardOptions(path: $0).personalization }
            + Scheme.allCases.map { try CardPersonalization(.builtIn($0)) }
        let testBank: TestBank
        do {
            testBank = try TestBank(cards, availableMinorUnits: Self.availableMinorUnits)
        } catch {
            throw CommandFailure(.badFile, "the issuer cannot take a card of --profile: \(error)")
        }
        bank =
            if let path = arguments["wallet"] {
                WalletBank(tokens: try StoredWallet(path: path).tokens, others: testBank)
            } else {
                testBank
            }
    }

    /// Takes the payments.
    func run() throws -> ExitCode {
        var reader = try openReader()
        var environment = terminal.environment(try PaymentOptions(arguments))
        var tally = Tally()
        var lost: CommandFailure?
        while tally.count != count, !interruption.isRequested, !Console.hasLostOutput {
            do {
                let run = try tap(&reader, &environment, number: tally.count + 1)
                tally.add(run)
                // Whoever ends the wait for the card to leave ends no payment.
                if count == 1 { interruption.conclude(tally.exitCode) }
                lost = nil
                try awaitRemoval(reader)
            } catch let failure as CommandFailure {
                if interruption.isRequested || Console.hasLostOutput { break }
                guard count != 1, failure.exitCode == .unavailable else { throw failure }
                // A long wait is told once.
                if failure != lost {
                    Console.diagnostics.write(
                        "tapwire: \(failure.message.escapingControls); waiting for it\n"
                    )
                }
                lost = failure
                Thread.sleep(forTimeInterval: Self.pauseSeconds)
                if let found = try? openReader() { reader = found }
            }
        }
        if count != 1, !arguments.has("json") { Console.output.write(tally.text) }
        if tally.count == 0, count == 1, !Console.hasLostOutput {
            throw CommandFailure(.failure, "interrupted before a payment was made")
        }
        return tally.exitCode
    }

    private func openReader() throws -> PCSCReader {
        // No payment is made that nobody would see.
        try ReaderOptions.open(arguments) { [interruption] in
            interruption.isRequested || Console.hasLostOutput
        }
    }

    /// Takes one payment and shows it.
    private func tap(
        _ reader: inout PCSCReader,
        _ environment: inout POSEnvironment,
        number: Int
    ) throws -> TapRun {
        let transaction = try PaymentOptions(arguments).transaction(number: number)
        let redaction = Redaction(arguments.has("unmask") ? .nothing : .cardholderData)
        let show = LiveTap(transaction, redaction, isQuiet: arguments.has("json"))
        let cardName = "the card in \(reader.name.escapingControls)"
        show.head(cardName)
        let report: TapReport
        do throws(TransportError) {
            report = try pointOfSale.tap(
                transaction,
                over: &reader,
                host: bank,
                environment: &environment,
                surroundings: POSTerminal.Surroundings(
                    clock: .continuous,
                    wait: { Thread.sleep(forTimeInterval: $0 / .seconds(1)) },
                    // The reader itself waits, and says when the wait is given up.
                    presentCard: { _ in true },
                    observe: { show.tell($0) }
                )
            )
        } catch {
            throw CommandFailure(error)
        }
        let run = TapRun(report: report, cardName: cardName, isPublic: false)
        try show.end(run, trace)
        return run
    }

    /// Waits until the card has left; a card in a virtual reader never does.
    private func awaitRemoval(_ reader: borrowing PCSCReader) throws {
        guard !reader.isVirtual else { return }
        if !arguments.has("json") {
            Console.output.write(
                "Waits for the card to leave \(reader.name.escapingControls).\n"
            )
        }
        _ = try PCSCSupport.attempt { () throws(PCSCError) in try reader.awaitRemoval() }
    }
}

/// A tap as it is shown while it happens.
private final class LiveTap {
    private let redaction: Redaction
    private let isQuiet: Bool
    private let transaction: Transaction
    private var page: TapText

    /// Starts with nothing shown; where it is quiet, only the end is, as JSON.
    init(_ transaction: Transaction, _ redaction: Redaction, isQuiet: Bool) {
        self.transaction = transaction
        self.redaction = redaction
        self.isQuiet = isQuiet
        page = TapText(
            currency: transaction.amount.currency,
            redaction: redaction,
            console: .output,
            showsExchanges: false
        )
    }

    func head(_ cardName: String) { write(page.heading(transaction, cardName)) }

    func tell(_ event: TapEvent) { write(page.text(event)) }

    /// Shows how it ended, and writes the trace.
    func end(_ run: TapRun, _ trace: OutputFile?) throws {
        if isQuiet {
            var json = TapJSON(run: run, redaction: redaction)
            Console.output.write(json.value().line + "\n")
        } else {
            write(page.conclusion(run) + "\n")
        }
        try trace?.write(Trace(run, redaction: redaction).text)
    }

    private func write(_ text: String) {
        guard !isQuiet, !text.isEmpty else { return }
        Console.output.write(text)
    }
}

/// What several payments came to.
private struct Tally {
    private(set) var count = 0
    private(set) var exitCode = ExitCode.success
    private var results: [(word: String, count: Int)] = []

    mutating func add(_ run: TapRun) {
        count += 1
        if exitCode == .success { exitCode = run.exitCode }
        let word = run.report.result.shortText
        if let index = results.firstIndex(where: { $0.word == word }) {
            results[index].count += 1
        } else {
            results.append((word, 1))
        }
    }

    /// One line: `3 taps: 2 approved, 1 declined`.
    var text: String {
        let parts = results.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
        return "\(count) tap\(count == 1 ? "" : "s")\(parts.isEmpty ? "" : ": \(parts)")\n"
    }
}

extension TapReport.Result {
    /// The result in a word.
    fileprivate var shortText: String {
        switch self {
        case .approvedOffline, .approvedOnline: "approved"
        case .declinedOffline, .declinedOnline: "declined"
        case .unanswered: "not decided"
        case .ended: "ended"
        }
    }
}
