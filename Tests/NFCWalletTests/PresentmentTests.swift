import NFCWallet
import TestSupport
import Testing

/// Who is told of a reader, and by what: the three ways to pay, with and without an assertion.
@Suite(.timeLimit(.minutes(5))) struct PresentmentTests {
    /// Lets a payment run through in scenario B: the card is shown when a reader is there.
    private func payAtReader(_ wallet: WalletFixture) async throws -> [String] {
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.field.fieldOn()
        guard let event = await listener.next(), event == "posConnected" else { return [] }
        session.startEmulation()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        wallet.field.fieldOff()
        return await listener.rest()
    }

    @Test(arguments: [true, false])
    func `with an assertion the session is told of the reader`(_ isDefault: Bool) async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: isDefault)
        let system = try #require(wallet.system)
        let assertion = try NFCPresentmentIntentAssertion.acquire(from: system)
        let told = try await payAtReader(wallet)
        #expect(told == ["transactionCompleted"])
        #expect(assertion.isValid)
        #expect(system.otherAppLaunchCount == 0)
    }

    @Test func `without one the scene of the default payment app is told, and not the session`()
        async throws
    {
        let wallet = try WalletFixture(isDefaultPaymentApp: true)
        let system = try #require(wallet.system)
        var scene = system.windowSceneEvents.makeAsyncIterator()
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.field.fieldOn()
        let event = await scene.next()
        #expect(event == .readerDetected)
        // The app may go on: once the card is shown, the reader that is there gets it.
        session.startEmulation()
        #expect(wallet.field.send(Command.selectVisa)?.suffix(2) == [0x90, 0x00])
        _ = wallet.field.send(Command.pay)
        let told = await listener.rest()
        #expect(told == ["posConnected", "transactionCompleted"])
    }

    /// Double click and field detect: the scene is told, wherever the app was, and the app pays with the default card.
    @Test(arguments: [NFCWindowSceneEvent.presentation, .readerDetected])
    func `what the scene is told leads to a paid tap`(_ event: NFCWindowSceneEvent) async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: true)
        let system = try #require(wallet.system)
        var scene = system.windowSceneEvents.makeAsyncIterator()
        wallet.wallet.applicationDidEnterBackground()
        switch event {
        case .presentation: system.doubleClick()
        case .readerDetected: wallet.wallet.readerDetected()
        }
        let told = await scene.next()
        #expect(told == event)
        #expect(system.isInForeground)
        let (session, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        #expect(wallet.field.send(Command.selectEnvironment)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send(Command.selectVisa)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send(Command.pay)?.suffix(2) == [0x90, 0x00])
        wallet.field.fieldOff()
        let connected = await listener.next()
        #expect(connected == "posConnected")
        let context = try await listener.context()
        #expect(context.cardID == WalletFixture.visa)
        await session.settled()
        #expect(try wallet.wallet.history(of: WalletFixture.visa).count == 1)
        #expect(system.otherAppLaunchCount == 0)
    }

    @Test func `a reader the session was not told of may leave unnoticed`() async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: true)
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.field.fieldOn()
        wallet.field.fieldOff()
        session.startEmulation()
        session.cancel()
        let told = await listener.rest()
        #expect(told == ["cancelled"])
    }

    @Test func `without one another app is started, and the payment cannot go on`() async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: false)
        let system = try #require(wallet.system)
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.field.fieldOn()
        let told = await listener.rest()
        #expect(told == ["sessionInvalidated"])
        #expect(system.otherAppLaunchCount == 1)
        #expect(!system.isInForeground)
        session.startEmulation()
        #expect(!wallet.field.isPresenting)
    }

    @Test(arguments: [true, false])
    func `while the card is shown no reader is told to anybody else`(_ isDefault: Bool) async throws
    {
        let wallet = try WalletFixture(isDefaultPaymentApp: isDefault)
        let system = try #require(wallet.system)
        let (session, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.wallet.readerDetected()
        wallet.field.fieldOn()
        wallet.field.fieldOff()
        wallet.wallet.readerDetected()
        session.cancel()
        // The session was told, and now that it is over the next reader is told as ever.
        let told = await listener.rest()
        #expect(told == ["posConnected", "posDisconnected", "cancelled"])
        #expect(system.otherAppLaunchCount == 0)
        wallet.wallet.readerDetected()
        #expect(system.otherAppLaunchCount == (isDefault ? 0 : 1))
        if isDefault {
            var scene = system.windowSceneEvents.makeAsyncIterator()
            let event = await scene.next()
            #expect(event == .readerDetected)
            system.doubleClick()
            let next = await scene.next()
            #expect(next == .presentation)
        }
    }

    @Test func `an assertion holds 15 seconds, and there is none anew for 15 more`() throws {
        let clock = ManualClock()
        let system = NFCSystem(isDefaultPaymentApp: true, clock: clock)
        let first = try NFCPresentmentIntentAssertion.acquire(from: system)
        #expect(throws: PresentmentIntentError.alreadyHeld) {
            try NFCPresentmentIntentAssertion.acquire(from: system)
        }
        clock.advance(by: .milliseconds(14_999))
        #expect(first.isValid)
        clock.advance(by: .milliseconds(1))
        #expect(!first.isValid)
        for _ in 0..<2 {
            #expect(throws: PresentmentIntentError.coolingDown) {
                try NFCPresentmentIntentAssertion.acquire(from: system)
            }
            clock.advance(by: .milliseconds(7_499))
        }
        clock.advance(by: .milliseconds(2))
        let second = try NFCPresentmentIntentAssertion.acquire(from: system)
        #expect(second.isValid && !first.isValid)
    }

    @Test func `an assertion that is let go of is over, and cools down from then`() throws {
        let clock = ManualClock()
        let system = NFCSystem(isDefaultPaymentApp: true, clock: clock)
        do {
            let assertion = try NFCPresentmentIntentAssertion.acquire(from: system)
            clock.advance(by: .seconds(5))
            #expect(assertion.isValid)
        }
        clock.advance(by: .milliseconds(14_999))
        #expect(throws: PresentmentIntentError.coolingDown) {
            try NFCPresentmentIntentAssertion.acquire(from: system)
        }
        clock.advance(by: .milliseconds(1))
        #expect(try NFCPresentmentIntentAssertion.acquire(from: system).isValid)
    }

    @Test func `an assertion is over in the background, where there is none`() async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: true)
        let system = try #require(wallet.system)
        let assertion = try NFCPresentmentIntentAssertion.acquire(from: system)
        wallet.wallet.applicationDidEnterBackground()
        #expect(!assertion.isValid)
        #expect(throws: PresentmentIntentError.notInForeground) {
            try NFCPresentmentIntentAssertion.acquire(from: system)
        }
        wallet.wallet.applicationWillEnterForeground()
        #expect(throws: PresentmentIntentError.coolingDown) {
            try NFCPresentmentIntentAssertion.acquire(from: system)
        }
    }

    @Test func `an assertion that is over while its app waits counts as none`() async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: false)
        let assertion = try NFCPresentmentIntentAssertion.acquire(from: #require(wallet.system))
        let (_, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.clock.advance(by: .seconds(15))
        wallet.field.fieldOn()
        let told = await listener.rest()
        #expect(told == ["sessionInvalidated"])
        #expect(!assertion.isValid)
    }
}
