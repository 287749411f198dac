import NFCWallet
import TestSupport
import Testing

/// A card that another program suspends or deletes while it is shown.
@Suite(.timeLimit(.minutes(5))) struct WithdrawnCardTests {
    /// A wallet in a file, the reader in front of it, and the same wallet as another program sees it.
    private struct Desk {
        let scratch: Scratch
        let field = TestField()
        let wallet: Wallet
        let stranger: Wallet

        init() throws {
            scratch = try Scratch()
            wallet = try WalletFixture.durable(scratch.open(), field: field)
            try wallet.replenish(WalletFixture.visa, count: 10)
            let store = try scratch.open()
            stranger = Wallet(
                field: TestField(),
                authenticator: SimulatedAuthenticator(),
                service: TestService(),
                keys: store,
                records: store
            )
        }

        func withdraw(_ state: DigitalCard.State) throws {
            try stranger.setState(state, of: WalletFixture.visa)
        }
    }

    @Test(arguments: [DigitalCard.State.suspended, .retired])
    func `no reader that comes afterwards gets anything from it`(
        _ state: DigitalCard.State
    ) async throws {
        let desk = try Desk()
        let (session, events) = try await show(desk.wallet)
        var listener = events
        try desk.withdraw(state)
        desk.field.fieldOn()
        #expect(desk.field.send(Command.selectEnvironment) == nil)
        let told = await listener.rest()
        #expect(told == ["cardNotActive"])
        await session.settled()
        #expect(
            try desk.wallet.paymentCount(of: WalletFixture.visa) == (state == .retired ? 0 : 10)
        )
        guard state == .suspended else { return }
        try desk.withdraw(.active)
        #expect(try await pay(desk.wallet, in: desk.field).last == "transactionCompleted")
    }

    @Test(arguments: [DigitalCard.State.suspended, .retired])
    func `a reader that comes back gets nothing from it`(_ state: DigitalCard.State) async throws {
        let desk = try Desk()
        let (_, events) = try await show(desk.wallet)
        var listener = events
        desk.field.fieldOn()
        _ = desk.field.send(Command.selectVisa)
        desk.field.fieldOff()
        try desk.withdraw(state)
        desk.field.fieldOn()
        #expect(desk.field.send(Command.selectVisa) == nil)
        let told = await listener.rest()
        #expect(told == ["posConnected", "posDisconnected", "cardNotActive"])
        #expect(try desk.scratch.count("payment") == 0)
    }

    @Test(arguments: [DigitalCard.State.suspended, .retired])
    func `a broken tap gets no new keys for it`(_ state: DigitalCard.State) async throws {
        let desk = try Desk()
        let (_, events) = try await show(desk.wallet)
        var listener = events
        desk.field.fieldOn()
        _ = desk.field.send(Command.selectVisa)
        try desk.withdraw(state)
        desk.field.fieldOff()
        let told = await listener.rest()
        #expect(told == ["posConnected", "posDisconnected", "cardNotActive"])
        #expect(!desk.field.isPresenting)
    }

    @Test func `a payment that is under way when the card is deleted leaves no record`()
        async throws
    {
        let desk = try Desk()
        let (session, events) = try await show(desk.wallet)
        var listener = events
        desk.field.fieldOn()
        _ = desk.field.send(Command.selectVisa)
        try desk.withdraw(.retired)
        _ = desk.field.send(Command.pay)
        desk.field.fieldOff()
        let told = await listener.rest()
        #expect(told == ["posConnected", "transactionCompleted"])
        await session.settled()
        for kind in ["payment", "use", "key"] {
            #expect(try desk.scratch.count(kind) == 0, "\(kind)")
        }
        #expect(try desk.wallet.history(of: WalletFixture.visa) == [])
    }

    @Test func `records in memory keep no payment of a card that is no more`() throws {
        let records = MemoryRecords(now: { 1_000_000_000 })
        let id = WalletFixture.visa
        records.record(entry(id, 1))
        #expect(records.history(of: id) == [])
        records.update { $0.cards = [DigitalCard(id: id, label: "Card")] }
        records.record(entry(id, 2))
        #expect(records.history(of: id).map(\.transactionCounter) == [2])
        records.update { $0.cards = [] }
        #expect(records.history(of: id) == [])
    }

    @Test func `keychainError when the reader comes and the cards cannot be read`() async throws {
        let wallet = try WalletFixture()
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.records.fail()
        wallet.field.fieldOn()
        #expect(wallet.field.send(Command.selectVisa) == nil)
        let told = await listener.rest()
        #expect(told == ["keychainError"])
    }
}
