import Synchronization
import TestSupport
import Testing

@testable import NFCWallet

/// What becomes of a session when its app leaves the foreground.
@Suite(.timeLimit(.minutes(5))) struct BackgroundTests {
    @Test(arguments: 0...6)
    func `sessionInvalidated, however far the session has come`(_ depth: Int) async throws {
        let wallet = try WalletFixture(nil)
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        if depth >= 1 { session.startPayment() }
        if depth >= 2 { try await listener.authentication().proceed() }
        if depth >= 3 {
            wallet.authenticator.answer(.succeeded)
            let event = await listener.next()
            #expect(event == "authenticationCompleted")
        }
        if depth >= 4 { session.startEmulation() }
        if depth >= 5 { wallet.field.fieldOn() }
        if depth >= 6 { _ = wallet.field.send(Command.selectVisa) }
        #expect(wallet.authenticator.isPrompting == (depth == 2))

        wallet.wallet.applicationDidEnterBackground()
        wallet.wallet.applicationDidEnterBackground()
        let told = await listener.rest()
        #expect(told.last == "sessionInvalidated")
        #expect(told.count { $0 == "sessionInvalidated" } == 1)
        #expect(!wallet.authenticator.isPrompting && !wallet.field.isPresenting)
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 10)
        // It is over, wherever the app is later.
        wallet.wallet.applicationWillEnterForeground()
        session.startPayment()
        session.startEmulation()
        #expect(!wallet.field.isPresenting)
    }

    @Test func `every session ends, not the one alone that has the radio`() async throws {
        let wallet = try WalletFixture()
        var (_, first) = try await wallet.emulatingSession()
        let second = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(second)
        second.startPayment()
        _ = try await listener.authentication()
        wallet.wallet.applicationDidEnterBackground()
        var told = await first.rest()
        #expect(told == ["sessionInvalidated"])
        told = await listener.rest()
        #expect(told == ["sessionInvalidated"])
    }

    @Test func `in the background none starts, and the card named does not become the default one`()
        async throws
    {
        let wallet = try WalletFixture()
        wallet.wallet.applicationDidEnterBackground()
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        session.startPayment(withDigitalCardID: WalletFixture.other)
        var listener = Listener(session)
        let told = await listener.rest()
        #expect(told == ["sessionInvalidated"])
        #expect(try wallet.wallet.defaultCard == WalletFixture.visa)
        wallet.wallet.applicationWillEnterForeground()
        _ = try await wallet.authenticatedSession()
    }

    @Test func `a card that has paid is told as such, and shown no more`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        wallet.wallet.applicationDidEnterBackground()
        #expect(!wallet.field.isPresenting)
        let told = await listener.rest()
        #expect(told == ["posConnected", "transactionCompleted"])
    }

    @Test(arguments: [true, false])
    func `another app that the system starts takes the foreground`(_ byReader: Bool) async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: false)
        let system = try #require(wallet.system)
        let assertion = try NFCPresentmentIntentAssertion.acquire(from: system)
        if byReader { wallet.clock.advance(by: .seconds(15)) }
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        _ = try await listener.authentication()
        if byReader { wallet.wallet.readerDetected() } else { system.doubleClick() }
        let told = await listener.rest()
        #expect(told == ["sessionInvalidated"])
        #expect(!assertion.isValid && !system.isInForeground)
    }

    @Test func `a wallet keeps no session that its app has let go of`() async throws {
        let wallet = try WalletFixture()
        do {
            let idle = ContactlessPaymentSession(wallet: wallet.wallet)
            let (session, events) = try await wallet.emulatingSession()
            #expect(wallet.wallet.state.withLock { $0.sessions.count } == 2)
            session.cancel()
            var listener = events
            _ = await listener.rest()
            idle.cancel()
        }
        #expect(wallet.wallet.state.withLock { $0.sessions.isEmpty })
    }
}
