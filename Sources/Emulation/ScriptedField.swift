import CardEngine
import Dispatch
public import NFCWallet
import Octets
import Synchronization
public import Transport

/// A field in which a script changes what cards answer.
///
/// The script goes on from card to card and from tap to tap.
public final class ScriptedField: LinkedField {
    /// Told of each command that the script answers, and of what it makes of it.
    public typealias Observer =
        @Sendable (_ step: CardScriptPlayer.Step, _ command: [UInt8]) -> Void

    private let base: any LinkedField
    private let play: Play
    private let current = Mutex<ScriptedCardInField?>(nil)

    /// Wraps a field.
    /// - Parameters:
    ///   - base: The field.
    ///   - script: What its cards shall answer.
    ///   - observe: Told of each command that the script answers.
    public convenience init(
        _ base: any LinkedField,
        _ script: CardScript,
        observe: @escaping Observer
    ) {
        self.init(base, script, pause: nil, observe: observe)
    }

    /// Wraps a field.
    /// - Parameters:
    ///   - base: The field.
    ///   - script: What its cards shall answer.
    ///   - pause: Lets time pass; nil for a field that waits.
    ///   - observe: Told of each command that the script answers.
    init(
        _ base: any LinkedField,
        _ script: CardScript,
        pause: (@Sendable (Duration) -> Void)?,
        observe: @escaping Observer
    ) {
        self.base = base
        play = Play(script, pause: pause, observe: observe)
    }

    /// What happens to the link; ends after `stop`.
    public var events: AsyncStream<LinkEvent> { base.events }

    /// Starts the thread of the field below.
    public func start() { base.start() }

    /// Ends the link for good, and whatever wait the script is in.
    public func stop() {
        play.stop()
        base.stop()
    }

    /// Tells `card` of readers' fields, but lets no reader see it.
    /// - Throws: What the field below throws.
    public func watch(_ card: any EmulatedCard) throws(CardFieldError) {
        try base.watch(scripted(card))
    }

    /// Shows `card` to readers.
    /// - Throws: What the field below throws.
    public func present(_ card: any EmulatedCard) throws(CardFieldError) {
        try base.present(scripted(card))
    }

    /// Shows `card` no more.
    public func withdraw(_ card: any EmulatedCard) {
        // Whoever is not the last one shown is not shown any more.
        guard let shown = current.withLock({ $0 }), shown.card === card else { return }
        base.withdraw(shown)
    }

    private func scripted(_ card: any EmulatedCard) -> ScriptedCardInField {
        current.withLock { current in
            if let current, current.card === card { return current }
            let scripted = ScriptedCardInField(card, play)
            current = scripted
            return scripted
        }
    }

    /// The script under way, which all cards of the field share.
    fileprivate final class Play: Sendable {
        private let player: Mutex<CardScriptPlayer>
        private let pause: (@Sendable (Duration) -> Void)?
        private let observe: Observer
        private let stopped = DispatchSemaphore(value: 0)

        /// How long a card that never answers is there: a reader's driver has no time limit of its own.
        private static let silence = Duration.seconds(30)

        init(
            _ script: CardScript,
            pause: (@Sendable (Duration) -> Void)?,
            observe: @escaping Observer
        ) {
            player = Mutex(CardScriptPlayer(script))
            self.pause = pause
            self.observe = observe
        }

        func stop() { stopped.signal() }

        func beginTap() { player.withLock { $0.beginTap() } }

        func step(for command: [UInt8]) -> CardScriptPlayer.Step? {
            player.withLock { $0.step(for: command) }
        }

        /// Does what a step says.
        /// - Returns: The response; empty for a card that leaves.
        func response(
            _ step: CardScriptPlayer.Step,
            to command: [UInt8],
            own: [UInt8]
        ) -> [UInt8] {
            observe(step, command)
            wait(step.answer.delay)
            switch step.answer.action {
            case .respond(let parts): return step.response(of: parts, to: command, own: own)
            case .leave: return []
            case .staySilent:
                wait(Self.silence)
                return []
            }
        }

        /// Lets time pass, or less of it when `stop` comes.
        private func wait(_ time: Duration) {
            guard time > .zero else { return }
            if let pause { return pause(time) }
            if stopped.wait(timeout: .now() + time / .seconds(1)) == .success { stopped.signal() }
        }
    }
}

/// A card whose answers a script changes, as a field sees it.
private final class ScriptedCardInField: EmulatedCard {
    let card: any EmulatedCard
    private let play: ScriptedField.Play
    /// Whether the card itself has answered the last command.
    private let hasAnswered = Mutex(true)

    init(_ card: any EmulatedCard, _ play: ScriptedField.Play) {
        self.card = card
        self.play = play
    }

    func fieldOn() {
        play.beginTap()
        card.fieldOn()
    }

    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        let bytes = [UInt8](command)
        guard let step = play.step(for: bytes) else {
            hasAnswered.withLock { $0 = true }
            return card.respond(to: command, into: &response)
        }
        hasAnswered.withLock { $0 = step.reachesCard }
        var own: [UInt8] = []
        if step.reachesCard {
            own = [UInt8](capacity: Card.maximumResponseCount) { output in
                card.respond(to: command, into: &output)
            }
        }
        for byte in play.response(step, to: bytes, own: own) { response.append(byte) }
    }

    func responseSent() {
        if hasAnswered.withLock({ $0 }) { card.responseSent() }
    }

    func fieldOff() -> Bool { card.fieldOff() }
}
