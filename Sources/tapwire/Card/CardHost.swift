import CommandLineKit
import Emulation
import NFCWallet

/// Keeps a card in a field and tells what happens to it.
struct CardHost: Sendable {
    private let field: any LinkedField
    private let place: CardPlace
    /// Where everything is told.
    let journal: Journal

    /// How many tries to reach the reader for the first time may fail.
    private static let maximumFirstTries = 5

    /// Prepares a place for the card.
    /// - Parameters:
    ///   - field: The field.
    ///   - place: Where it is.
    ///   - isQuiet: Whether nothing is told.
    ///   - tellsLater: Whether nothing is told before the reader was reached.
    init(
        _ field: any LinkedField,
        _ place: CardPlace,
        isQuiet: Bool = false,
        tellsLater: Bool = false
    ) {
        self.field = field
        self.place = place
        journal = Journal(isQuiet: isQuiet, held: tellsLater ? HeldLines() : nil)
    }

    /// Connects the field, runs `body`, and disconnects again.
    /// - Parameters:
    ///   - interruption: Ends it all.
    ///   - body: Ends by itself, or when the interruption is requested, and says what was done.
    /// - Returns: Success, once everything is put away.
    /// - Throws: What `body` throws, or `CommandFailure` when the reader was never reached.
    func run(
        until interruption: Interruption = Interruption(),
        _ body: (Interruption) async throws -> String
    ) async throws -> ExitCode {
        let link = Task { await follow(interruption) }
        field.start()
        let summary: String
        do {
            summary = try await body(interruption)
        } catch {
            field.stop()
            throw error
        }
        field.stop()
        if let failure = await link.value { throw failure }
        journal.held?.release()
        journal.tell("end", summary)
        return .success
    }

    /// Tells what happens to the link.
    /// - Returns: Why there never was one; nil when there was.
    private func follow(_ interruption: Interruption) async -> CommandFailure? {
        var tries = 0
        var wasConnected = false
        var lastReason: String?
        var failure: CommandFailure?
        for await event in field.events {
            switch event {
            case .connected:
                wasConnected = true
                lastReason = nil
                journal.held?.release()
                journal.tell("link", place.arrival)
            case .disconnected(let reason):
                tries += 1
                if !wasConnected, tries == Self.maximumFirstTries {
                    failure = CommandFailure(.unavailable, "\(reason); \(place.hint)")
                    interruption.request()
                }
                // Every further try fails for the same reason.
                if wasConnected, reason != lastReason { journal.tell("link", reason) }
                lastReason = reason
            case .unasked: journal.tell("link", place.silence)
            case .protocolFault(let fault):
                journal.tell("link", "not vpcd's protocol, passed over: \(fault)")
            case .refused(let reason):
                failure = CommandFailure(.unavailable, reason)
                interruption.request()
            }
        }
        return failure
    }

    /// Lets the card pay, in one session after the other.
    /// - Parameters:
    ///   - wallet: The card's wallet.
    ///   - count: How many payments; nil for as many as the card has counters.
    ///   - interruption: Ends the session under way.
    /// - Returns: How many payments there were, in words.
    /// - Throws: `CommandFailure` when the card cannot pay any more.
    func pay(
        with wallet: CardWallet,
        count: Int?,
        until interruption: Interruption
    ) async throws -> String {
        var paid = 0
        while !interruption.isRequested, !Console.hasLostOutput, paid != count {
            guard try wallet.replenish() > 0 else {
                throw CommandFailure(.failure, "the card has spent its last counter, FFFF")
            }
            let session = wallet.makeSession()
            interruption.whenRequested { [field] in
                // The link first: a reader or a script may keep the card in a command.
                field.stop()
                session.cancel()
            }
            var events = session.eventStream.makeAsyncIterator()
            var ending: PaymentError?
            let isShown = await session.showCard(&events) { event in
                if case .errorEncountered(let error) = event { ending = error }
            }
            while let event = await events.next() {
                journal.tell(event)
                switch event {
                // A tap that has begun has the whole time of a session.
                case .posConnected: session.startEmulation()
                case .errorEncountered(let error): ending = error
                case .transactionCompleted: paid += 1
                default: break
                }
            }
            guard isShown && ending != .keychainError || ending == .cancelled else {
                throw wallet.failure(ending)
            }
            // The reader may go on reading; its next tap is the next session's.
            await session.settled()
        }
        return "after \(paid) payment\(paid == 1 ? "" : "s")"
    }
}
