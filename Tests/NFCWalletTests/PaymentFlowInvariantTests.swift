import CardEngine
import EMVData
import TestSupport
import Testing

@testable import NFCWallet

private let cards = [DigitalCard.ID(rawValue: "a"), DigitalCard.ID(rawValue: "b")]
private let cryptogram = CryptogramEvent.firstPayment

/// The authentication expires at the second one; readers that have their chance lose it in between.
private let moments = [Duration.seconds(5), .seconds(10)]
private let expiry = Duration.seconds(10)

/// Whatever a session may be told to stop for; a lost passcode is told by the authenticator alone.
private let errors = PaymentError.allCases.filter { $0 != .authenticationKeyInvalidated }

private let allNews: [PaymentFlow.CardNews] = [
    .answered, .listed, .applicationSelected, .applicationMissing, .paid(cryptogram), .userNeeded,
    .refused(.apduFailure), .refused(.noPaymentKeys),
]

private let allResults: [AuthenticationResult] = [
    .succeeded, .failed, .cancelled, .biometricNotEnrolled, .keyInvalidated,
]

/// Everything that can happen, each at both moments.
private let allInputs: [PaymentFlow.Input] =
    cards.map { .start(.success($0)) }
    + errors.flatMap { [.start(.failure($0)), .stop($0)] }
    + [.proceed, .cardReady]
    + allResults.map { .authentication($0, expiry: expiry) }
    + moments.flatMap { now -> [PaymentFlow.Input] in
        let times: [PaymentFlow.Input] = [
            .startEmulation(now: now), .fieldOn(now: now), .command(now: now), .fieldOff(now: now),
            .timeUp(now: now),
        ]
        return times + allNews.map { .card($0, now: now) }
    }

/// What a wallet promises, as far as the course of one payment can show it.
///
/// Not shown here, since the course has no part in it: that no account number and no key is in what is told and logged,
/// that the default card is one of the wallet's, that an account has one pass on a device, and that a card which was
/// declined, or waits for its activation, is not in the wallet or not active.
struct PaymentFlowInvariantTests {
    /// One step of a course.
    private struct Step {
        var old: PaymentFlow
        var input: PaymentFlow.Input
        var new: PaymentFlow
        var effects: [PaymentFlow.Effect]

        init(_ old: PaymentFlow, _ input: PaymentFlow.Input) {
            self.old = old
            self.input = input
            new = old
            effects = []
            new.handle(input, effects: &effects)
        }

        var comment: Comment { "\(old.state), \(input): \(new.state), \(effects)" }
    }

    /// Every state there is, reached by every event, and what each transition must keep.
    @Test(arguments: [true, false])
    func `in every state every event keeps what is promised`(_ requiresAuthentication: Bool) {
        let start = PaymentFlow(requiresAuthentication: requiresAuthentication)
        var known: Set<PaymentFlow.State> = [start.state]
        var waiting = [start]
        var stepCount = 0
        while let flow = waiting.popLast() {
            for input in allInputs {
                let step = Step(flow, input)
                stepCount += 1
                checkEnd(step)
                checkCounters(step)
                checkExhaustion(step)
                checkCard(step)
                checkWipe(step)
                checkAuthentication(step)
                checkReader(step)
                checkResources(step)
                if known.insert(step.new.state).inserted { waiting.append(step.new) }
            }
        }
        // Idle, paid and ended. For each of two cards: asked; prompted; authenticated, and starting, each with a reader
        // there or not; then shown, after either, to nobody, to a reader that is silent, searching, choosing since either
        // moment with the list or without, or unsuited, and to one that has selected.
        let shown = 2 * (1 + 1 + 1 + 4 + 1 + 1)
        let withUser = 2 * (1 + 1 + 2 + 2 + shown)
        let withoutUser = 2 * (2 + 2 + shown)
        let count = 3 + withUser + (requiresAuthentication ? 0 : withoutUser)
        #expect(known.count == count)
        #expect(stepCount == known.count * allInputs.count)
    }

    /// Exactly one terminal event a session, and no event after it.
    private func checkEnd(_ step: Step) {
        let (old, new, effects) = (step.old.state, step.new.state, step.effects)
        let ends = effects.count { $0.isEnd }
        #expect(ends == (new.isOver && !old.isOver ? 1 : 0), step.comment)
        if old.isOver { #expect(effects.allSatisfy { $0 == .withdraw }, step.comment) }
        if let end = effects.firstIndex(where: \.isEnd) {
            #expect(effects[end...].dropFirst().isEmpty, step.comment)
        }
        if old == .ended { #expect(effects.isEmpty && new == .ended, step.comment) }
        if old == .paid { #expect(new.isOver, step.comment) }
        // It can be ended at any time, by the app and by its leaving the foreground.
        if case .stop(let error) = step.input, !old.isOver {
            #expect(new == .ended && effects.last == .fail(error), step.comment)
        }
    }

    /// A single-use key's counter is never used twice: keys are reserved before a reader may see the card, and the card
    /// that has paid gets no more of them.
    private func checkCounters(_ step: Step) {
        let (old, new, effects) = (step.old.state, step.new.state, step.effects)
        for effect in effects {
            switch effect {
            case .prepareCard:
                guard case .authenticated = old, case .starting = new else {
                    return _ = #expect(Bool(false), step.comment)
                }
            case .showCard:
                guard case .starting = old, case .emulating = new else {
                    return _ = #expect(Bool(false), step.comment)
                }
            case .topUp:
                #expect(step.new.awaitsReader && !step.new.answersCommands, step.comment)
            case .succeed:
                guard case .emulating(_, .some) = old, new == .paid else {
                    return _ = #expect(Bool(false), step.comment)
                }
            default: break
            }
        }
        #expect(effects.contains(.showCard) == (new.showsCard && !old.showsCard), step.comment)
        // A card answers while it is shown and a reader is there, and at no other time.
        let answers =
            switch new {
            case .emulating(_, .some), .paid: true
            default: false
            }
        #expect(step.new.answersCommands == answers, step.comment)
        #expect(step.new.showsCard == new.showsCard, step.comment)
    }

    /// A limited-use key's limits are never exceeded: a card without keys pays no more, and says so.
    private func checkExhaustion(_ step: Step) {
        let refusal: PaymentError
        switch (step.old.state, step.input) {
        case (_, .start(.failure(let error))) where step.old.acceptsCard: refusal = error
        case (.emulating(_, .some), .card(.refused(let error), _)): refusal = error
        default: return
        }
        #expect(step.new.state == .ended && step.effects.last == .fail(refusal), step.comment)
        #expect(!step.new.showsCard && !step.new.answersCommands, step.comment)
    }

    /// The card that pays is the one that was chosen; one that is suspended or deleted, whenever that is found, is shown no
    /// more.
    private func checkCard(_ step: Step) {
        let (old, new) = (step.old.state.card, step.new.state.card)
        if case .start(.success(let chosen)) = step.input, step.old.acceptsCard {
            #expect(new == chosen, step.comment)
        } else if let new {
            #expect(new == old, step.comment)
        }
        for effect in step.effects {
            switch effect {
            case .prepareCard(let id, _), .topUp(let id): #expect(id == new, step.comment)
            case .succeed(_, let id): #expect(id == old, step.comment)
            default: break
            }
        }
        guard step.effects.contains(.fail(.cardNotActive)) else { return }
        #expect(!step.new.showsCard && !step.new.answersCommands, step.comment)
        #expect(step.effects.contains(.withdraw) == step.old.state.hasRadio, step.comment)
    }

    /// A lost passcode takes every credential along, before it is told.
    private func checkWipe(_ step: Step) {
        guard case .authenticating = step.old.state,
            case .authentication(.keyInvalidated, _) = step.input
        else { return #expect(!step.effects.contains(.wipe), step.comment) }
        #expect(step.effects == [.wipe, .fail(.authenticationKeyInvalidated)], step.comment)
    }

    /// Nothing happens on an authentication that is over, but that it is told; none is waited for twice.
    private func checkAuthentication(_ step: Step) {
        let isTooLate =
            switch (step.input, step.old.state) {
            case (.startEmulation(now: expiry), .authenticated(let user)),
                (.startEmulation(now: expiry), .emulating(let user, _)),
                (.fieldOn(now: expiry), .emulating(let user, nil)),
                (.command(now: expiry), .emulating(let user, .some)):
                user.expiry != nil
            default: false
            }
        let isTold = step.effects.contains(.fail(.authenticationExpired))
        if isTooLate {
            #expect(step.effects == [.withdraw, .fail(.authenticationExpired)], step.comment)
        } else if !step.input.carries(.authenticationExpired) {
            #expect(!isTold, step.comment)
        }
        guard case .authentication(let result, _) = step.input else { return }
        guard case .authenticating = step.old.state else {
            return #expect(step.effects.isEmpty && step.new.state == step.old.state, step.comment)
        }
        if let error = PaymentError(result) {
            #expect(step.effects.last == .fail(error), step.comment)
        } else {
            #expect(step.effects == [.tellAuthenticated, .watchField], step.comment)
        }
    }

    /// A terminal does not support the card when it could have selected it and did not, and not when the field was lost.
    private func checkReader(_ step: Step) {
        guard step.effects.contains(.fail(.posNotSupported)),
            !step.input.carries(.posNotSupported)
        else { return }
        switch (step.old.state, step.input) {
        case (.emulating(_, .unsuited), .fieldOff), (.emulating(_, .unsuited), .timeUp),
            (.emulating(_, .choosing(since: moments[0], hasList: _)), .fieldOff(now: moments[1])),
            (.emulating(_, .choosing(since: moments[0], hasList: _)), .timeUp(now: moments[1])):
            break
        default: #expect(Bool(false), step.comment)
        }
    }

    /// The radio is taken and let go of in turns, and so is the prompt; a shown card has its time.
    private func checkResources(_ step: Step) {
        let (old, new, effects) = (step.old.state, step.new.state, step.effects)
        let claims = effects.count { $0 == .watchField } - effects.count { $0 == .withdraw }
        #expect(claims == (new.hasRadio ? 1 : 0) - (old.hasRadio ? 1 : 0), step.comment)
        let hasPrompt = effects.contains(.prompt)
        #expect(hasPrompt == (new.isPrompting && !old.isPrompting), step.comment)
        if case .authentication = step.input {
        } else {
            let isDismissed = effects.contains(.dismissPrompt)
            #expect(isDismissed == (old.isPrompting && !new.isPrompting), step.comment)
        }
        #expect(!effects.contains(.showCard) || effects.contains(.startTimer), step.comment)
    }

    @Test func `whatever happens, in whatever order, there is one end and nothing after it`() {
        var generator = SeededGenerator()
        let source = generator.description
        // A shuffled start reaches few states, so that most of the runs begin further on.
        let authenticated: [PaymentFlow.Input] = [
            .start(.success(cards[0])), .proceed, .authentication(.succeeded, expiry: expiry),
        ]
        let emulating = authenticated + [.startEmulation(now: .zero), .cardReady]
        let inField = emulating + [.fieldOn(now: .zero)]
        let paid = inField + [.card(.paid(cryptogram), now: .zero)]
        // Most inputs end a course; those that do not come more often.
        let calm = allInputs.filter { if case .stop = $0 { false } else { true } }
        for _ in 0..<2_000 {
            var flow = PaymentFlow(requiresAuthentication: true)
            var effects: [PaymentFlow.Effect] = []
            let beginnings = [[], authenticated, emulating, inField, paid]
            for input in beginnings.randomElement(using: &generator) ?? [] {
                flow.handle(input, effects: &effects)
            }
            for _ in 0..<30 {
                guard let input = calm.randomElement(using: &generator) else { continue }
                flow.handle(input, effects: &effects)
            }
            flow.handle(.stop(.cancelled), effects: &effects)
            let ends = effects.indices.filter { effects[$0].isEnd }
            #expect(ends.count == 1, "\(source): \(effects)")
            guard let end = ends.first else { continue }
            // A card that has paid is withdrawn later; nothing else follows the end.
            let rest = effects[(end + 1)...]
            #expect(rest.allSatisfy { $0 == .withdraw }, "\(source): \(effects)")
            let watches = effects.count { $0 == .watchField }
            let withdrawals = effects.count { $0 == .withdraw }
            #expect(watches == withdrawals, "\(source): \(effects)")
            #expect(flow.state == .ended)
        }
    }
}

extension PaymentFlow.Input {
    /// Whether it brings this error itself.
    fileprivate func carries(_ error: PaymentError) -> Bool {
        switch self {
        case .start(.failure(error)), .stop(error), .card(.refused(error), _): true
        default: false
        }
    }
}

extension PaymentFlow.Effect {
    fileprivate var isEnd: Bool {
        switch self {
        case .succeed, .fail: true
        default: false
        }
    }
}

extension PaymentFlow.State {
    fileprivate var isOver: Bool { self == .paid || self == .ended }

    /// The card that was chosen; nil where there is none, or none any more.
    fileprivate var card: DigitalCard.ID? {
        switch self {
        case .awaitingAuthentication(let card), .authenticating(let card): card
        case .authenticated(let user), .starting(let user), .emulating(let user, _): user.card
        case .idle, .paid, .ended: nil
        }
    }

    fileprivate var hasRadio: Bool {
        switch self {
        case .authenticated, .starting, .emulating, .paid: true
        case .idle, .awaitingAuthentication, .authenticating, .ended: false
        }
    }

    fileprivate var isPrompting: Bool {
        if case .authenticating = self { true } else { false }
    }

    fileprivate var showsCard: Bool {
        switch self {
        case .emulating, .paid: true
        default: false
        }
    }
}
