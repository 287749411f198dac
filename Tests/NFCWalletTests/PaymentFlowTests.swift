import CardEngine
import EMVData
import Testing

@testable import NFCWallet

private let card = DigitalCard.ID(rawValue: "a")
private let other = DigitalCard.ID(rawValue: "b")
private let cryptogram = CryptogramEvent.firstPayment

/// What the card answers, at the beginning of the clock.
private func heard(_ news: PaymentFlow.CardNews, at now: Duration = .zero) -> PaymentFlow.Input {
    .card(news, now: now)
}

private let left = PaymentFlow.Input.fieldOff(now: .zero)
private let timeUp = PaymentFlow.Input.timeUp(now: .zero)

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
    static let paid = inField + [heard(.applicationSelected), heard(.paid(cryptogram))]
}

struct PaymentFlowTests {
    @Test func `emulation after the authentication`() {
        let course = Course(Course.paid + [left])
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
                heard(.applicationSelected), heard(.paid(cryptogram)), left,
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
        course.add([left])
        #expect(course.effects == [.tellDisconnected, .topUp(card)])
    }

    @Test func `a reader that comes and goes while the card is not shown`() {
        var course = Course(Course.authenticated)
        course.effects = []
        course.add([left, .fieldOn(now: .zero), left, .startEmulation(now: .zero)])
        course.add([.fieldOn(now: .zero), left, .cardReady])
        #expect(
            course.effects == [
                .tellConnected, .tellDisconnected, .prepareCard(card, isAuthenticated: true),
                .tellConnected, .tellDisconnected, .startTimer, .showCard,
            ]
        )
    }

    @Test func `a field lost after the selection leads back to waiting`() {
        var course = Course(Course.inField + [heard(.answered), heard(.applicationSelected)])
        course.effects = []
        course.add([left, .fieldOn(now: .zero), heard(.paid(cryptogram))])
        #expect(
            course.effects == [
                .tellDisconnected, .topUp(card), .tellConnected, .succeed(cryptogram, by: card),
            ]
        )
    }

    @Test func `a field lost before any command leads back to waiting`() {
        var course = Course(Course.inField)
        course.effects = []
        course.add([left])
        #expect(course.effects == [.tellDisconnected, .topUp(card)])
    }

    /// What a reader did before it left, how long it then stayed, and whether it could have selected the card.
    @Test(
        arguments: [
            ([], 60_000, false),
            // It asked for nothing.
            ([.answered], 60_000, false),
            // The field may have been lost before its next command.
            ([.listed], 0, false), ([.listed], 999, false), ([.listed], 1_000, true),
            ([.answered, .listed, .answered], 1_000, true),
            ([.applicationMissing], 999, false), ([.applicationMissing], 1_000, true),
            ([.applicationMissing, .applicationMissing], 999, false),
            ([.applicationMissing, .listed], 999, false),
            ([.listed, .listed], 999, false),
            // It has read what the card has, and wants something else.
            ([.listed, .applicationMissing], 0, true),
            ([.listed, .applicationMissing, .listed, .answered], 0, true),
            // It has selected the card, whatever else it asked for.
            ([.listed, .applicationMissing, .applicationSelected], 60_000, false),
            ([.applicationSelected, .applicationMissing], 60_000, false),
            ([.applicationSelected, .listed, .applicationMissing, .answered], 60_000, false),
        ] as [([PaymentFlow.CardNews], Int, Bool)]
    )
    func `a terminal that could have selected the card and did not does not support it`(
        _ news: [PaymentFlow.CardNews],
        _ milliseconds: Int,
        _ isPassedOver: Bool
    ) {
        let end = Duration.milliseconds(milliseconds)
        let ends: [(PaymentFlow.Input, [PaymentFlow.Effect])] = [
            (.fieldOff(now: end), [.tellDisconnected, .topUp(card)]),
            (.timeUp(now: end), [.withdraw, .fail(.maxSessionDurationReached)]),
        ]
        for (input, effects) in ends {
            var course = Course(Course.inField + news.map { heard($0) })
            course.effects = []
            course.add([input])
            let expected = isPassedOver ? [.withdraw, .fail(.posNotSupported)] : effects
            #expect(course.effects == expected, "\(input)")
        }
    }

    @Test func `however often the field is lost, the terminal may support the card`() {
        var course = Course(Course.emulating)
        for news in [.answered, .listed, .applicationMissing, .listed] as [PaymentFlow.CardNews] {
            course.effects = []
            course.add([.fieldOn(now: .zero), heard(news), left])
            #expect(course.effects == [.tellConnected, .tellDisconnected, .topUp(card)])
        }
        course.effects = []
        course.add([.timeUp(now: .seconds(60))])
        #expect(course.effects == [.withdraw, .fail(.maxSessionDurationReached)])
    }

    @Test func `what a reader asked for is forgotten when it leaves`() {
        var course = Course(Course.inField + [heard(.listed), left, .fieldOn(now: .zero)])
        course.effects = []
        course.add([heard(.applicationMissing), left])
        #expect(course.effects == [.tellDisconnected, .topUp(card)])
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

        for input in [.command(now: .seconds(10)), .startEmulation(now: .seconds(10))]
            as [PaymentFlow.Input]
        {
            course = Course(Course.inField + [heard(.applicationSelected)])
            course.effects = []
            course.add([input])
            #expect(course.effects == [.withdraw, .fail(.authenticationExpired)], "\(input)")
            #expect(!course.flow.answersCommands)
        }
    }

    @Test func `an authentication is good until it expires, and a payment made stays one`() {
        var course = Course(Course.inField)
        course.effects = []
        let last = Duration.seconds(10) - .nanoseconds(1)
        course.add([.startEmulation(now: last), .command(now: last)])
        course.add([heard(.paid(cryptogram), at: .seconds(10)), .command(now: .seconds(11))])
        #expect(course.effects == [.startTimer, .succeed(cryptogram, by: card)])
        #expect(course.flow.answersCommands)
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
        course.add([.fieldOn(now: .zero), heard(.applicationSelected), heard(.userNeeded)])
        #expect(course.effects == [.tellConnected, .withdraw, .requireAuthentication])
        #expect(!course.flow.answersCommands)
        course.effects = []
        course.add([left, .proceed, .authentication(.succeeded, expiry: .seconds(10))])
        course.add([.startEmulation(now: .zero), .cardReady, .fieldOn(now: .zero)])
        course.add([heard(.applicationSelected), heard(.paid(cryptogram)), left])
        #expect(
            course.effects == [
                .prompt, .tellAuthenticated, .watchField,
                .prepareCard(card, isAuthenticated: true), .startTimer, .showCard, .tellConnected,
                .succeed(cryptogram, by: card), .withdraw,
            ]
        )
    }

    @Test func `a card that wants its user authenticated once more gets no third tap`() {
        var course = Course(Course.inField + [heard(.applicationSelected)])
        course.effects = []
        course.add([heard(.userNeeded)])
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
            (Course.inField + [heard(.answered)], [.withdraw]),
            (Course.inField + [heard(.applicationSelected)], [.withdraw]),
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
        for input in [PaymentFlow.Input.stop(.cancelled), timeUp, left] {
            var course = Course(Course.paid)
            course.effects = []
            course.add([input, input])
            #expect(course.effects == [.withdraw])
        }
    }

    @Test func `commands reach the card only while a reader is there`() {
        #expect(!Course(Course.authenticated + [.fieldOn(now: .zero)]).flow.answersCommands)
        #expect(!Course(Course.emulating).flow.answersCommands)
        #expect(Course(Course.inField).flow.answersCommands)
        #expect(Course(Course.paid).flow.answersCommands)
        #expect(!Course(Course.paid + [left]).flow.answersCommands)
        #expect(!Course(Course.inField + [timeUp]).flow.answersCommands)
    }
}
