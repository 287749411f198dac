import CommandLineKit
import EMVData
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
        let picture = try OutputFile("svg", "picture", arguments)
        let terminal = try TerminalOptions(arguments)
        let run: TapRun
        if let path = arguments["card-trace"] {
            run = try RecordedCard(path: path).tap(terminal, options, arguments)
        } else {
            run = try await pay(terminal, options, arguments)
        }
        return try show(run, trace, picture: picture, arguments)
    }

    /// Shows a payment that is over, and writes it down.
    static func show(
        _ run: TapRun,
        _ trace: OutputFile?,
        picture: OutputFile? = nil,
        _ arguments: Arguments
    ) throws -> ExitCode {
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
        if let timeline = run.timeline {
            let drawn = TapSVG(run.report, timeline, cardName: run.cardName, redaction: redaction)
            try picture?.write(drawn.text)
        }
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
        let script = try CardScript(arguments)
        return try await payment(options, arguments).pay(
            options.transaction(),
            at: try terminal.pointOfSale(),
            terminal.environment(options),
            over: AirOptions(arguments).link,
            script: script ?? CardScript(rules: [])
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
}
