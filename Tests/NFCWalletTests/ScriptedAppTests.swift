import EMVData
import NFCWallet
import Profiles
import Synchronization
import TestSupport
import Testing

/// An app written against the guide's names: it starts a payment, follows the stream to its end, and notes what it shows.
private final class IssuerApp: Sendable {
    /// When the app shows its card.
    enum Scenario {
        /// After the authentication.
        case afterAuthentication
        /// When a reader is there.
        case atReader
    }

    let wallet: Wallet
    let scenario: Scenario
    private let shown = Mutex<[String]>([])

    init(_ wallet: Wallet, _ scenario: Scenario) {
        self.wallet = wallet
        self.scenario = scenario
    }

    /// What the user has seen.
    var screen: [String] { shown.withLock { $0 } }

    private func show(_ text: String) { shown.withLock { $0.append(text) } }

    func pay(
        with digitalCardID: DigitalCard.ID? = nil,
        authenticates: Bool = true,
        around: (ContactlessPaymentSession, String) -> Void = { _, _ in }
    ) async {
        let session = ContactlessPaymentSession(wallet: wallet)
        session.startPayment(withDigitalCardID: digitalCardID)
        for await event in session.eventStream {
            switch event {
            case .authenticationRequired(let authentication):
                if authenticates { authentication.proceed() } else { authentication.cancel() }
            case .authenticationCompleted:
                show("authenticated")
                if scenario == .afterAuthentication { session.startEmulation() }
            case .posConnected:
                show("reader")
                session.setAlertMessage("POS Connected")
                if scenario == .atReader { session.startEmulation() }
            case .posDisconnected: show("reader lost")
            case .transactionCompleted(let transactionContext):
                show("paid \(transactionContext.amount?.description ?? "")")
            case .errorEncountered(let error): show("\(error)")
            }
            around(session, event.name)
        }
    }
}

/// Both scenarios and every error of the guide, played by an app without a sleep.
@Suite(.timeLimit(.minutes(5))) struct ScriptedAppTests {
    /// What the reader does once the app waits for it.
    private func tap(_ wallet: WalletFixture) {
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectEnvironment)
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        wallet.field.fieldOff()
    }

    @Test func `scenario A: the card is shown after the authentication`() async throws {
        let wallet = try WalletFixture()
        let app = IssuerApp(wallet.wallet, .afterAuthentication)
        await app.pay { _, event in if event == "authenticationCompleted" { tap(wallet) } }
        #expect(app.screen == ["authenticated", "reader", "paid 12.34 EUR"])
    }

    @Test(arguments: [false, true])
    func `scenario B: the card is shown when a reader is there`(_ isDefault: Bool) async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: isDefault)
        let assertion = try NFCPresentmentIntentAssertion.acquire(from: #require(wallet.system))
        let app = IssuerApp(wallet.wallet, .atReader)
        await app.pay { _, event in
            if event == "authenticationCompleted" { wallet.field.fieldOn() }
            guard event == "posConnected" else { return }
            _ = wallet.field.send(Command.selectVisa)
            _ = wallet.field.send(Command.pay)
            wallet.field.fieldOff()
        }
        #expect(app.screen == ["authenticated", "reader", "paid 12.34 EUR"])
        #expect(assertion.isValid)
    }

    /// The three ways to pay: two that the scene is told of, and one that the user begins in the app.
    @Test func `double click, field detect and the user's own choice`() async throws {
        let wallet = try WalletFixture(isDefaultPaymentApp: true)
        let system = try #require(wallet.system)
        let app = IssuerApp(wallet.wallet, .afterAuthentication)
        system.doubleClick()
        wallet.wallet.readerDetected()
        var scene = system.windowSceneEvents.makeAsyncIterator()
        for _ in 0..<2 {
            _ = await scene.next()
            await app.pay { _, event in if event == "authenticationCompleted" { tap(wallet) } }
        }
        await app.pay(with: WalletFixture.other) { _, event in
            if event == "authenticationCompleted" { tap(wallet) }
        }
        let payment = ["authenticated", "reader", "paid 12.34 EUR"]
        #expect(app.screen == payment + payment + payment)
        #expect(try wallet.wallet.history(of: WalletFixture.visa).count == 2)
        #expect(try wallet.wallet.history(of: WalletFixture.other).count == 1)
    }

    @Test func `scenario B without an assertion: the scene of a default payment app is told`()
        async throws
    {
        let wallet = try WalletFixture(isDefaultPaymentApp: true)
        let system = try #require(wallet.system)
        let app = IssuerApp(wallet.wallet, .atReader)
        await app.pay { session, event in
            guard event == "authenticationCompleted" else { return }
            wallet.field.fieldOn()
            // No `posConnected` comes, so that the app would wait for ever.
            session.cancel()
        }
        #expect(app.screen == ["authenticated", "cancelled"])
        var scene = system.windowSceneEvents.makeAsyncIterator()
        let event = await scene.next()
        #expect(event == .readerDetected)
    }

    @Test func `scenario B without an assertion: another app is started, and the payment is over`()
        async throws
    {
        let wallet = try WalletFixture(isDefaultPaymentApp: false)
        let app = IssuerApp(wallet.wallet, .atReader)
        await app.pay { _, event in
            if event == "authenticationCompleted" { wallet.field.fieldOn() }
        }
        #expect(app.screen == ["authenticated", "sessionInvalidated"])
        #expect(wallet.system?.otherAppLaunchCount == 1)
    }

    @Test func `changing the card: the user cancels and picks another, which stays the default`()
        async throws
    {
        let wallet = try WalletFixture()
        let app = IssuerApp(wallet.wallet, .afterAuthentication)
        await app.pay { session, event in
            if event == "authenticationCompleted" { session.cancel() }
        }
        await app.pay(with: WalletFixture.other) { _, event in
            if event == "authenticationCompleted" { tap(wallet) }
        }
        #expect(
            app.screen == [
                "authenticated", "cancelled", "authenticated", "reader", "paid 12.34 EUR",
            ]
        )
        #expect(try wallet.wallet.defaultCard == WalletFixture.other)
        #expect(try wallet.wallet.history(of: WalletFixture.other).count == 1)
        #expect(try wallet.wallet.history(of: WalletFixture.visa).isEmpty)
    }

    @Test func `without keys nothing is paid; after a replenishment the card pays`() async throws {
        let wallet = try WalletFixture(keyCount: 0)
        let app = IssuerApp(wallet.wallet, .afterAuthentication)
        await app.pay()
        #expect(app.screen == ["noPaymentKeys"])
        wallet.records.enroll()
        try ReplenishmentService(wallet: wallet.wallet).replenish(digitalCardID: WalletFixture.visa)
        await app.pay { _, event in if event == "authenticationCompleted" { tap(wallet) } }
        #expect(app.screen == ["noPaymentKeys", "authenticated", "reader", "paid 12.34 EUR"])
    }

    /// What leads to each error, and what the app then shows last.
    private typealias Cause = @Sendable (WalletFixture, ContactlessPaymentSession, String) -> Void

    @Test func `every error of the guide reaches the app by its cause`() async throws {
        var seen: Set<PaymentError> = []
        func play(
            _ expected: PaymentError,
            _ result: AuthenticationResult? = .succeeded,
            keyCount: Int = 10,
            isDefaultPaymentApp: Bool? = nil,
            card: DigitalCard.ID? = nil,
            authenticates: Bool = true,
            before: (WalletFixture) throws -> Void = { _ in },
            configure: (inout Wallet.Configuration) -> Void = { _ in },
            cause: @escaping Cause = { _, _, _ in }
        ) async throws {
            let wallet = try WalletFixture(
                result,
                keyCount: keyCount,
                isDefaultPaymentApp: isDefaultPaymentApp,
                configure
            )
            try before(wallet)
            let app = IssuerApp(wallet.wallet, .afterAuthentication)
            await app.pay(with: card, authenticates: authenticates) { cause(wallet, $0, $1) }
            #expect(app.screen.last == "\(expected)")
            #expect(!wallet.field.isPresenting)
            seen.insert(expected)
        }
        func whenShown(
            _ body: @escaping @Sendable (WalletFixture, ContactlessPaymentSession) -> Void
        ) -> Cause {
            { wallet, session, event in
                if event == "authenticationCompleted" { body(wallet, session) }
            }
        }

        try await play(.cancelled, authenticates: false)
        try await play(.cancelled, cause: whenShown { $1.cancel() })
        try await play(
            .maxSessionDurationReached,
            cause: whenShown { wallet, _ in wallet.clock.advance(by: .seconds(60)) }
        )
        try await play(.nfcPermissionNotAccepted) { $0.field.refuse(presenting: .notPermitted) }
        try await play(.systemEligibilityFailed) { $0.field.refuse(presenting: .notEligible) }
        try await play(.transmissionError) { $0.field.refuse(presenting: .transmission) }
        try await play(.unknown) { $0.field.refuse(presenting: .other) }
        try await play(.keychainError) { $0.store.fail() }
        try await play(.noDefaultCard) { try $0.wallet.unsetDefaultCard() }
        try await play(.noPaymentKeys, keyCount: 0)
        try await play(
            .apduFailure,
            cause: whenShown { wallet, _ in
                wallet.field.fieldOn()
                _ = wallet.field.send(Command.selectVisa)
                _ = wallet.field.send(Command.payWithoutData)
            }
        )
        try await play(
            .sessionInvalidated,
            cause: whenShown { wallet, _ in wallet.wallet.applicationDidEnterBackground() }
        )
        try await play(
            .deviceEnvironmentUnsafe,
            configure: { $0.isEnvironmentSafe = { false } }
        )
        try await play(.setDefaultCardFailure, card: WalletFixture.other) { $0.records.fail() }
        try await play(.invalidDigitalCardID, card: DigitalCard.ID(rawValue: "unknown"))
        try await play(
            .authenticationExpired,
            configure: { $0.authenticationValidity = .seconds(30) },
            cause: whenShown { wallet, _ in
                wallet.clock.advance(by: .seconds(30))
                wallet.field.fieldOn()
            }
        )
        try await play(
            .posNotSupported,
            cause: whenShown { wallet, _ in
                wallet.field.fieldOn()
                _ = wallet.field.send(Command.selectEnvironment)
                _ = wallet.field.send(Command.selectMastercard)
                wallet.field.fieldOff()
            }
        )
        let other = WalletFixture.other
        try await play(.cardNotActive, card: other) {
            try $0.wallet.setState(.suspended, of: other)
        }
        let durable = DigitalCard.ID(rawValue: "durable")
        try await play(.cardNotSupported, card: durable) {
            try $0.wallet.add(DigitalCard(id: durable, label: "No contactless"))
        }
        try await play(
            .schemeNotSupported,
            card: durable,
            before: {
                let card = try DigitalCard(id: durable, label: "Visa", contents: cardData(.visa))
                try $0.wallet.add(card)
            },
            configure: { $0.supportedSchemes = [.mastercard] }
        )
        try await play(.authenticationKeyInvalidated, .keyInvalidated)
        try await play(.biometricNotEnrolled, .biometricNotEnrolled)
        try await play(.authenticationFailed, .failed)
        #expect(seen == Set(PaymentError.allCases))
    }

    @Test func `a store that is damaged on the disk is a keychainError`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let wallet = try WalletFixture.durable(store)
        try wallet.replenish(WalletFixture.visa, count: 4)
        try python(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                + "c.execute(\"UPDATE record SET sealed=x'00' WHERE kind='key'\"); c.commit()",
            scratch.path
        )
        let app = IssuerApp(wallet, .afterAuthentication)
        await app.pay(with: WalletFixture.visa)
        #expect(app.screen == ["keychainError"])
        #expect(try store.spentCounter(of: WalletFixture.visa) == 0)
    }
}
