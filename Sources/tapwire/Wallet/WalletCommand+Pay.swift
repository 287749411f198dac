import CommandLineKit
import EMVData
import Emulation
import Foundation
import NFCWallet
import Synchronization
import Traces
import VirtualPOS

extension WalletCommand {
    /// Pays once and shows the session as it goes.
    static func pay(_ arguments: Arguments) async throws -> ExitCode {
        // Before anything that Ctrl-C could find half done.
        let interruption = Interruption()
        let options = try PaymentOptions(arguments)
        let path = try path(arguments)
        var settings = StoredWallet.Settings()
        settings.usesDeviceCVM = arguments["cdcvm"] == "yes"
        settings.isOffline = arguments.has("offline")
        guard options.amount == nil else {
            for option in ["vpcd", "reader"] where arguments.has(option) {
                throw CommandFailure(
                    .usage,
                    "leave out --\(option): with --amount the terminal is in this process"
                )
            }
            // A terminal waits for the card as long as the user may take; `leave` ends that.
            let field = SoftwareField(patienceSeconds: Double(LivePayment.sessionSeconds))
            let live = try LivePayment(
                StoredWallet(path: path, field: field, settings),
                arguments,
                interruption: interruption
            )
            let terminal = try DeskTerminal(field, live.stored, options, arguments)
            return try await live.run(terminal)
        }
        let place = try CardPlace(arguments)
        let tape = try FieldTape(arguments)
        let field = tape.field(place.makeField(historicalBytes: []))
        let stored = try StoredWallet(path: path, field: field, settings)
        // Said before anything waits for a reader.
        let card = try stored.card(arguments.positionals.first)
        let host = CardHost(field, place, tellsLater: true)
        return try await tape.keep(of: card.shown, isPublic: false) {
            let code = Mutex(ExitCode.failure)
            let ending = try await host.run(until: interruption) { interruption in
                let live = try LivePayment(
                    stored,
                    arguments,
                    interruption: interruption,
                    journal: host.journal
                )
                let result = try await live.run(nil)
                code.withLock { $0 = result }
                return result == .success ? "after 1 payment" : "after no payment"
            }
            return ending == .success ? code.withLock { $0 } : ending
        }
    }
}

/// A terminal in this process that takes one payment, after a moment.
struct DeskTerminal: Sendable {
    private let field: SoftwareField
    private let host: any AuthorizationHost
    private let options: PaymentOptions
    private let terminal: POSTerminal
    private let makeEnvironment: @Sendable () -> POSEnvironment
    private let delaySeconds: Double
    private let trace: OutputFile?
    private let isUnmasked: Bool
    private let isOver = Flag()

    init(
        _ field: SoftwareField,
        _ stored: StoredWallet,
        _ options: PaymentOptions,
        _ arguments: Arguments
    ) throws {
        let terminalOptions = try TerminalOptions(arguments)
        self.field = field
        trace = try OutputFile("trace", "trace file", arguments)
        isUnmasked = arguments.has("unmask")
        host = stored.tokens
        self.options = options
        terminal = try terminalOptions.pointOfSale()
        makeEnvironment = { terminalOptions.environment(options) }
        delaySeconds =
            try arguments.value("tap-after", expecting: "seconds, such as 2 or 0.5") { text in
                Double(text).flatMap { (0...3_600).contains($0) ? $0 : nil }
            } ?? 0
    }

    /// What a tap came to.
    struct Tap: Sendable {
        /// What the terminal concluded.
        var result: TapReport.Result
        /// Why there is no trace; nil where there is one, or none is wanted.
        var traceFailure: CommandFailure?
    }

    /// Taps, unless the payment is over before; once more where the terminal asks for the card again.
    /// - Returns: What came of it; nil when it did not tap.
    func tap() async throws -> Tap? {
        try await onThread(named: "terminal") {
            wait(seconds: delaySeconds)
            if isOver.isSet { return nil }
            var card = field.makeTransport()
            var environment = makeEnvironment()
            let report = try terminal.tap(
                options.transaction(),
                over: &card,
                host: host,
                environment: &environment,
                surroundings: POSTerminal.Surroundings(
                    clock: .continuous,
                    wait: { wait(seconds: $0 / .seconds(1)) },
                    presentCard: { $0 == 1 || field.awaitCard() }
                )
            )
            return Tap(result: report.result, traceFailure: write(report))
        }
    }

    /// Waits no longer: the payment is over.
    func leave() {
        isOver.set()
        field.endWaiting()
    }

    /// Lets time pass, unless the payment is over before.
    private func wait(seconds: Double) {
        let end = Date(timeIntervalSinceNow: seconds)
        let stepSeconds = 0.02
        while !isOver.isSet, Date() < end {
            Thread.sleep(forTimeInterval: min(stepSeconds, max(0, end.timeIntervalSinceNow)))
        }
    }

    /// Writes the trace.
    /// - Returns: Why it is not written; nil when it is, or none is wanted.
    private func write(_ report: TapReport) -> CommandFailure? {
        let run = TapRun(report: report, cardName: "a card of a wallet", isPublic: false)
        let redaction = Redaction(isUnmasked ? .nothing : .cardholderData)
        do throws(CommandFailure) {
            try trace?.write(Trace(run, redaction: redaction).text)
            return nil
        } catch {
            return error
        }
    }
}

/// A payment whose session is shown as it goes.
struct LivePayment {
    /// The wallet that pays.
    let stored: StoredWallet
    private let journal: Journal
    private let card: DigitalCard
    private let interruption: Interruption
    private let showsCardAtOnce: Bool
    private let alertMessage = "Hold the device to the reader"

    /// Why there is no payment where a reader was there and the time was over before it had one.
    private static let unfinishedText =
        "the reader came and the payment was not finished within \(sessionSeconds) s; pay again"

    /// How long a session lasts, in seconds.
    fileprivate static let sessionSeconds = 60

    init(
        _ stored: StoredWallet,
        _ arguments: Arguments,
        interruption: Interruption,
        journal: Journal = Journal()
    ) throws {
        self.stored = stored
        self.journal = journal
        self.interruption = interruption
        card = try stored.card(arguments.positionals.first)
        showsCardAtOnce = arguments["scenario"] != "b"
    }

    /// Pays, at a terminal in this process or at whatever reader comes.
    func run(_ terminal: DeskTerminal?) async throws -> ExitCode {
        replenish()
        journal.head("\(card.shown) pays")
        let session = ContactlessPaymentSession(wallet: stored.wallet)
        interruption.whenRequested { session.cancel() }
        let countdown = Countdown(journal)
        var tap: Task<DeskTerminal.Tap?, any Error>?
        var hasMetReader = false
        var isPaid = false
        var failure: CommandFailure?
        session.startPayment(withDigitalCardID: card.id)
        for await event in session.eventStream {
            countdown.pause()
            // What is paid stays so, whoever presses Ctrl-C while the rest is put away.
            if terminal == nil, case .transactionCompleted = event {
                interruption.conclude(.success)
            }
            journal.tell("event", event.text)
            switch event {
            case .authenticationRequired(let authentication): authentication.proceed()
            case .authenticationCompleted:
                if showsCardAtOnce { await show(session, countdown) }
                if let terminal, tap == nil { tap = Task { try await terminal.tap() } }
            case .posConnected:
                hasMetReader = true
                if !showsCardAtOnce, !session.isShowingCard { await show(session, countdown) }
                session.setAlertMessage("POS connected")
                tellModal(session, countdown)
            case .posDisconnected:
                session.setAlertMessage(alertMessage)
                tellModal(session, countdown)
                countdown.resume()
            case .transactionCompleted(let context):
                isPaid = true
                journal.tell("paid", context.text)
            case .errorEncountered(let error):
                failure = storeFailure(error)
                if error != .cancelled {
                    let isLate = error == .maxSessionDurationReached && hasMetReader
                    let text = isLate ? Self.unfinishedText : error.text
                    journal.tell("why", failure?.message ?? text)
                }
            }
        }
        terminal?.leave()
        countdown.stop()
        // A terminal that came when the session was over has found no card, as the session has said.
        let tapped = isPaid ? try await tap?.value : try? await tap?.value
        let isApproved = tapped?.result.isApproved ?? true
        let code: ExitCode =
            isPaid && isApproved ? .success : failure?.exitCode ?? .failure
        if let tapped {
            interruption.conclude(tapped.traceFailure?.exitCode ?? code)
            journal.tell("terminal", tapped.result.text)
        }
        if isPaid, let failure = stored.storeFailure { journal.tell("file", failure.message) }
        await session.settled()
        replenish()
        if let failure = tapped?.traceFailure { throw failure }
        return code
    }

    /// What is wrong with the wallet's file where the session says no more than that they failed.
    private func storeFailure(_ error: PaymentError) -> CommandFailure? {
        error == .keychainError || error == .setDefaultCardFailure ? stored.storeFailure : nil
    }

    /// Tells what the device shows, and how long it does so.
    private func tellModal(_ session: ContactlessPaymentSession, _ countdown: Countdown) {
        let time = countdown.secondsLeft.map { ", \($0) s left" } ?? ""
        journal.tell("modal", session.alertMessage + time)
    }

    /// Shows the card to readers.
    private func show(_ session: ContactlessPaymentSession, _ countdown: Countdown) async {
        session.setAlertMessage(alertMessage)
        session.startEmulation()
        guard await session.emulationStarted() else { return }
        journal.tell("modal", "\(session.alertMessage), for \(Self.sessionSeconds) s")
        countdown.start(session, seconds: Self.sessionSeconds)
    }

    /// Fetches keys before a payment and after it, as an app does.
    private func replenish() {
        guard card.state == .active else { return }
        _ = try? ReplenishmentService(wallet: stored.wallet).replenish(digitalCardID: card.id)
    }
}

/// Something that happens once, told between threads.
private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}

/// The seconds that are left; on a terminal its last line counts them down.
///
/// Where text goes elsewhere, or is not styled, only those lines tell them that tell of something else as well.
private final class Countdown: Sendable {
    private let journal: Journal
    private let state = Mutex(State())

    init(_ journal: Journal) { self.journal = journal }

    private struct State {
        var task: Task<Void, Never>?
        var end: ContinuousClock.Instant?
        var isPaused = false
    }

    /// How many seconds are left, begun ones included; nil before the first start.
    var secondsLeft: Int? { state.withLock(\.end).map(Self.seconds) }

    private static func seconds(until end: ContinuousClock.Instant) -> Int {
        max(0, Int(((end - .now) / .seconds(1)).rounded(.up)))
    }

    /// Counts down, with what the device shows.
    func start(_ session: ContactlessPaymentSession, seconds: Int) {
        let end = ContinuousClock.now + .seconds(seconds)
        state.withLock { state in
            state.end = end
            state.isPaused = false
            state.task?.cancel()
            guard Console.output.isStyled else { return }
            state.task = Task { [self] in
                while ContinuousClock.now < end, !Task.isCancelled {
                    show(session.alertMessage, until: end)
                    try? await Task.sleep(for: .milliseconds(200))
                }
            }
        }
    }

    private func show(_ message: String, until end: ContinuousClock.Instant) {
        state.withLock { state in
            guard !state.isPaused, journal.held?.isReleased ?? true else { return }
            Console.output.rewriteLine(
                Console.output.styled("\(Self.seconds(until: end)) s  \(message)", .dim)
            )
        }
    }

    /// Takes the line away.
    func pause() {
        state.withLock { state in
            if state.task != nil, !state.isPaused { Console.output.rewriteLine() }
            state.isPaused = true
        }
    }

    /// Shows the line again.
    func resume() { state.withLock { $0.isPaused = false } }

    /// Ends.
    func stop() {
        pause()
        state.withLock { $0.task?.cancel() }
    }
}
