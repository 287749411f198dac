import NFCWallet
import TestSupport
import Testing

/// A session that has ended is freed, read to its last event or not.
@Suite(.timeLimit(.minutes(5))) struct SessionMemoryTests {
    /// What is done with a session until it ends.
    enum End: CaseIterable {
        case refused, cancelledBeforeAuthentication, cancelled, cancelledInField, timedOut, paid
    }

    @Test(arguments: End.allCases)
    func `nothing keeps a session that has ended`(_ end: End) async throws {
        let wallet = try WalletFixture()
        weak var remaining: ContactlessPaymentSession?
        do {
            let session = try await run(wallet, until: end)
            remaining = session
        }
        #expect(remaining == nil)
    }

    private func run(
        _ wallet: WalletFixture,
        until end: End
    ) async throws -> ContactlessPaymentSession {
        switch end {
        case .refused, .cancelledBeforeAuthentication:
            if end == .refused { wallet.store.fail() }
            let session = ContactlessPaymentSession(wallet: wallet.wallet)
            // Its stream is not read.
            session.startPayment()
            session.cancel()
            await session.settled()
            return session
        case .cancelled, .cancelledInField, .timedOut, .paid:
            let (session, _) = try await wallet.emulatingSession()
            if end != .cancelled { wallet.field.fieldOn() }
            if end == .paid {
                _ = wallet.field.send(Command.selectVisa)
                _ = wallet.field.send(Command.pay)
            }
            if end == .timedOut { wallet.clock.advance(by: .seconds(60)) }
            session.cancel()
            wallet.field.fieldOff()
            await session.settled()
            return session
        }
    }
}
