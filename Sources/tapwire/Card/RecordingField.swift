import CommandLineKit
import EMVData
import Emulation
import NFCWallet
import Synchronization
import Traces
import Transport

/// A field that remembers what readers asked the cards in it, and what those answered.
final class RecordingField: LinkedField {
    private let base: any LinkedField
    private let tape = Mutex(Tape())
    /// The cards that were let in, by themselves, so that each is let out again.
    private let cards = Mutex<[ObjectIdentifier: RecordedEmulation]>([:])

    /// As many exchanges as a trace holds.
    private struct Tape {
        var exchanges: [Exchange] = []
        /// How many bytes of text there may still be, headers aside.
        var room = Trace.maximumByteCount - 10_000
        var isFull = false

        mutating func note(_ exchange: Exchange) {
            let response = (try? exchange.result.get())?.count ?? 0
            // With signs, line ends and the time.
            room -= 2 * (exchange.command.count + response) + 40
            isFull = isFull || room < 0
            if !isFull { exchanges.append(exchange) }
        }
    }

    /// Wraps a field.
    init(_ base: any LinkedField) { self.base = base }

    /// What was exchanged, in order.
    var exchanges: [Exchange] { tape.withLock { $0.exchanges } }

    /// Whether there was more than a trace holds; what came first was kept.
    var isFull: Bool { tape.withLock { $0.isFull } }

    var events: AsyncStream<LinkEvent> { base.events }
    func start() { base.start() }
    func stop() { base.stop() }
    func requestAccess() throws(CardFieldError) { try base.requestAccess() }

    func watch(_ card: any EmulatedCard) throws(CardFieldError) {
        try base.watch(recorded(card))
    }

    func present(_ card: any EmulatedCard) throws(CardFieldError) {
        try base.present(recorded(card))
    }

    func withdraw(_ card: any EmulatedCard) {
        let recorded = cards.withLock { $0.removeValue(forKey: ObjectIdentifier(card)) }
        if let recorded { base.withdraw(recorded) }
    }

    private func recorded(_ card: any EmulatedCard) -> RecordedEmulation {
        cards.withLock { cards in
            let known = cards[ObjectIdentifier(card)]
            let recorded =
                known
                ?? RecordedEmulation(card) { [weak self] exchange in
                    self?.tape.withLock { $0.note(exchange) }
                }
            cards[ObjectIdentifier(card)] = recorded
            return recorded
        }
    }
}

/// Where the exchanges of a card in a field go: the file of `--trace`, or nowhere.
final class FieldTape {
    private let output: OutputFile?
    private let isUnmasked: Bool
    private var recording: RecordingField?

    /// Reads `--trace`.
    /// - Throws: `CommandFailure` when the file cannot be written.
    init(_ arguments: Arguments) throws {
        output = try OutputFile("trace", "trace file", arguments)
        isUnmasked = arguments.has("unmask")
    }

    /// The field to use instead of `base`, so that what happens in it is noted.
    func field(_ base: any LinkedField) -> any LinkedField {
        guard output != nil else { return base }
        let recording = RecordingField(base)
        self.recording = recording
        return recording
    }

    /// Does `body`, and writes down what was exchanged meanwhile, however it ends.
    func keep(
        of cardName: String,
        isPublic: Bool,
        _ body: () async throws -> ExitCode
    ) async throws -> ExitCode {
        let result: Result<ExitCode, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try output?.write(
            recording?.exchanges ?? [],
            of: cardName,
            isPublic: isPublic,
            Redaction(isPublic || isUnmasked ? .nothing : .cardholderData),
            isFull: recording?.isFull ?? false
        )
        return try result.get()
    }
}

/// A card whose exchanges are noted once their responses are on their way.
private final class RecordedEmulation: EmulatedCard {
    private let card: any EmulatedCard
    private let note: @Sendable (Exchange) -> Void
    private let last = Mutex<Exchange?>(nil)

    init(_ card: any EmulatedCard, note: @escaping @Sendable (Exchange) -> Void) {
        self.card = card
        self.note = note
    }

    func fieldOn() { card.fieldOn() }
    func fieldOff() -> Bool { card.fieldOff() }

    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        let clock = ContinuousClock()
        let start = clock.now
        let before = response.count
        card.respond(to: command, into: &response)
        let elapsed = start.duration(to: clock.now)
        let bytes = (before..<response.count).map { response[$0] }
        let exchange = Exchange(command.indices.map { command[$0] }, bytes, elapsed: elapsed)
        last.withLock { $0 = exchange }
    }

    func responseSent() {
        if let exchange = last.withLock({ $0.take() }) { note(exchange) }
        card.responseSent()
    }
}
