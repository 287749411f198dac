import CommandLineKit
import EMVCrypto
import EMVData
import Octets
import Profiles
import TerminalKernels
import Traces
import Transport
import VirtualPOS

extension TapCommand {
    /// Makes the payment and shows it.
    static func run(_ arguments: Arguments) async throws -> ExitCode {
        let options = try PaymentOptions(arguments)
        let trace = try OutputFile("trace", "trace file", arguments)
        let terminal = try TerminalOptions(arguments)
        let run: TapRun
        if let path = arguments["card-trace"] {
            run = try replay(RecordedCard(path: path), terminal, options, arguments)
        } else {
            run = try await pay(terminal, options, arguments)
        }
        let isOpen = run.isPublic || arguments.has("unmask")
        let redaction = Redaction(isOpen ? .nothing : .cardholderData)
        if arguments.has("json") {
            var json = TapJSON(run: run, redaction: redaction)
            Console.output.write(json.value().text)
        } else {
            var page = TapText(
                currency: run.report.transaction.amount.currency,
                redaction: redaction,
                console: .output
            )
            Console.output.write(page.text(run))
        }
        try trace?.write(Trace(run, redaction: redaction).text)
        return run.exitCode
    }

    /// Lets a wallet's card pay.
    private static func pay(
        _ terminal: TerminalOptions,
        _ options: PaymentOptions,
        _ arguments: Arguments
    ) async throws -> TapRun {
        guard options.amount != nil else {
            throw CommandFailure(.usage, "tap needs --amount, such as --amount 12.34")
        }
        return try await payment(options, arguments).pay(
            options.transaction(),
            at: try terminal.pointOfSale(),
            terminal.environment(options),
            over: AirOptions(arguments).link
        )
    }

    /// The wallet that pays: one in a file, or one of its own for this tap.
    private static func payment(
        _ options: PaymentOptions,
        _ arguments: Arguments
    ) throws -> WalletPayment {
        let usesDeviceCVM = arguments["cdcvm"] == "yes"
        if let path = try StoredWallet.path(arguments) {
            return try WalletPayment(
                path: path,
                card: arguments["card"],
                usesDeviceCVM: usesDeviceCVM
            )
        }
        guard let card = try CardOptions(arguments) else {
            throw CommandFailure(
                .usage,
                "tap needs a card: --scheme visa, --scheme mastercard, --profile FILE, --wallet FILE or "
                    + "--card-trace FILE"
            )
        }
        return try WalletPayment(
            card.personalization,
            usesDeviceCVM: usesDeviceCVM,
            seed: options.seed
        )
    }

    // MARK: A recorded card

    /// Taps a recorded card.
    private static func replay(
        _ recorded: RecordedCard,
        _ terminal: TerminalOptions,
        _ options: PaymentOptions,
        _ arguments: Arguments
    ) throws -> TapRun {
        for option in ["scheme", "profile", "wallet", "card", "cdcvm"] where arguments.has(option) {
            throw CommandFailure(
                .usage,
                "leave out --\(option): the recorded card is the one that pays"
            )
        }
        let transaction = try recorded.transaction(options, arguments)
        let adapted = recorded.terminal.configuration(terminal.configuration, for: transaction)
        var environment = terminal.environment(options)
        environment.unpredictableNumbers =
            recorded.terminal.unpredictableNumbers + environment.unpredictableNumbers
        environment.waivesOfflineDataAuthentication = recorded.terminal.hasLostCertificates
        var card = ScriptedCard(recorded.trace.exchanges)
        let timer = TapTimer()
        let report: TapReport
        do {
            report = try terminal.pointOfSale(adapted).tap(
                transaction,
                over: &card,
                host: nil,
                environment: &environment,
                surroundings: POSTerminal.Surroundings(
                    clock: .continuous,
                    // The card comes back as often as the recording has it selected anew.
                    presentCard: { [count = recorded.terminal.presentationCount] in
                        $0 <= max(1, count)
                    },
                    observe: { timer.note($0) }
                )
            )
        } catch let error as TransportError {
            let isOpen = recorded.isPublic || arguments.has("unmask")
            var redaction = Redaction(isOpen ? .nothing : .cardholderData)
            redaction.learn(recorded.trace.exchanges)
            throw CommandFailure(
                .failure,
                "the recorded card cannot go on: \(error.explanation(&redaction))"
            )
        }
        var run = TapRun(
            report: report.timed(as: recorded.trace.exchanges),
            cardName: "a recorded card",
            isPublic: recorded.isPublic,
            // How long a recorded card took may be known, but not whether the radio is in it.
            timeline: try TapTimeline(
                report,
                timer,
                AirOptions(arguments).link,
                hasCardTime: false
            ),
            isComplete: card.isFinished
        )
        if let source = recorded.trace[.source] { run.notes.append("recorded: \(source)") }
        if let masked = recorded.trace[.masked] { run.notes.append("masked: \(masked)") }
        if !card.isFinished {
            run.notes.append(
                "the terminal ended after \(card.position) of \(card.exchanges.count) recorded exchanges"
            )
        }
        return run
    }
}

extension TapReport {
    /// The report with the times of a recording: how fast a recording is played says nothing about the card.
    fileprivate func timed(as recorded: [Exchange]) -> TapReport {
        var report = self
        var position = 0
        for (index, event) in events.enumerated() {
            guard case .exchange(var exchange) = event else { continue }
            exchange.elapsed = position < recorded.count ? recorded[position].elapsed : nil
            report.events[index] = .exchange(exchange)
            position += 1
        }
        return report
    }
}

extension Redaction {
    /// Finds out what is the cardholder's in whole exchanges.
    fileprivate mutating func learn(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            _ = mask(command: exchange.command)
            if case .success(let response) = exchange.result { _ = mask(response: response) }
        }
    }
}

extension TransportError {
    /// What happened and where, for people.
    fileprivate func explanation(_ redaction: inout Redaction) -> String {
        switch self {
        case .unexpectedCommand(let expected, let got, let index):
            "command \(index + 1) was recorded as \(redaction.mask(command: expected).hex), "
                + "and the terminal sends \(redaction.mask(command: got).hex)"
        case .endOfScript(let got, let index):
            "after \(index) exchanges the recording ends, "
                + "and the terminal sends \(redaction.mask(command: got).hex)"
        default: text
        }
    }
}
