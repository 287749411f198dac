import CommandLineKit
import EMVData
import Octets
import TerminalKernels
import Traces
import Transport
import VirtualPOS

extension RecordedCard {
    /// Taps the recorded card on our terminal; without an amount of the recording's, with that of the command line.
    /// - Parameters:
    ///   - terminal: The terminal where the recording does not tell what it was.
    ///   - options: The payment where the recording does not tell it.
    ///   - arguments: The command line.
    ///   - comparison: What may be otherwise than recorded; nothing by default.
    /// - Returns: What became of it.
    /// - Throws: `CommandFailure`; where the terminal asks something else, what went before is shown first.
    func tap(
        _ terminal: TerminalOptions,
        _ options: PaymentOptions,
        _ arguments: Arguments,
        _ comparison: ExchangeComparison = ExchangeComparison(changing: [])
    ) throws -> TapRun {
        for option in ["scheme", "profile", "wallet", "card", "cdcvm", "script"]
        where arguments.has(option) {
            throw CommandFailure(
                .usage,
                "leave out --\(option): the recorded card is the one that pays"
            )
        }
        let transaction = try transaction(options, arguments)
        let adapted = self.terminal.configuration(terminal.configuration, for: transaction)
        var environment = terminal.environment(options)
        environment.unpredictableNumbers =
            self.terminal.unpredictableNumbers + environment.unpredictableNumbers
        environment.waivesOfflineDataAuthentication = self.terminal.hasLostCertificates
        var card = ReplayedCard(trace.exchanges, comparison)
        let timer = TapTimer()
        var events: [TapEvent] = []
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
                    presentCard: { [recorded = self.terminal] in recorded.isPresented($0) },
                    observe: { event in
                        timer.note(event)
                        events.append(event)
                    }
                )
            )
        } catch let error as TransportError {
            throw fail(error, card, after: events, transaction, arguments)
        }
        var run = TapRun(
            report: report.timed(as: trace.exchanges),
            cardName: "a recorded card",
            isPublic: isPublic,
            // How long a recorded card took may be known, but not whether the radio is in it.
            timeline: try TapTimeline(
                report,
                timer,
                AirOptions(arguments).link,
                hasCardTime: false
            ),
            isComplete: card.isFinished
        )
        let redaction = redaction(arguments)
        for (word, name) in [("recorded", Trace.Header.Name.source), ("masked", .masked)] {
            guard let text = trace[name] else { continue }
            run.notes.append("\(word): \(redaction.mask(text: text))")
        }
        if !card.isFinished {
            run.notes.append(
                "the terminal ended after \(card.position) of \(card.exchanges.count) recorded exchanges"
            )
        }
        return run
    }

    /// Masks what is the cardholder's in the recording, unless it may be shown.
    private func redaction(_ arguments: Arguments) -> Redaction {
        let isOpen = isPublic || arguments.has("unmask")
        var redaction = Redaction(isOpen ? .nothing : .cardholderData)
        redaction.learn(trace.exchanges)
        return redaction
    }

    /// Shows what went before a tap broke off, and says why it did.
    private func fail(
        _ error: TransportError,
        _ card: ReplayedCard,
        after events: [TapEvent],
        _ transaction: Transaction,
        _ arguments: Arguments
    ) -> CommandFailure {
        var redaction = redaction(arguments)
        let failure = CommandFailure(
            .failure,
            "the recorded card cannot go on: \(error.explanation(&redaction))"
        )
        let timed = events.timed(as: trace.exchanges)
        if arguments.has("json") {
            var page = ReplayJSON(redaction)
            for case .exchange(let exchange) in timed { page.append(exchange) }
            if let deviation = card.deviation { page.append(deviation) }
            Console.output.write(page.value.text)
            return failure
        }
        var text = TapText(
            currency: transaction.amount.currency,
            redaction: redaction,
            console: .output
        )
        Console.output.write(text.heading(transaction, "a recorded card"))
        for event in timed { Console.output.write(text.text(event)) }
        if let deviation = card.deviation {
            var page = ReplayPage(redaction)
            page.append(deviation, of: card.exchanges.count)
            Console.output.write(page.take())
        }
        return failure
    }
}

extension TapReport {
    /// The report with the times of a recording: how fast a recording is played says nothing about the card.
    fileprivate func timed(as recorded: [Exchange]) -> TapReport {
        var report = self
        report.events = events.timed(as: recorded)
        return report
    }
}

extension [TapEvent] {
    /// The same with the times of a recording.
    fileprivate func timed(as recorded: [Exchange]) -> [TapEvent] {
        var position = 0
        return map { event in
            guard case .exchange(var exchange) = event else { return event }
            exchange.elapsed = position < recorded.count ? recorded[position].elapsed : nil
            position += 1
            return .exchange(exchange)
        }
    }
}

extension Redaction {
    /// Finds out what is the cardholder's in whole exchanges.
    mutating func learn(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            _ = mask(command: exchange.command)
            if case .success(let response) = exchange.result { _ = mask(response: response) }
        }
    }
}

extension TransportError {
    /// What happened and where, for people.
    func explanation(_ redaction: inout Redaction) -> String {
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
