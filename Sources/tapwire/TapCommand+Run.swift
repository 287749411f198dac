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
        let configuration = try terminal(arguments)
        let run: TapRun
        if let path = arguments["card-trace"] {
            run = try replay(RecordedCard(path: path), configuration, options, arguments)
        } else {
            run = try await pay(configuration, options, arguments)
        }
        let isOpen = run.isPublic || arguments.has("unmask")
        let redaction = Redaction(isOpen ? .nothing : .cardholderData)
        if let path = arguments["trace"] {
            let trace = Trace(run, redaction: redaction)
            try InputFile.write(trace.text, to: path, "trace file")
        }
        if arguments.has("json") {
            var json = TapJSON(run: run, redaction: redaction)
            Console.output.write(json.value().text)
        } else {
            var page = TapText(run, redaction: redaction, console: .output)
            Console.output.write(page.text())
        }
        return run.exitCode
    }

    // MARK: Parties

    /// The terminal of the command line, with all keys it was given.
    private static func terminal(_ arguments: Arguments) throws -> TerminalConfiguration {
        var configuration = TerminalConfiguration.builtIn
        if let path = arguments["config"] {
            configuration = try InputFile.json(path, "terminal configuration") {
                (text: [UInt8]) throws(ProfilesError) in try TerminalConfiguration(json: text)
            }
        }
        for path in arguments.values("ca-keys").reversed() {
            let keys = try InputFile.json(path, "CA key file") {
                (text: [UInt8]) throws(ProfilesError) in try CAPublicKey.keys(json: text)
            }
            // The first key of an index counts, so that a file can replace one.
            configuration.caKeys = keys + configuration.caKeys
        }
        return configuration
    }

    /// Lets a wallet's card pay.
    private static func pay(
        _ configuration: TerminalConfiguration,
        _ options: PaymentOptions,
        _ arguments: Arguments
    ) async throws -> TapRun {
        guard let amount = options.amount else {
            throw CommandFailure(.usage, "tap needs --amount, such as --amount 12.34")
        }
        let (profile, path) = try profile(arguments)
        let payment: WalletPayment
        do {
            payment = try WalletPayment(
                profile,
                usesDeviceCVM: arguments["cdcvm"] == "yes",
                seed: options.seed
            )
        } catch let error as ProfilesError {
            throw CommandFailure(error, in: path ?? "built-in", "profile")
        }
        let transaction = Transaction(
            amount: amount,
            amountOther: options.amountOther,
            type: options.type,
            date: options.date,
            time: options.time,
            sequenceCounter: 1
        )
        return try await payment.pay(
            transaction,
            at: try pointOfSale(configuration, arguments),
            environment(configuration, options)
        )
    }

    /// The card of the command line, and the file it is in.
    private static func profile(_ arguments: Arguments) throws -> (CardProfile, String?) {
        if let path = arguments["profile"] {
            guard !arguments.has("scheme") else {
                throw CommandFailure(
                    .usage,
                    "--scheme chooses a built-in card; leave it out with --profile"
                )
            }
            let profile = try InputFile.json(path, "profile") {
                (text: [UInt8]) throws(ProfilesError) in try CardProfile(json: text)
            }
            return (profile, path)
        }
        guard let scheme = arguments["scheme"].flatMap(Scheme.init(rawValue:)) else {
            throw CommandFailure(
                .usage,
                "tap needs a card: --scheme visa, --scheme mastercard, --profile FILE or --card-trace FILE"
            )
        }
        return (.builtIn(scheme), nil)
    }

    /// The terminal, ready to tap.
    private static func pointOfSale(
        _ configuration: TerminalConfiguration,
        _ arguments: Arguments
    ) throws -> POSTerminal {
        do throws(ProfilesError) {
            return try POSTerminal(configuration)
        } catch {
            throw CommandFailure(
                error,
                in: arguments["config"] ?? "built-in",
                "terminal configuration"
            )
        }
    }

    private static func environment(
        _ configuration: TerminalConfiguration,
        _ options: PaymentOptions
    ) -> POSEnvironment {
        let numbers = options.unpredictableNumber.map { [$0] } ?? []
        guard let seed = options.seed else {
            return POSEnvironment(caKeys: configuration.caKeys, unpredictableNumbers: numbers)
        }
        return POSEnvironment(
            caKeys: configuration.caKeys,
            unpredictableNumbers: numbers,
            generator: SeededGenerator(seed: seed)
        )
    }

    // MARK: A recorded card

    /// Taps a recorded card.
    private static func replay(
        _ recorded: RecordedCard,
        _ configuration: TerminalConfiguration,
        _ options: PaymentOptions,
        _ arguments: Arguments
    ) throws -> TapRun {
        for option in ["scheme", "profile", "cdcvm"] where arguments.has(option) {
            throw CommandFailure(
                .usage,
                "leave out --\(option): the recorded card is the one that pays"
            )
        }
        let transaction = try recorded.transaction(options, arguments)
        let terminal = recorded.terminal(configuration, transaction)
        var environment = environment(terminal, options)
        environment.unpredictableNumbers =
            recorded.unpredictableNumbers + environment.unpredictableNumbers
        environment.waivesOfflineDataAuthentication = recorded.hasLostCertificates
        var card = ScriptedCard(recorded.trace.exchanges)
        let report: TapReport
        do {
            report = try pointOfSale(terminal, arguments).tap(
                transaction,
                over: &card,
                host: nil,
                environment: &environment,
                surroundings: POSTerminal.Surroundings(
                    clock: .continuous,
                    // The card comes back as often as the recording has it selected anew.
                    presentCard: { [count = recorded.presentationCount] in $0 <= max(1, count) }
                )
            )
        } catch let error as TransportError {
            throw CommandFailure(.failure, "the recorded card cannot go on: \(error.explanation)")
        }
        var run = TapRun(
            report: report.timed(as: recorded.trace.exchanges),
            cardName: "a recorded card",
            isPublic: recorded.isPublic,
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

extension TransportError {
    /// What happened and where, for people.
    fileprivate var explanation: String {
        switch self {
        case .unexpectedCommand(let expected, let got, let index):
            "command \(index + 1) was recorded as \(expected.hex), and the terminal sends \(got.hex)"
        case .endOfScript(let got, let index):
            "after \(index) exchanges the recording ends, and the terminal sends \(got.hex)"
        default: text
        }
    }
}
