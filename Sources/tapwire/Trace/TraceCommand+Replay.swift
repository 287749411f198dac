import BERTLV
import CommandLineKit
import EMVData
import Emulation
import ISO7816
import NFCWallet
import Octets
import Synchronization
import Traces
import Transport

extension TraceCommand {
    /// Plays a trace.
    static func replay(_ arguments: Arguments) async throws -> ExitCode {
        let comparison = try ExchangeComparison(arguments)
        let isReader = arguments["as"] == "reader"
        let isInReader = arguments.has("vpcd") || arguments.has("reader")
        let own = [
            "config", "ca-keys", "amount", "currency", "type", "cashback", "date", "seed", "un",
            "air", "fsd",
        ]
        if isReader {
            for option in ["vpcd"] + own where arguments.has(option) {
                throw CommandFailure(.usage, "leave out --\(option): it is for --as card")
            }
        } else {
            for option in ["scheme", "profile", "cdcvm", "spend-atc", "keep-going"]
            where arguments.has(option) {
                throw CommandFailure(
                    .usage,
                    "--\(option) is for --as reader; add that, or leave it out"
                )
            }
            if isInReader, let option = own.first(where: arguments.has) {
                throw CommandFailure(
                    .usage,
                    "leave out --\(option): the terminal is not in this process"
                )
            }
        }
        let output = try OutputFile(
            "trace",
            "trace file",
            arguments,
            inputs: arguments.positionals
        )
        if isReader {
            let trace = try trace(arguments)
            return try await onThread(named: "reader") {
                var replay = try ReaderReplay(trace, comparison, arguments)
                return try replay.run(output)
            }
        }
        if isInReader {
            return try await CardReplay(trace(arguments), comparison, arguments).run(output)
        }
        let run = try RecordedCard(path: arguments.positionals[0]).tap(
            TerminalOptions(arguments),
            PaymentOptions(arguments),
            arguments,
            comparison
        )
        _ = try TapCommand.show(run, output, arguments)
        return run.isComplete ? .success : .failure
    }
}

// MARK: As the reader

/// Sends the recorded commands to a card.
private struct ReaderReplay: ~Copyable {
    private let trace: Trace
    private var comparison: ExchangeComparison
    private let arguments: Arguments
    private var card: ChosenCard
    /// Whether both cards' numbers may be shown whole: each stands beside the other's.
    private let isPublic: Bool
    private let redaction: Redaction
    private var page: Page
    private var decoder: ExchangeDecoder
    private var differences: ReplayPage
    private var json: ReplayJSON
    private var done: [Exchange] = []
    private var changed: Set<Tag> = []
    private var deviationCount = 0
    /// Masks what came as the recording is masked; nil where that is whole.
    private var mask: Redaction?

    /// What can cost a card nothing.
    private static let harmless: [CommandCode] = [
        .select, .readRecord, .getData, .getResponse, .getReaderData,
    ]

    /// Looks whether the trace can be sent, and opens the reader or makes the card.
    init(_ trace: Trace, _ comparison: ExchangeComparison, _ arguments: Arguments) throws {
        self.trace = trace
        self.comparison = comparison
        self.arguments = arguments
        for (index, exchange) in trace.exchanges.enumerated() {
            guard !exchange.isCommandPartial else {
                throw CommandFailure(
                    .badFile,
                    "command \(index + 1) was recorded in part only and cannot be sent"
                )
            }
            let command = try? CommandAPDU(parsing: exchange.command)
            let isHarmless = command.map { Self.harmless.contains($0.code) } ?? false
            let isOwn = arguments.has("scheme") || arguments.has("profile")
            guard isHarmless || isOwn || arguments.has("spend-atc") else {
                throw CommandFailure(
                    .usage,
                    "command \(index + 1), \(command.map(ExchangeDecoder.title) ?? "unknown"), may cost "
                        + "the card in the reader a counter or a PIN try; --spend-atc sends it all the same"
                )
            }
        }
        card = try ChosenCard(replaying: arguments)
        isPublic = card.isPublic && trace[.publicCard] != nil
        var redaction = Redaction(
            isPublic || arguments.has("unmask") ? .nothing : .cardholderData
        )
        // The asked card may want in another place what the recorded one was sent.
        redaction.learn(trace.exchanges)
        self.redaction = redaction
        mask = trace[.masked] == nil ? nil : Redaction()
        page = Page(.output)
        decoder = ExchangeDecoder(currency: .eur, redaction: redaction)
        differences = ReplayPage(redaction)
        json = ReplayJSON(redaction)
    }

    /// Sends one command after the other.
    mutating func run(_ output: OutputFile?) throws -> ExitCode {
        let isJSON = arguments.has("json")
        if !isJSON {
            Console.output.write(
                page.styled("\(trace.exchanges.count) recorded commands to \(card.name)", .bold)
                    + "\n"
            )
        }
        try card.await()
        for (index, recorded) in trace.exchanges.enumerated() {
            let exchange = card.exchange(recorded.command)
            let found = compare(recorded, exchange)
            done.append(exchange)
            changed.formUnion(found.compactMap(\.allowedTag))
            let allowed = found.filter(\.isAllowed)
            let isDeviation = allowed.count < found.count
            if isDeviation { deviationCount += 1 }
            if isJSON {
                json.append(exchange, changes: allowed)
                if isDeviation { json.append(found, in: index, recorded, got: exchange.result) }
            } else {
                page.append(decoder.decode(exchange))
                differences.append(changes: allowed)
                if isDeviation {
                    differences.append(
                        found,
                        in: index + 1,
                        of: trace.exchanges.count,
                        recorded,
                        got: exchange.result
                    )
                }
                Console.output.write(page.take() + differences.take())
            }
            if case .failure(let error) = exchange.result, error != recorded.failure {
                try end(output)
                throw CommandFailure(error)
            }
            if isDeviation, !arguments.has("keep-going") { break }
        }
        try end(output)
        return deviationCount == 0 ? .success : .failure
    }

    private mutating func compare(_ recorded: Exchange, _ exchange: Exchange) -> [Difference] {
        _ = mask?.mask(command: exchange.command)
        switch (recorded.result, exchange.result) {
        case (.success, .success(let response)):
            return comparison.response(recorded, mask?.mask(response: response) ?? response)
        case (.failure(let expected), .failure(let got)) where expected == got: return []
        default: return [Difference(.whole, expected: recorded.bytes, got: exchange.bytes)]
        }
    }

    /// Shows how it ended, and writes down what came.
    private mutating func end(_ output: OutputFile?) throws {
        if arguments.has("json") {
            Console.output.write(json.value.text)
        } else {
            differences.append(
                ReplayPage.Ending(
                    playedCount: done.count,
                    count: trace.exchanges.count,
                    deviationCount: deviationCount,
                    changed: changed
                )
            )
            if let masked = trace[.masked] { differences.append(masked: masked) }
            Console.output.write(differences.take())
        }
        try output?.write(done, of: card.name, isPublic: isPublic, redaction)
    }
}

extension ChosenCard {
    /// The card that a replay asks.
    fileprivate init(replaying arguments: Arguments) throws {
        if arguments.has("reader"), let other = ["scheme", "profile"].first(where: arguments.has) {
            throw CommandFailure(
                .usage,
                "--reader and --\(other) both choose a card; give one of them"
            )
        }
        guard let own = try CardOptions(arguments) else {
            try self.init(arguments)
            return
        }
        self.init(own.personalization, usesDeviceCVM: arguments["cdcvm"] == "yes")
    }
}

extension Exchange {
    /// Why there was no response; nil where there was one.
    fileprivate var failure: TransportError? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The response, where there was one.
    fileprivate var bytes: [UInt8]? { try? result.get() }
}

extension Difference {
    /// The data object that was allowed to be otherwise.
    fileprivate var allowedTag: Tag? {
        if isAllowed, case .object(let tag) = place { tag } else { nil }
    }
}

// MARK: As the card

/// Puts the recorded card into a reader, and waits for what it is asked.
private struct CardReplay: Sendable {
    private let trace: Trace
    private let comparison: ExchangeComparison
    private let arguments: Arguments

    init(_ trace: Trace, _ comparison: ExchangeComparison, _ arguments: Arguments) {
        self.trace = trace
        self.comparison = comparison
        self.arguments = arguments
    }

    /// Answers until everything was played, something else was asked, or Ctrl-C.
    func run(_ output: OutputFile?) async throws -> ExitCode {
        let isOpen = trace[.publicCard] != nil || arguments.has("unmask")
        var redaction = Redaction(isOpen ? .nothing : .cardholderData)
        redaction.learn(trace.exchanges)
        let place = try CardPlace(arguments)
        let field = place.makeField(historicalBytes: [])
        let isJSON = arguments.has("json")
        let host = CardHost(field, place, isQuiet: isJSON)
        let card = TraceCard(
            ReplayedCard(trace.exchanges, comparison),
            redaction,
            isQuiet: isJSON
        )
        host.journal.head("\(trace.exchanges.count) recorded exchanges in \(place)")
        let code = try await host.run { interruption in
            card.whenOver { interruption.request() }
            try field.present(card)
            await interruption.wait()
            return "after \(card.playedCount) of \(trace.exchanges.count) recorded exchanges"
        }
        Console.output.write(isJSON ? card.json.text : card.resultText)
        try output?.write(
            card.exchanges,
            of: "a recorded card in \(place)",
            isPublic: trace[.publicCard] != nil,
            redaction
        )
        guard code == .success else { return code }
        if let error = card.deviation?.error {
            throw CommandFailure(
                .failure,
                "the recorded card cannot go on: \(error.explanation(&redaction))"
            )
        }
        return card.isFinished ? .success : .failure
    }
}

/// The recorded card as a field sees it.
private final class TraceCard: EmulatedCard {
    private let state: Mutex<State>
    private let isQuiet: Bool

    private struct State {
        var card: ReplayedCard
        var page = Page(.output)
        var differences: ReplayPage
        var decoder: ExchangeDecoder
        var json: ReplayJSON
        var exchanges: [Exchange] = []
        var changed: Set<Tag> = []
        /// Whether the last exchange was shown.
        var isShown = true
        var isOver = false
        var whenOver: (@Sendable () -> Void)?
    }

    init(_ card: ReplayedCard, _ redaction: Redaction, isQuiet: Bool) {
        self.isQuiet = isQuiet
        state = Mutex(
            State(
                card: card,
                differences: ReplayPage(redaction),
                decoder: ExchangeDecoder(currency: .eur, redaction: redaction),
                json: ReplayJSON(redaction)
            )
        )
    }

    var playedCount: Int { state.withLock { $0.card.position } }
    var isFinished: Bool { state.withLock { $0.card.isFinished } }
    var deviation: ReplayedCard.Deviation? { state.withLock { $0.card.deviation } }
    var exchanges: [Exchange] { state.withLock { $0.exchanges } }
    var json: JSONValue { state.withLock { $0.json.value } }

    /// How it ended, for people.
    var resultText: String {
        state.withLock { state in
            let deviationCount = state.card.deviation == nil ? 0 : 1
            let count = state.card.exchanges.count
            state.differences.append(
                ReplayPage.Ending(
                    // What deviated has been played as well, unless nothing was recorded there.
                    playedCount: min(count, state.card.position + deviationCount),
                    count: count,
                    deviationCount: deviationCount,
                    changed: state.changed
                )
            )
            return state.differences.take()
        }
    }

    /// Calls `action` when everything was played, or something else was asked.
    func whenOver(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenOver = action }
    }

    func fieldOn() {}
    func fieldOff() -> Bool { true }

    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        let bytes = command.indices.map { command[$0] }
        let answer = state.withLock { state in
            let answer: [UInt8]
            do throws(TransportError) {
                answer = try state.card.transmit(bytes)
            } catch {
                // Something has to come back.
                answer = [0x6F, 0x00]
            }
            state.exchanges.append(Exchange(bytes, answer))
            state.isShown = false
            return answer
        }
        for byte in answer.prefix(response.freeCapacity) { response.append(byte) }
    }

    func responseSent() {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isShown, let exchange = state.exchanges.last else { return nil }
            state.isShown = true
            guard !state.isOver else { return nil }
            state.isOver = state.card.deviation != nil || state.card.isFinished
            show(exchange, &state)
            return state.isOver ? state.whenOver.take() : nil
        }
        action?()
    }

    private func show(_ exchange: Exchange, _ state: inout State) {
        let deviation = state.card.deviation
        let changes = deviation == nil ? state.card.changes : []
        state.changed.formUnion(changes.compactMap(\.allowedTag))
        if deviation == nil { state.json.append(exchange, changes: changes) }
        if let deviation { state.json.append(deviation) }
        guard !isQuiet else { return }
        if let deviation {
            state.differences.append(deviation, of: state.card.exchanges.count)
        } else {
            state.page.append(state.decoder.decode(exchange))
            state.differences.append(changes: changes)
        }
        Console.output.write(state.page.take() + state.differences.take())
    }
}
