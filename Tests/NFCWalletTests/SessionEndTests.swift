import NFCWallet
import Profiles
import TestSupport
import Testing

/// Every way a session ends without a payment, each from its own cause.
@Suite(.timeLimit(.minutes(5))) struct SessionEndTests {
    /// Starts a payment and returns all that is told.
    private func events(
        _ wallet: WalletFixture,
        with card: DigitalCard.ID? = nil
    ) async -> [String] {
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        session.startPayment(withDigitalCardID: card)
        var listener = Listener(session)
        return await listener.rest()
    }

    // MARK: Before the authentication

    @Test func `noDefaultCard`() async throws {
        let wallet = try WalletFixture()
        try wallet.wallet.unsetDefaultCard()
        #expect(await events(wallet) == ["noDefaultCard"])
    }

    @Test func `invalidDigitalCardID`() async throws {
        let wallet = try WalletFixture()
        let unknown = DigitalCard.ID(rawValue: "unknown")
        #expect(await events(wallet, with: unknown) == ["invalidDigitalCardID"])
        #expect(try wallet.wallet.defaultCard == WalletFixture.visa)
    }

    @Test func `cardNotActive, and the card named stays the default one`() async throws {
        let wallet = try WalletFixture()
        try wallet.wallet.setState(.suspended, of: WalletFixture.other)
        #expect(await events(wallet, with: WalletFixture.other) == ["cardNotActive"])
        #expect(try wallet.wallet.defaultCard == WalletFixture.other)
    }

    @Test func `cardNotActive for a card that was deleted, which is no default card any more`()
        async throws
    {
        let wallet = try WalletFixture()
        try wallet.wallet.setState(.retired, of: WalletFixture.other)
        #expect(await events(wallet, with: WalletFixture.other) == ["cardNotActive"])
        #expect(try wallet.wallet.defaultCard == WalletFixture.visa)
        try wallet.wallet.setState(.retired, of: WalletFixture.visa)
        #expect(await events(wallet, with: WalletFixture.visa) == ["cardNotActive"])
        #expect(await events(wallet) == ["noDefaultCard"])
        // A card of the same name that comes later is another one.
        try wallet.wallet.add(DigitalCard(id: WalletFixture.other, label: "New"), makeCard: nil)
        #expect(await events(wallet, with: WalletFixture.other) == ["cardNotSupported"])
    }

    @Test func `cardNotActive for a card that was wiped`() async throws {
        let wallet = try WalletFixture()
        try wallet.wallet.wipe()
        #expect(await events(wallet, with: WalletFixture.visa) == ["cardNotActive"])
        #expect(await events(wallet) == ["noDefaultCard"])
    }

    @Test(arguments: [DigitalCard.State.suspended, .retired])
    func `cardNotActive when the card is suspended or deleted while it is shown`(
        _ state: DigitalCard.State
    ) async throws {
        let wallet = try WalletFixture()
        let (session, events) = try await wallet.emulatingSession()
        var listener = events
        // Another card does not matter.
        try wallet.wallet.setState(state, of: WalletFixture.other)
        #expect(session.isShowingCard)
        try wallet.wallet.setState(state, of: WalletFixture.visa)
        #expect(await listener.rest() == ["cardNotActive"])
        #expect(wallet.field.send(Command.selectEnvironment) == nil)
    }

    @Test func `cardNotSupported`() async throws {
        let wallet = try WalletFixture()
        let id = DigitalCard.ID(rawValue: "online only")
        try wallet.wallet.add(DigitalCard(id: id, label: "No contactless"), makeCard: nil)
        #expect(await events(wallet, with: id) == ["cardNotSupported"])
    }

    @Test func `noPaymentKeys`() async throws {
        let wallet = try WalletFixture(keyCount: 0)
        #expect(await events(wallet) == ["noPaymentKeys"])
    }

    @Test func `keychainError when the keys cannot be counted`() async throws {
        let wallet = try WalletFixture()
        wallet.store.fail()
        #expect(await events(wallet) == ["keychainError"])
    }

    @Test func `keychainError when the cards cannot be read`() async throws {
        let wallet = try WalletFixture()
        wallet.records.fail()
        #expect(await events(wallet) == ["keychainError"])
    }

    @Test func `setDefaultCardFailure`() async throws {
        let wallet = try WalletFixture()
        wallet.records.fail()
        #expect(await events(wallet, with: WalletFixture.other) == ["setDefaultCardFailure"])
    }

    @Test func `deviceEnvironmentUnsafe, and the card named does not become the default one`()
        async throws
    {
        let wallet = try WalletFixture { $0.isEnvironmentSafe = { false } }
        #expect(await events(wallet, with: WalletFixture.other) == ["deviceEnvironmentUnsafe"])
        #expect(try wallet.wallet.defaultCard == WalletFixture.visa)
    }

    @Test func `schemeNotSupported`() async throws {
        let wallet = try WalletFixture { $0.supportedSchemes = [.mastercard] }
        let id = DigitalCard.ID(rawValue: "durable")
        try wallet.wallet.add(DigitalCard(id: id, label: "Visa", contents: cardData(.visa)))
        try wallet.wallet.replenish(id, count: 4)
        #expect(await events(wallet, with: id) == ["schemeNotSupported"])
    }

    @Test func `cardNotSupported when the card cannot be made of what the server gave`()
        async throws
    {
        let wallet = try WalletFixture()
        let id = DigitalCard.ID(rawValue: "durable")
        var contents = try cardData(.visa)
        contents.profile = [UInt8]("{}".utf8)
        try wallet.wallet.add(DigitalCard(id: id, label: "Visa", contents: contents))
        #expect(await events(wallet, with: id) == ["cardNotSupported"])
    }

    @Test func `cardNotActive when the card is suspended before it is shown`() async throws {
        let wallet = try WalletFixture()
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        try wallet.wallet.setState(.suspended, of: WalletFixture.visa)
        session.startEmulation()
        let rest = await listener.rest()
        #expect(rest == ["cardNotActive"])
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 10)
    }

    @Test func `every error of the guide has its case`() {
        let names = PaymentError.allCases.map { "\($0)" }
        let guide = [
            "cancelled", "maxSessionDurationReached", "nfcPermissionNotAccepted",
            "systemEligibilityFailed", "keychainError", "noDefaultCard", "noPaymentKeys",
            "apduFailure", "transmissionError", "sessionInvalidated", "unknown",
            "deviceEnvironmentUnsafe", "setDefaultCardFailure", "invalidDigitalCardID",
            "authenticationExpired", "posNotSupported", "cardNotSupported", "cardNotActive",
            "authenticationKeyInvalidated", "biometricNotEnrolled", "authenticationFailed",
        ]
        #expect(Set(names) == Set(guide + ["schemeNotSupported"]))
    }

    // MARK: The authentication

    @Test(arguments: [
        (AuthenticationResult.failed, "authenticationFailed"),
        (.cancelled, "authenticationFailed"), (.biometricNotEnrolled, "biometricNotEnrolled"),
    ])
    func `an authentication that does not succeed`(
        _ result: AuthenticationResult,
        _ name: String
    ) async throws {
        let wallet = try WalletFixture(result)
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        try await listener.authentication().proceed()
        let rest = await listener.rest()
        #expect(rest == [name])
    }

    @Test func `authenticationKeyInvalidated, and nothing is left in the wallet`() async throws {
        let wallet = try WalletFixture(.keyInvalidated)
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        try await listener.authentication().proceed()
        let rest = await listener.rest()
        #expect(rest == ["authenticationKeyInvalidated"])
        #expect(try wallet.wallet.cards.isEmpty)
        #expect(try wallet.wallet.defaultCard == nil)
        #expect(try wallet.store.count(of: WalletFixture.visa) == 0)
    }

    @Test func `a wipe that the store does not let through is finished before anything else`()
        async throws
    {
        let wallet = try WalletFixture(.keyInvalidated)
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        let authentication = try await listener.authentication()
        wallet.store.fail()
        authentication.proceed()
        let rest = await listener.rest()
        #expect(rest == ["authenticationKeyInvalidated"])
        #expect(await events(wallet) == ["keychainError"])
        #expect(throws: WalletError.keyStore(PaymentKeyStoreError())) {
            try wallet.wallet.add(DigitalCard(id: WalletFixture.visa, label: "Visa"))
        }

        wallet.store.fail(false)
        #expect(await events(wallet) == ["noDefaultCard"])
        #expect(try wallet.wallet.cards.isEmpty)
        for id in [WalletFixture.visa, WalletFixture.other] {
            #expect(try wallet.store.count(of: id) == 0)
        }
        // It is over: what the wallet gets now it keeps.
        try wallet.wallet.add(DigitalCard(id: WalletFixture.visa, label: "Visa"))
        try wallet.wallet.setDefaultCard(WalletFixture.visa)
        #expect(await events(wallet) == ["cardNotSupported"])
    }

    @Test func `a wipe of cards that cannot be read is finished later, too`() async throws {
        let wallet = try WalletFixture()
        wallet.records.fail()
        #expect(throws: WalletError.keyStore(PaymentKeyStoreError())) { try wallet.wallet.wipe() }
        #expect(await events(wallet) == ["keychainError"])
        wallet.records.fail(false)
        #expect(await events(wallet) == ["noDefaultCard"])
        #expect(try wallet.store.count(of: WalletFixture.visa) == 0)
    }

    @Test func `authenticationExpired when the emulation starts too late`() async throws {
        let wallet = try WalletFixture { $0.authenticationValidity = .seconds(30) }
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.clock.advance(by: .seconds(30))
        session.startEmulation()
        let rest = await listener.rest()
        #expect(rest == ["authenticationExpired"])
        #expect(!wallet.field.isPresenting)
    }

    @Test func `authenticationExpired when the reader comes too late`() async throws {
        let wallet = try WalletFixture { $0.authenticationValidity = .seconds(30) }
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.clock.advance(by: .seconds(29))
        wallet.field.fieldOn()
        wallet.field.fieldOff()
        wallet.clock.advance(by: .seconds(1))
        wallet.field.fieldOn()
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "posDisconnected", "authenticationExpired"])
    }

    @Test func `authenticationExpired when the payment comes too late in the field`() async throws {
        for milliseconds in [999, 1_000] as [Int64] {
            let wallet = try WalletFixture { $0.authenticationValidity = .seconds(30) }
            let (session, events) = try await wallet.emulatingSession()
            var listener = events
            wallet.clock.advance(by: .seconds(29))
            wallet.field.fieldOn()
            _ = wallet.field.send(Command.selectVisa)
            wallet.clock.advance(by: .milliseconds(milliseconds))
            let response = wallet.field.send(Command.pay)
            wallet.field.fieldOff()
            let rest = await listener.rest()
            await session.settled()
            if milliseconds == 1_000 {
                #expect(response == [0x69, 0x85])
                #expect(rest == ["posConnected", "authenticationExpired"])
                #expect(try wallet.wallet.history(of: WalletFixture.visa) == [])
            } else {
                #expect(response?.suffix(2) == [0x90, 0x00])
                #expect(rest == ["posConnected", "transactionCompleted"])
            }
            // A payment that is refused for that costs no key.
            let count = try wallet.wallet.paymentCount(of: WalletFixture.visa)
            #expect(count == (milliseconds == 1_000 ? 10 : 9))
        }
    }

    @Test func `authenticationExpired when the emulation is started anew too late`() async throws {
        for isInField in [false, true] {
            let wallet = try WalletFixture { $0.authenticationValidity = .seconds(30) }
            let (session, events) = try await wallet.emulatingSession()
            var listener = events
            if isInField { wallet.field.fieldOn() }
            wallet.clock.advance(by: .seconds(30))
            session.startEmulation()
            let rest = await listener.rest()
            #expect(rest == (isInField ? ["posConnected"] : []) + ["authenticationExpired"])
            #expect(!wallet.field.isPresenting)
        }
    }

    // MARK: The radio

    @Test(arguments: [
        (CardFieldError.notPermitted, "nfcPermissionNotAccepted"),
        (.notEligible, "systemEligibilityFailed"), (.transmission, "transmissionError"),
        (.other, "unknown"),
    ])
    func `a radio that cannot be used`(_ error: CardFieldError, _ name: String) async throws {
        let watching = try WalletFixture()
        watching.field.refuse(watching: error)
        let (_, events) = try await watching.authenticatedSession()
        var listener = events
        var rest = await listener.rest()
        #expect(rest == [name])

        let presenting = try WalletFixture()
        presenting.field.refuse(presenting: error)
        let (session, others) = try await presenting.authenticatedSession()
        listener = others
        session.startEmulation()
        rest = await listener.rest()
        #expect(rest == [name])
        #expect(try presenting.wallet.paymentCount(of: WalletFixture.visa) == 10)
    }

    @Test(arguments: [
        (CardFieldError.notPermitted, PaymentError.nfcPermissionNotAccepted),
        (.notEligible, .systemEligibilityFailed), (.other, .unknown),
    ])
    func `an authorisation that is refused`(_ error: CardFieldError, _ told: PaymentError) throws {
        let wallet = try WalletFixture()
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        #expect(throws: Never.self) { try session.requestAuthorization() }
        wallet.field.refuseAccess(error)
        #expect(throws: told) { try session.requestAuthorization() }
    }

    @Test func `sessionInvalidated when another session takes the radio`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        let (second, _) = try await wallet.emulatingSession()
        let rest = await listener.rest()
        #expect(rest == ["sessionInvalidated"])
        #expect(wallet.field.isPresenting)
        second.cancel()
        #expect(!wallet.field.isPresenting)
    }

    // MARK: The reader

    @Test func `posNotSupported when the terminal selects none of the card's applications`()
        async throws
    {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        #expect(wallet.field.send(Command.selectEnvironment)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send(Command.selectMastercard) == [0x6A, 0x82])
        wallet.field.fieldOff()
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "posNotSupported"])
    }

    @Test func `posNotSupported when the terminal has read what the card has, and lets it be`()
        async throws
    {
        for isTimeUp in [false, true] {
            let wallet = try WalletFixture()
            let (_, events) = try await wallet.emulatingSession()
            var listener = events
            wallet.field.fieldOn()
            _ = wallet.field.send(Command.selectEnvironment)
            wallet.clock.advance(by: .seconds(isTimeUp ? 60 : 1))
            wallet.field.fieldOff()
            let rest = await listener.rest()
            #expect(rest == ["posConnected", "posNotSupported"])
        }
    }

    /// A terminal that the card was torn from may know it, however often it was.
    @Test(arguments: [
        [], [Command.selectEnvironment], [Command.selectMastercard], [Command.getCounter],
        [Command.selectEnvironment, Command.selectEnvironment],
    ])
    func `a field lost before the terminal could select the card is no posNotSupported`(
        _ commands: [[UInt8]]
    ) async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        for _ in 0..<3 {
            wallet.field.fieldOn()
            for command in commands { #expect(wallet.field.send(command) != nil) }
            wallet.field.fieldOff()
            wallet.clock.advance(by: .seconds(2))
        }
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        let rest = await listener.rest()
        let torn = (0..<3).flatMap { _ in ["posConnected", "posDisconnected"] }
        #expect(rest == torn + ["posConnected", "transactionCompleted"])
    }

    @Test func `maxSessionDurationReached when nobody comes back after a broken tap`() async throws
    {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectEnvironment)
        wallet.field.fieldOff()
        wallet.clock.advance(by: .seconds(60))
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "posDisconnected", "maxSessionDurationReached"])
    }

    @Test func `apduFailure when the payment is refused, but not for other refusals`() async throws
    {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        #expect(wallet.field.send(Command.selectMastercard) == [0x6A, 0x82])
        #expect(wallet.field.send([0x00]) == [0x67, 0x00])
        #expect(wallet.field.send(Command.selectVisa)?.suffix(2) == [0x90, 0x00])
        #expect(wallet.field.send([0x80, 0xCA, 0x9F, 0x99, 0x00]) == [0x6A, 0x88])
        #expect(wallet.field.send(Command.payWithoutData) == [0x67, 0x00])
        #expect(!wallet.field.isPresenting)
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "apduFailure"])
    }

    @Test func `keychainError when keys cannot be reserved`() async throws {
        let wallet = try WalletFixture()
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.store.fail()
        session.startEmulation()
        let rest = await listener.rest()
        #expect(rest == ["keychainError"])
        #expect(!wallet.field.isPresenting)
    }

    @Test func `keychainError when keys cannot be reserved after a broken tap`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        wallet.store.fail()
        wallet.field.fieldOff()
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "posDisconnected", "keychainError"])
    }

    // MARK: Time

    @Test func `maxSessionDurationReached at 60 seconds and not before`() async throws {
        let wallet = try WalletFixture()
        let (session, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.clock.advance(by: .milliseconds(59_999))
        #expect(wallet.field.isPresenting)
        wallet.clock.advance(by: .milliseconds(1))
        #expect(!wallet.field.isPresenting)
        session.cancel()
        let rest = await listener.rest()
        #expect(rest == ["maxSessionDurationReached"])
    }

    @Test func `the time is counted from the last start of the emulation`() async throws {
        let wallet = try WalletFixture { $0.authenticationValidity = .seconds(1_000) }
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        wallet.clock.advance(by: .seconds(100))
        session.startEmulation()
        wallet.clock.advance(by: .milliseconds(59_999))
        session.startEmulation()
        wallet.clock.advance(by: .milliseconds(59_999))
        #expect(wallet.field.isPresenting)
        wallet.clock.advance(by: .milliseconds(1))
        let rest = await listener.rest()
        #expect(rest == ["maxSessionDurationReached"])
    }

    @Test func `a reader does not stop the clock`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        wallet.clock.advance(by: .seconds(60))
        #expect(wallet.field.send(Command.pay) == nil)
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "maxSessionDurationReached"])
    }

    @Test func `a command under way when the time is up gets no cryptogram`() async throws {
        let wallet = try WalletFixture()
        let (session, _) = try await wallet.emulatingSession()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        wallet.clock.advance(by: .seconds(60))
        let command = Command.pay
        let response = [UInt8](capacity: 258) { (output: inout OutputSpan<UInt8>) in
            session.respond(to: command.span, into: &output)
        }
        #expect(response == [0x69, 0x85])
    }

    @Test func `a reader that never leaves after the payment is left at 60 seconds`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        wallet.clock.advance(by: .seconds(60))
        #expect(!wallet.field.isPresenting)
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "transactionCompleted"])
    }

    // MARK: Cancelling

    @Test func `before anything`() async throws {
        let session = ContactlessPaymentSession(wallet: try WalletFixture().wallet)
        session.cancel()
        session.cancel()
        session.startPayment()
        var listener = Listener(session)
        let rest = await listener.rest()
        #expect(rest == ["cancelled"])
    }

    @Test func `instead of the authentication, by the app`() async throws {
        let wallet = try WalletFixture()
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        let authentication = try await listener.authentication()
        authentication.cancel()
        authentication.proceed()
        let rest = await listener.rest()
        #expect(rest == ["cancelled"])
    }

    @Test func `during the authentication`() async throws {
        let wallet = try WalletFixture(nil)
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        let authentication = try await listener.authentication()
        authentication.proceed()
        #expect(wallet.authenticator.isPrompting)
        session.cancel()
        #expect(!wallet.authenticator.isPrompting)
        let rest = await listener.rest()
        #expect(rest == ["cancelled"])
    }

    @Test func `an authentication that comes after all goes on`() async throws {
        let wallet = try WalletFixture(nil)
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        var listener = Listener(session)
        session.startPayment()
        try await listener.authentication().proceed()
        session.startEmulation()
        #expect(!wallet.field.isPresenting)
        wallet.authenticator.answer(.succeeded)
        let event = await listener.next()
        #expect(event == "authenticationCompleted")
        session.cancel()
    }

    @Test func `before the card is shown, while it is, in the field and in the transaction`()
        async throws
    {
        var wallet = try WalletFixture()
        var (session, listener) = try await wallet.authenticatedSession()
        session.cancel()
        var rest = await listener.rest()
        #expect(rest == ["cancelled"])

        wallet = try WalletFixture()
        (session, listener) = try await wallet.emulatingSession()
        session.cancel()
        rest = await listener.rest()
        #expect(rest == ["cancelled"])
        #expect(!wallet.field.isPresenting)

        wallet = try WalletFixture()
        (session, listener) = try await wallet.emulatingSession()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        session.cancel()
        #expect(wallet.field.send(Command.pay) == nil)
        rest = await listener.rest()
        #expect(rest == ["posConnected", "cancelled"])
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 10)
    }

    @Test func `between a cryptogram and its being told, the payment counts`() async throws {
        let wallet = try WalletFixture()
        let (session, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay, isSent: false)
        session.cancel()
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "transactionCompleted"])
        #expect(!wallet.field.isPresenting)
    }

    @Test func `a listener's task that is cancelled cancels the session`() async throws {
        let wallet = try WalletFixture()
        let (session, _) = try await wallet.emulatingSession()
        let task = Task {
            for await _ in session.eventStream {}
        }
        task.cancel()
        await task.value
        #expect(!wallet.field.isPresenting)
    }
}

/// What the server gives for a built-in card.
func cardData(_ scheme: Scheme) throws -> CardData {
    let application = CardProfile.builtIn(scheme).applications[0]
    return CardData(
        profile: [UInt8](CardProfile.builtInJSON(scheme).utf8),
        number: application.pan,
        sequenceNumber: application.panSequenceNumber,
        lastDay: application.expirationDate
    )
}
