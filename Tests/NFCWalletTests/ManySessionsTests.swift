import CardEngine
import NFCWallet
import TestSupport
import Testing

/// Ten thousand sessions at once, each with its own timer, on one clock moved by hand.
@Suite(.timeLimit(.minutes(5))) struct ManySessionsTests {
    @Test func `each of ten thousand sessions ends at its own sixtieth second and not before`()
        async throws
    {
        let count = 10_000
        let clock = ManualClock()
        let store = MemoryKeyStore()
        let service = TestService()
        let card = DigitalCard.ID(rawValue: "card")
        var configuration = Wallet.Configuration()
        configuration.requiresAuthentication = false
        configuration.reservedKeyCount = 1
        let image = visaImage()

        var fields: [TestField] = []
        var sessions: [ContactlessPaymentSession] = []
        for number in 0..<count {
            // Each phone has a radio of its own; all share keys, so that no counter may come twice.
            let field = TestField()
            let wallet = Wallet(
                field: field,
                authenticator: SimulatedAuthenticator(),
                service: service,
                keys: store,
                clock: clock,
                configuration: configuration
            )
            try wallet.add(DigitalCard(id: card, label: "Test card")) { Card(image: image) }
            try wallet.setDefaultCard(card)
            if number == 0 { try wallet.replenish(card, count: count) }
            let session = ContactlessPaymentSession(wallet: wallet)
            session.startPayment()
            session.startEmulation()
            try #require(field.isPresenting, "\(number)")
            fields.append(field)
            sessions.append(session)
            clock.advance(by: .milliseconds(1))
        }
        #expect(clock.waitingCallCount == count)
        #expect(store.count(of: card) == 0)

        // The first one began 10 s ago.
        clock.advance(by: .milliseconds(60_000 - count - 1))
        for number in 0..<count {
            let isShown = fields[number].isPresenting
            clock.advance(by: .milliseconds(1))
            let isShownNow = fields[number].isPresenting
            if !isShown || isShownNow {
                Issue.record("session \(number): \(isShown), \(isShownNow)")
            }
        }
        #expect(clock.waitingCallCount == 0)
        for session in sessions {
            var listener = Listener(session)
            let events = await listener.rest()
            #expect(events == ["authenticationCompleted", "maxSessionDurationReached"])
        }
    }
}
