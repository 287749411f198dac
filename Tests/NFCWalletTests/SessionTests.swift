import CardEngine
import EMVData
import NFCWallet
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    @Test func `a payment whose emulation starts after the authentication`() async throws {
        let wallet = try WalletFixture()
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)

        session.startPayment()
        try await listener.authentication().proceed()
        var event = await listener.next()
        #expect(event == "authenticationCompleted")

        session.startEmulation()
        wallet.field.fieldOn()
        event = await listener.next()
        #expect(event == "posConnected")

        #expect(wallet.field.send(Command.selectEnvironment)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send(Command.selectVisa)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send(Command.pay)?.suffix(2) == [0x90, 0x00])
        let context = try await listener.context()
        #expect(context.cardID == WalletFixture.visa)
        #expect(context.status == .requestedOnline)
        #expect(context.amount?.description == "12.34 EUR")
        #expect(context.date?.description == "2026-11-30")
        #expect(context.type == .purchase)
        #expect(context.transactionCounter == 1)
        let rest = await listener.rest()
        #expect(rest == [])

        // The terminal may read on until it lets go.
        #expect(wallet.field.isPresenting)
        wallet.field.fieldOff()
        #expect(!wallet.field.isPresenting)
        #expect(wallet.clock.waitingCallCount == 0)
    }

    @Test func `a payment whose emulation starts when a reader is there`() async throws {
        let wallet = try WalletFixture()
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.field.fieldOn()
        let event = await listener.next()
        #expect(event == "posConnected")
        #expect(wallet.field.send(Command.selectVisa) == nil)

        session.startEmulation()
        #expect(wallet.field.send(Command.selectVisa)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send(Command.pay)?.suffix(2) == [0x90, 0x00])
        let rest = await listener.rest()
        #expect(rest == ["transactionCompleted"])
    }

    @Test func `one session gives one cryptogram`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        for _ in 0..<2 {
            _ = wallet.field.send(Command.selectVisa)
            _ = wallet.field.send(Command.pay)
        }
        #expect(wallet.field.send(Command.selectVisa)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send(Command.pay) == [0x69, 0x85])
        wallet.field.fieldOff()
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "transactionCompleted"])
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 9)
    }

    @Test func `a card that declines tells so`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.payTooMuch)
        _ = await listener.next()
        let context = try await listener.context()
        #expect(context.status == .declined)
    }

    @Test func `a broken tap is told, and the next one pays`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        wallet.field.fieldOff()
        wallet.field.fieldOn()
        // The field took away what was selected.
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        let rest = await listener.rest()
        #expect(
            rest == ["posConnected", "posDisconnected", "posConnected", "transactionCompleted"]
        )
    }

    @Test func `a listener that comes late finds every event`() async throws {
        let wallet = try WalletFixture { $0.requiresAuthentication = false }
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        session.startPayment()
        session.startEmulation()
        for _ in 0..<5 {
            wallet.field.fieldOn()
            wallet.field.fieldOff()
        }
        session.cancel()
        var listener = Listener(session)
        let events = await listener.rest()
        let taps = (0..<5).flatMap { _ in ["posConnected", "posDisconnected"] }
        #expect(events == ["authenticationCompleted"] + taps + ["cancelled"])
    }

    @Test func `a listener that falls far behind still gets the end`() async throws {
        let wallet = try WalletFixture { $0.requiresAuthentication = false }
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        session.startPayment()
        session.startEmulation()
        for _ in 0..<1_000 {
            wallet.field.fieldOn()
            wallet.field.fieldOff()
        }
        session.cancel()
        var listener = Listener(session)
        let events = await listener.rest()
        #expect(events.count == 64)
        #expect(events.last == "cancelled")
    }

    @Test func `a card that does not want its user authenticated pays in the first tap`()
        async throws
    {
        let wallet = try WalletFixture { $0.requiresAuthentication = false }
        let id = DigitalCard.ID(rawValue: "small sums")
        try wallet.wallet.add(DigitalCard(id: id, label: "Test card")) {
            Card(image: visaImage(consumerDeviceCVM: .onRequest))
        }
        try wallet.wallet.replenish(id, count: 4)
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment(withDigitalCardID: id)
        session.startEmulation()
        // Nobody is asked, and nothing expires.
        wallet.clock.advance(by: .milliseconds(59_999))
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        #expect(wallet.field.send(Command.pay)?.suffix(2) == [0x90, 0x00])
        let events = [await listener.next(), await listener.next()]
        #expect(events == ["authenticationCompleted", "posConnected"])
        let context = try await listener.context()
        #expect(context.status == .requestedOnline)
        #expect(context.amount?.description == "12.34 EUR")
        let rest = await listener.rest()
        #expect(rest == [])
    }

    @Test func `a session without an authentication pays in a second tap`() async throws {
        let wallet = try WalletFixture { $0.requiresAuthentication = false }
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        session.startEmulation()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        // The card wants its user authenticated and refuses: 6986.
        #expect(wallet.field.send(Command.pay) == [0x69, 0x86])
        #expect(!wallet.field.isPresenting)
        wallet.field.fieldOff()
        var events = [await listener.next(), await listener.next()]
        #expect(events == ["authenticationCompleted", "posConnected"])
        try await listener.authentication().proceed()
        session.startEmulation()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        #expect(wallet.field.send(Command.pay)?.suffix(2) == [0x90, 0x00])
        events = await listener.rest()
        #expect(events == ["authenticationCompleted", "posConnected", "transactionCompleted"])
        // The refusal spent no key.
        wallet.field.fieldOff()
        #expect(try wallet.store.spentCounter(of: WalletFixture.visa) == 1)
    }

    @Test func `a second tap that nobody authenticates for is no payment`() async throws {
        let wallet = try WalletFixture(.failed) { $0.requiresAuthentication = false }
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        session.startEmulation()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        _ = await listener.next()
        _ = await listener.next()
        try await listener.authentication().proceed()
        let rest = await listener.rest()
        #expect(rest == ["authenticationFailed"])
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 10)
    }

    @Test func `a session is settled once its unspent keys are back`() async throws {
        let wallet = try WalletFixture(keyCount: 10)
        var (session, listener) = try await wallet.emulatingSession()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        let rest = await listener.rest()
        #expect(rest.last == "transactionCompleted")
        // The reader is still there, and with it the card and the keys reserved for it.
        #expect(wallet.field.isPresenting)
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 6)

        let count = Task {
            await session.settled()
            return try wallet.wallet.paymentCount(of: WalletFixture.visa)
        }
        wallet.field.fieldOff()
        #expect(try await count.value == 9)
        #expect(!wallet.field.isPresenting)
        // Whoever asks late does not wait.
        await session.settled()
    }

    @Test func `a tap that overtakes the session still ends it for the next reader`() async throws {
        let wallet = try WalletFixture()
        let (session, _) = try await wallet.authenticatedSession()
        let isShown = Mutex<Bool?>(nil)
        wallet.field.whenPresented { [field = wallet.field] in
            // The session is busy showing the card, so everything that follows from the tap waits.
            field.fieldOn()
            _ = field.send(Command.selectVisa)
            _ = field.send(Command.pay)
            let stays = field.fieldOff()
            isShown.withLock { $0 = stays }
            #expect(field.isPresenting)
        }
        session.startEmulation()
        #expect(isShown.withLock { $0 } == false)
        #expect(!wallet.field.isPresenting)
        await session.settled()
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 9)
    }

    @Test func `only a card that has not paid stays when a reader leaves`() async throws {
        let wallet = try WalletFixture()
        _ = try await wallet.emulatingSession()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        #expect(wallet.field.fieldOff())
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        #expect(!wallet.field.fieldOff())
    }

    @Test func `a session that was never started is settled by its end`() async throws {
        let wallet = try WalletFixture()
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        session.cancel()
        await session.settled()
    }

    @Test func `the shared wallet serves sessions that name none`() async throws {
        let wallet = try WalletFixture()
        Wallet.shared = wallet.wallet
        await startContactlessPayment(wallet.field)
    }

    /// The app of the guide.
    private func startContactlessPayment(_ field: TestField) async {
        let contactlessPaymentSession = ContactlessPaymentSession()
        contactlessPaymentSession.startPayment()
        var paidBy: DigitalCard.ID?
        for await state in contactlessPaymentSession.eventStream {
            switch state {
            case .authenticationRequired(let authentication):
                authentication.proceed()
            case .authenticationCompleted:
                contactlessPaymentSession.startEmulation()
                field.fieldOn()
                _ = field.send(Command.selectVisa)
                _ = field.send(Command.pay)
            case .posConnected:
                contactlessPaymentSession.setAlertMessage("POS Connected")
            case .posDisconnected:
                break
            case .transactionCompleted(let transactionContext):
                paidBy = transactionContext.cardID
            case .errorEncountered(let error):
                Issue.record(error)
            }
        }
        #expect(paidBy == WalletFixture.visa)
        #expect(contactlessPaymentSession.alertMessage == "POS Connected")
    }

    @Test func `a session may be started with await`() async throws {
        let wallet = try WalletFixture()
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        await start(session)
        var listener = Listener(session)
        try await listener.authentication().cancel()
        let rest = await listener.rest()
        #expect(rest == ["cancelled"])
    }

    private func start(_ session: some PaymentStarting) async {
        await session.startPayment(withDigitalCardID: WalletFixture.visa)
    }
}

/// What callers with `await` rely on; a session's own methods are synchronous.
private protocol PaymentStarting {
    func startPayment(withDigitalCardID digitalCardID: DigitalCard.ID?) async
}

extension ContactlessPaymentSession: PaymentStarting {}
