import CardEngine
import EMVData
import TestSupport
import Testing

@testable import NFCWallet

private let card = DigitalCard.ID(rawValue: "a")
private let other = DigitalCard.ID(rawValue: "b")
private let cryptogram = CryptogramEvent(
    application: 0,
    kind: .arqc,
    transactionCounter: 1,
    needsUserAuthentication: false,
    amountMinorUnits: nil,
    currency: nil,
    date: nil,
    transactionType: nil
)

/// Everything that can happen, with moments before and after the authentication expires at 10 s.
private let allInputs: [PaymentFlow.Input] = [
    .start(.success(card)), .start(.success(other)), .start(.failure(.noDefaultCard)),
    .proceed, .authentication(.succeeded, expiry: .seconds(10)),
    .authentication(.failed, expiry: .seconds(10)),
    .authentication(.keyInvalidated, expiry: .seconds(10)),
    .startEmulation(now: .seconds(5)), .startEmulation(now: .seconds(10)), .cardReady,
    .fieldOn(now: .seconds(5)), .fieldOn(now: .seconds(10)), .fieldOff,
    .card(.answered), .card(.applicationSelected), .card(.applicationMissing),
    .card(.paid(cryptogram)),
    .card(.userNeeded), .card(.refused(.apduFailure)), .timeUp, .stop(.cancelled),
    .stop(.sessionInvalidated),
]

/// A flow, all its effects, and inputs that lead to each state.
private struct Course {
    var flow = PaymentFlow(requiresAuthentication: true)
    var effects: [PaymentFlow.Effect] = []

    init(_ inputs: [PaymentFlow.Input] = []) { add(inputs) }

    mutating func add(_ inputs: [PaymentFlow.Input]) {
        for input in inputs { flow.handle(input, effects: &effects) }
    }

    static let authenticated: [PaymentFlow.Input] = [
        .start(.success(card)), .proceed, .authentication(.succeeded, expiry: .seconds(10)),
    ]
    static let emulating = authenticated + [.startEmulation(now: .zero), .cardReady]
    static let inField = emulating + [.fieldOn(now: .zero)]
    static let paid = inField + [.card(.applicationSelected), .card(.paid(cryptogram))]
}

struct PaymentFlowTests {
    @Test func `emulation after the authentication`() {
        let course = Course(Course.paid + [.fieldOff])
        #expect(
            course.effects == [
                .requireAuthentication, .prompt, .tellAuthenticated, .watchField,
                .prepareCard(card, isAuthenticated: true), .startTimer, .showCard, .tellConnected,
                .succeed(cryptogram, by: card),
                .withdraw,
            ]
        )
        #expect(course.flow.state == .ended)
    }

    @Test func `emulation when a reader is there`() {
        let course = Course(
            Course.authenticated + [
                .fieldOn(now: .zero), .startEmulation(now: .zero), .cardReady,
                .card(.applicationSelected), .card(.paid(cryptogram)), .fieldOff,
            ]
        )
        #expect(
            course.effects == [
                .requireAuthentication, .prompt, .tellAuthenticated, .watchField, .tellConnected,
                .prepareCard(card, isAuthenticated: true), .startTimer, .showCard,
                .succeed(cryptogram, by: card),
                .withdraw,
            ]
        )
    }

    @Test func `a reader that comes while keys are reserved is not told twice`() {
        var course = Course(Course.authenticated + [.startEmulation(now: .zero)])
        course.effects = []
        course.add([.fieldOn(now: .zero), .fieldOn(now: .zero), .cardReady, .fieldOn(now: .zero)])
        #expect(course.effects == [.tellConnected, .startTimer, .showCard])
        course.effects = []
        course.add([.fieldOff])
        #expect(course.effects == [.tellDisconnected, .topUp(card)])
    }

    @Test func `a reader that comes and goes while the card is not shown`() {
        var course = Course(Course.authenticated)
        course.effects = []
        course.add([.fieldOff, .fieldOn(now: .zero), .fieldOff, .startEmulation(now: .zero)])
        course.add([.fieldOn(now: .zero), .fieldOff, .cardReady])
        #expect(
            course.effects == [
                .tellConnected, .tellDisconnected, .prepareCard(card, isAuthenticated: true),
                .tellConnected, .tellDisconnected, .startTimer, .showCard,
            ]
        )
    }

    @Test func `a field lost after the selection leads back to waiting`() {
        var course = Course(Course.inField + [.card(.answered), .card(.applicationSelected)])
        course.effects = []
        course.add([.fieldOff, .fieldOn(now: .zero), .card(.paid(cryptogram))])
        #expect(
            course.effects == [
                .tellDisconnected, .topUp(card), .tellConnected, .succeed(cryptogram, by: card),
            ]
        )
    }

    @Test func `a field lost before any command leads back to waiting`() {
        var course = Course(Course.inField)
        course.effects = []
        course.add([.fieldOff])
        #expect(course.effects == [.tellDisconnected, .topUp(card)])
    }

    @Test func `a terminal that leaves without selecting the card does not support it`() {
        var course = Course(Course.inField)
        course.effects = []
        course.add([.card(.answered), .card(.applicationMissing), .fieldOff])
        #expect(course.effects == [.withdraw, .fail(.posNotSupported)])
    }

    @Test func `a terminal that only looks may have lost the field, but not twice`() {
        var course = Course(Course.inField)
        course.effects = []
        course.add([.card(.answered), .card(.answered), .fieldOff])
        #expect(course.effects == [.tellDisconnected, .topUp(card)])
        course.effects = []
        course.add([.fieldOn(now: .zero), .card(.answered), .fieldOff])
        #expect(course.effects == [.tellConnected, .withdraw, .fail(.posNotSupported)])

        course = Course(Course.inField + [.card(.answered), .fieldOff])
        course.effects = []
        course.add([.timeUp])
        #expect(course.effects == [.withdraw, .fail(.posNotSupported)])

        // What was selected in between is not forgotten.
        course = Course(Course.inField + [.card(.answered), .fieldOff, .fieldOn(now: .zero)])
        course.add([.card(.applicationSelected), .card(.applicationMissing), .fieldOff])
        course.effects = []
        course.add([.fieldOn(now: .zero), .card(.answered), .fieldOff, .timeUp])
        #expect(
            course.effects == [
                .tellConnected, .tellDisconnected, .topUp(card), .withdraw, .fail(.posNotSupported),
            ]
        )
    }

    @Test func `another card may be chosen until the emulation starts`() {
        var course = Course([.start(.success(card)), .start(.success(other)), .proceed])
        #expect(course.flow.state == .authenticating(other))
        course.add([.start(.success(card))])
        #expect(course.flow.state == .authenticating(other))
        course.add([.authentication(.succeeded, expiry: .seconds(10)), .start(.success(card))])
        course.effects = []
        course.add([.startEmulation(now: .zero), .start(.success(other)), .cardReady])
        #expect(
            course.effects == [.prepareCard(card, isAuthenticated: true), .startTimer, .showCard]
        )
    }

    @Test func `an expired authentication shows no card and pays nothing`() {
        var course = Course(Course.authenticated)
        course.effects = []
        course.add([.startEmulation(now: .seconds(10))])
        #expect(course.effects == [.withdraw, .fail(.authenticationExpired)])

        course = Course(Course.emulating)
        course.effects = []
        course.add([.fieldOn(now: .seconds(10))])
        #expect(course.effects == [.withdraw, .fail(.authenticationExpired)])
    }

    @Test func `without an authentication the emulation may start at once and never expires`() {
        var course = Course()
        course.flow = PaymentFlow(requiresAuthentication: false)
        course.add([.start(.success(card)), .startEmulation(now: .seconds(1_000)), .cardReady])
        #expect(
            course.effects == [
                .tellAuthenticated, .watchField, .prepareCard(card, isAuthenticated: false),
                .startTimer, .showCard,
            ]
        )
    }

    @Test func `a card that wants its user authenticated pays in a second tap`() {
        var course = Course()
        course.flow = PaymentFlow(requiresAuthentication: false)
        course.add([.start(.success(card)), .startEmulation(now: .zero), .cardReady])
        course.effects = []
        course.add([.fieldOn(now: .zero), .card(.applicationSelected), .card(.userNeeded)])
        #expect(course.effects == [.tellConnected, .withdraw, .requireAuthentication])
        #expect(!course.flow.answersCommands)
        course.effects = []
        course.add([.fieldOff, .proceed, .authentication(.succeeded, expiry: .seconds(10))])
        course.add([.startEmulation(now: .zero), .cardReady, .fieldOn(now: .zero)])
        course.add([.card(.applicationSelected), .card(.paid(cryptogram)), .fieldOff])
        #expect(
            course.effects == [
                .prompt, .tellAuthenticated, .watchField,
                .prepareCard(card, isAuthenticated: true), .startTimer, .showCard, .tellConnected,
                .succeed(cryptogram, by: card), .withdraw,
            ]
        )
    }

    @Test func `a card that wants its user authenticated once more gets no third tap`() {
        var course = Course(Course.inField + [.card(.applicationSelected)])
        course.effects = []
        course.add([.card(.userNeeded)])
        #expect(course.effects == [.withdraw, .fail(.apduFailure)])
    }

    @Test func `each start of the emulation gives the whole time anew`() {
        var course = Course(Course.inField)
        course.effects = []
        course.add([.startEmulation(now: .zero), .startEmulation(now: .zero)])
        #expect(course.effects == [.startTimer, .startTimer])
    }

    @Test(arguments: [
        (AuthenticationResult.failed, PaymentError.authenticationFailed),
        (.cancelled, .authenticationFailed), (.biometricNotEnrolled, .biometricNotEnrolled),
    ])
    func `an authentication that does not succeed ends the session`(
        _ result: AuthenticationResult,
        _ error: PaymentError
    ) {
        var course = Course([.start(.success(card)), .proceed])
        course.effects = []
        course.add([.authentication(result, expiry: .zero)])
        #expect(course.effects == [.fail(error)])
    }

    @Test func `a lost key store wipes the wallet`() {
        var course = Course([.start(.success(card)), .proceed])
        course.effects = []
        course.add([.authentication(.keyInvalidated, expiry: .zero)])
        #expect(course.effects == [.wipe, .fail(.authenticationKeyInvalidated)])
    }

    @Test func `a session can be stopped in every state, and frees what it holds`() {
        let states: [([PaymentFlow.Input], [PaymentFlow.Effect])] = [
            ([], []),
            ([.start(.success(card))], []),
            ([.start(.success(card)), .proceed], [.dismissPrompt]),
            (Course.authenticated, [.withdraw]),
            (Course.authenticated + [.startEmulation(now: .zero)], [.withdraw]),
            (Course.emulating, [.withdraw]),
            (Course.inField, [.withdraw]),
            (Course.inField + [.card(.answered)], [.withdraw]),
            (Course.inField + [.card(.applicationSelected)], [.withdraw]),
        ]
        for (inputs, release) in states {
            var course = Course(inputs)
            let state = course.flow.state
            course.effects = []
            course.add([.stop(.cancelled)])
            #expect(course.effects == release + [.fail(.cancelled)], "\(state)")
            #expect(course.flow.state == .ended)
        }
    }

    @Test func `a session that has paid is only tidied up`() {
        for input in [PaymentFlow.Input.stop(.cancelled), .timeUp, .fieldOff] {
            var course = Course(Course.paid)
            course.effects = []
            course.add([input, input])
            #expect(course.effects == [.withdraw])
        }
    }

    @Test func `whatever happens, in whatever order, there is one end and nothing after it`() {
        var generator = SeededGenerator()
        let source = generator.description
        for _ in 0..<2_000 {
            // A shuffled start reaches few states, so that half of the runs begin further on.
            let beginnings = [
                [], Course.authenticated, Course.emulating, Course.inField, Course.paid,
            ]
            var course = Course(beginnings.randomElement(using: &generator) ?? [])
            for _ in 0..<30 {
                if let input = allInputs.randomElement(using: &generator) { course.add([input]) }
            }
            course.add([.stop(.cancelled)])
            let ends = course.effects.indices.filter { course.effects[$0].isEnd }
            #expect(ends.count == 1, "\(source): \(course.effects)")
            guard let end = ends.first else { continue }
            // A card that has paid is withdrawn later; nothing else follows the end.
            #expect(
                course.effects[(end + 1)...].allSatisfy { $0 == .withdraw },
                "\(source): \(course.effects)"
            )
            let watches = course.effects.count { $0 == .watchField }
            let withdrawals = course.effects.count { $0 == .withdraw }
            #expect(watches == withdrawals, "\(source): \(course.effects)")
            #expect(course.flow.state == .ended)
        }
    }

    /// Every state there is, reached by every event, and what each transition must keep.
    @Test(arguments: [true, false])
    func `in every state every event keeps what is promised`(_ requiresAuthentication: Bool) {
        let start = PaymentFlow(requiresAuthentication: requiresAuthentication)
        var known: Set<PaymentFlow.State> = [start.state]
        var waiting = [start]
        var transitionCount = 0
        while let flow = waiting.popLast() {
            for input in allInputs {
                var next = flow
                var effects: [PaymentFlow.Effect] = []
                next.handle(input, effects: &effects)
                transitionCount += 1
                check(from: flow.state, by: input, to: next.state, effects)
                if known.insert(next.state).inserted { waiting.append(next) }
            }
        }
        // Idle, paid and ended. For each of two cards: asked; prompted; authenticated, and starting, each with a reader
        // there or not; then shown, after either, to nobody, to a reader that is silent, searching or unsuited, each
        // with a search in vain before or not, and to one that has selected.
        let shown = 2 * (2 * 4 + 1)
        let withUser = 2 * (1 + 1 + 2 + 2 + shown)
        let withoutUser = 2 * (2 + 2 + shown)
        let count = 3 + withUser + (requiresAuthentication ? 0 : withoutUser)
        #expect(known.count == count)
        #expect(transitionCount == known.count * allInputs.count)
    }

    private func check(
        from old: PaymentFlow.State,
        by input: PaymentFlow.Input,
        to new: PaymentFlow.State,
        _ effects: [PaymentFlow.Effect]
    ) {
        let comment: Comment = "\(old), \(input): \(new), \(effects)"
        // The end is told once, when it is reached, and nothing after it.
        let ends = effects.count { $0.isEnd }
        #expect(ends == (new.isOver && !old.isOver ? 1 : 0), comment)
        if old.isOver { #expect(effects.allSatisfy { $0 == .withdraw }, comment) }
        if let end = effects.firstIndex(where: \.isEnd) {
            #expect(effects[end...].dropFirst().isEmpty, comment)
        }
        if old == .ended { #expect(effects.isEmpty && new == .ended, comment) }
        // The radio is taken and let go of in turns, and so is the prompt.
        let claims = effects.count { $0 == .watchField } - effects.count { $0 == .withdraw }
        #expect(claims == (new.hasRadio ? 1 : 0) - (old.hasRadio ? 1 : 0), comment)
        let hasPrompt = effects.contains(.prompt)
        #expect(hasPrompt == (new.isPrompting && !old.isPrompting), comment)
        if case .authentication = input {
        } else {
            let isDismissed = effects.contains(.dismissPrompt)
            #expect(isDismissed == (old.isPrompting && !new.isPrompting), comment)
        }
        // A card is shown once its keys are there, and pays in a reader's field alone.
        #expect(effects.contains(.showCard) == (new.showsCard && !old.showsCard), comment)
        #expect(!effects.contains(.showCard) || effects.contains(.startTimer), comment)
        if case .starting = old {} else { #expect(!effects.contains(.showCard), comment) }
        if new == .paid, old != .paid {
            guard case .emulating(_, .some) = old else { return _ = #expect(Bool(false), comment) }
        }
        // Nothing happens on an authentication that is over, but that it is told.
        switch (input, old) {
        case (.startEmulation(now: .seconds(10)), .authenticated(let user))
        where user.expiry != nil,
            (.fieldOn(now: .seconds(10)), .emulating(let user, nil)) where user.expiry != nil:
            #expect(effects == [.withdraw, .fail(.authenticationExpired)], comment)
        default: break
        }
        // A wipe goes with exactly one error.
        let isWiped = effects.contains(.wipe)
        #expect(isWiped == effects.contains(.fail(.authenticationKeyInvalidated)), comment)
    }

    @Test func `commands reach the card only while a reader is there`() {
        #expect(!Course(Course.authenticated + [.fieldOn(now: .zero)]).flow.answersCommands)
        #expect(!Course(Course.emulating).flow.answersCommands)
        #expect(Course(Course.inField).flow.answersCommands)
        #expect(Course(Course.paid).flow.answersCommands)
        #expect(!Course(Course.paid + [.fieldOff]).flow.answersCommands)
        #expect(!Course(Course.inField + [.timeUp]).flow.answersCommands)
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
