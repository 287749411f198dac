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
    .card(.answered), .card(.applicationSelected), .card(.paid(cryptogram)),
    .card(.refused(.apduFailure)), .timeUp, .stop(.cancelled), .stop(.sessionInvalidated),
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
                .prepareCard(card), .startTimer, .showCard, .tellConnected,
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
                .prepareCard(card), .startTimer, .showCard, .succeed(cryptogram, by: card),
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
                .tellConnected, .tellDisconnected, .prepareCard(card),
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
        course.add([.card(.answered), .card(.answered), .fieldOff])
        #expect(course.effects == [.withdraw, .fail(.posNotSupported)])
    }

    @Test func `another card may be chosen until the emulation starts`() {
        var course = Course([.start(.success(card)), .start(.success(other)), .proceed])
        #expect(course.flow.state == .authenticating(other))
        course.add([.start(.success(card))])
        #expect(course.flow.state == .authenticating(other))
        course.add([.authentication(.succeeded, expiry: .seconds(10)), .start(.success(card))])
        course.effects = []
        course.add([.startEmulation(now: .zero), .start(.success(other)), .cardReady])
        #expect(course.effects == [.prepareCard(card), .startTimer, .showCard])
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
                .tellAuthenticated, .watchField, .prepareCard(card), .startTimer, .showCard,
            ]
        )
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
