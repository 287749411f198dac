import CardEngine
import EMVCrypto
import NFCWallet
import Profiles
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WalletTests {
    @Test func `keys that no terminal touched are given back`() async throws {
        let wallet = try WalletFixture()
        let (session, _) = try await wallet.emulatingSession()
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 6)
        session.cancel()
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 10)
        #expect(try wallet.store.spentCounter(of: WalletFixture.visa) == 0)
    }

    @Test func `keys that another program gives back in between are as good as others`()
        async throws
    {
        let wallet = try WalletFixture()
        let store = wallet.store
        _ = try store.reserve(4, of: WalletFixture.visa) { _ in }
        store.whenSpentIsRead {
            var counters: [UInt16] = [1, 2, 3, 4]
            try? store.giveBack(to: WalletFixture.visa) {
                counters.popLast().map { counter in
                    PaymentKey(
                        transactionCounter: counter,
                        cryptogramKey: DoubleLengthKey(left: 1, right: 1)
                    )
                }
            }
        }
        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        #expect(try wallet.wallet.paymentCount(of: WalletFixture.visa) == 6)
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        _ = await listener.next()
        #expect(try await listener.context().transactionCounter == 1)
    }

    @Test func `every payment has its own counter, until there are no keys`() async throws {
        let wallet = try WalletFixture(keyCount: 6)
        for expected in 1...6 {
            let (_, events) = try await wallet.emulatingSession()
            var listener = events
            wallet.field.fieldOn()
            _ = wallet.field.send(Command.selectVisa)
            _ = wallet.field.send(Command.pay)
            _ = await listener.next()
            let context = try await listener.context()
            #expect(context.transactionCounter == expected)
            // The counter GET DATA tells is the one just spent.
            #expect(
                wallet.field.send(Command.getCounter)
                    == [0x9F, 0x36, 0x02, 0x00, UInt8(expected), 0x90, 0x00]
            )
            wallet.field.fieldOff()
        }
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        session.startPayment()
        var listener = Listener(session)
        var rest = await listener.rest()
        #expect(rest == ["noPaymentKeys"])

        try wallet.wallet.replenish(WalletFixture.visa, count: 1)
        let (_, events) = try await wallet.emulatingSession()
        listener = events
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        rest = await listener.rest()
        #expect(rest == ["posConnected", "transactionCompleted"])
        #expect(try wallet.store.spentCounter(of: WalletFixture.visa) == 7)
    }

    @Test func `keys reserved by a session that never ended are not brought out again`()
        async throws
    {
        let wallet = try WalletFixture()
        let (first, _) = try await wallet.emulatingSession()
        // As after a crash: a second wallet on what the first had recorded.
        let second = Wallet(
            field: wallet.field,
            authenticator: wallet.authenticator,
            service: wallet.service,
            keys: wallet.store,
            clock: wallet.clock
        )
        try second.add(DigitalCard(id: WalletFixture.visa, label: "Test card")) {
            Card(image: visaImage())
        }
        let session = ContactlessPaymentSession(wallet: second)
        var listener = Listener(session)
        session.startPayment(withDigitalCardID: WalletFixture.visa)
        try await listener.authentication().proceed()
        session.startEmulation()
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        _ = await listener.next()
        _ = await listener.next()
        let context = try await listener.context()
        #expect(context.transactionCounter == 5)
        wallet.field.fieldOff()
        // What the first gives back late lies below counters that were reserved since, and is wasted.
        first.cancel()
        #expect(try wallet.store.spentCounter(of: WalletFixture.visa) == 5)
        #expect(try second.paymentCount(of: WalletFixture.visa) == 5)
    }

    @Test func `a key spent by a broken tap is made up for, until there are none`() async throws {
        let wallet = try WalletFixture { $0.reservedKeyCount = 2 }
        let id = DigitalCard.ID(rawValue: "M/Chip")
        let personalization = try CardPersonalization(.builtIn(.mastercard))
        try wallet.wallet.add(DigitalCard(id: id, label: "M/Chip")) { personalization.makeCard() }
        try wallet.wallet.replenish(id, count: 4)
        try wallet.wallet.setDefaultCard(id)

        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        for (tap, left) in [(1, 1), (2, 0), (3, 0), (4, 0)] {
            wallet.field.fieldOn()
            #expect(wallet.field.send(Command.selectMastercard)?.suffix(2) == [0x90, 0x00])
            // M/Chip spends its key here, and would make the cryptogram in the next command.
            #expect(wallet.field.send(Command.payWithoutData)?.suffix(2) == [0x90, 0x00])
            wallet.field.fieldOff()
            #expect(try wallet.wallet.paymentCount(of: id) == left, "tap \(tap)")
        }
        let rest = await listener.rest()
        let taps = (1...4).flatMap { _ in ["posConnected", "posDisconnected"] }
        #expect(rest == taps + ["noPaymentKeys"])
        #expect(try wallet.store.spentCounter(of: id) == 4)
    }

    @Test func `in one field, the last key's end is told as such`() async throws {
        let wallet = try WalletFixture(keyCount: 1)
        let id = DigitalCard.ID(rawValue: "M/Chip")
        let personalization = try CardPersonalization(.builtIn(.mastercard))
        try wallet.wallet.add(DigitalCard(id: id, label: "M/Chip")) { personalization.makeCard() }
        try wallet.wallet.replenish(id, count: 1)
        try wallet.wallet.setDefaultCard(id)

        let (_, events) = try await wallet.emulatingSession()
        var listener = events
        wallet.field.fieldOn()
        for expected in [[0x90, 0x00], [0x69, 0x85]] as [[UInt8]] {
            _ = wallet.field.send(Command.selectMastercard)
            #expect(wallet.field.send(Command.payWithoutData)?.suffix(2) == expected[...])
        }
        let rest = await listener.rest()
        #expect(rest == ["posConnected", "noPaymentKeys"])
    }

    @Test func `keys that come after a broken tap bring their limit with them`() async throws {
        let store = try Scratch().open()
        let field = TestField()
        let wallet = try WalletFixture.durable(store, field: field)
        for (counters, sum) in [(1...1, 1_000), (2...4, 500)] as [(ClosedRange<UInt16>, UInt64)] {
            var next = counters.lowerBound
            try store.add(to: WalletFixture.visa) {
                guard next <= counters.upperBound else { return nil }
                defer { next += 1 }
                return IssuedKey(
                    PaymentKey(
                        transactionCounter: next,
                        cryptogramKey: DoubleLengthKey(left: 1, right: UInt64(next))
                    ),
                    terms: .limitedUse(
                        from: counters.lowerBound,
                        expirySeconds: nil,
                        amountLimitMinorUnits: sum
                    )
                )
            }
        }
        let (_, events) = try await show(wallet)
        var listener = events
        field.fieldOn()
        _ = field.send(Command.selectVisa)
        field.fieldOff()
        #expect(try store.spentCounter(of: WalletFixture.visa) == 4)
        field.fieldOn()
        _ = field.send(Command.selectVisa)
        _ = field.send(Command.payNine)
        for _ in 0..<3 { _ = await listener.next() }
        let context = try await listener.context()
        #expect(context.status == .declined)
    }

    @Test func `what is left of a card's keys, by application`() throws {
        let wallet = try WalletFixture(keyCount: 5)
        let info = try wallet.wallet.paymentKeyInfo(of: WalletFixture.visa)
        #expect(info.numberOfPaymentsLeft == 5)
        #expect(info.auxiliaryNumberOfPaymentsLeft == nil)
        #expect(info.keyType == .singleUse && info.expiryDate == nil && !info.needsReplenishment)

        let id = DigitalCard.ID(rawValue: "two applications")
        try wallet.wallet.add(DigitalCard(id: id, label: "Test card")) {
            Card(image: visaImage(applicationCount: 2))
        }
        try wallet.wallet.replenish(id, count: 2)
        let other = try wallet.wallet.paymentKeyInfo(of: id)
        #expect(other.numberOfPaymentsLeft == 2)
        #expect(other.auxiliaryNumberOfPaymentsLeft == 0)

        let online = DigitalCard.ID(rawValue: "online only")
        try wallet.wallet.add(DigitalCard(id: online, label: "No contactless"))
        #expect(try wallet.wallet.paymentKeyInfo(of: online).auxiliaryNumberOfPaymentsLeft == nil)
    }

    @Test func `choosing a card makes it the default one, however the payment ends`() async throws {
        let wallet = try WalletFixture()
        let session = ContactlessPaymentSession(wallet: wallet.wallet)
        session.startPayment(withDigitalCardID: WalletFixture.other)
        session.cancel()
        #expect(try wallet.wallet.defaultCard == WalletFixture.other)
        session.startPayment(withDigitalCardID: WalletFixture.visa)
        #expect(try wallet.wallet.defaultCard == WalletFixture.other)
    }

    @Test func `a card may be changed before the emulation starts`() async throws {
        let wallet = try WalletFixture()
        let (session, events) = try await wallet.authenticatedSession()
        var listener = events
        session.startPayment(withDigitalCardID: WalletFixture.other)
        session.startEmulation()
        session.startPayment(withDigitalCardID: WalletFixture.visa)
        wallet.field.fieldOn()
        _ = wallet.field.send(Command.selectVisa)
        _ = wallet.field.send(Command.pay)
        _ = await listener.next()
        let context = try await listener.context()
        #expect(context.cardID == WalletFixture.other)
        #expect(try wallet.wallet.defaultCard == WalletFixture.other)
    }

    @Test func `a retired card leaves, with its keys and its place as default`() async throws {
        let wallet = try WalletFixture()
        try wallet.wallet.setState(.retired, of: WalletFixture.visa)
        #expect(try wallet.wallet.cards.map(\.id) == [WalletFixture.other])
        #expect(try wallet.wallet.defaultCard == nil)
        #expect(try wallet.store.count(of: WalletFixture.visa) == 0)
        #expect(throws: WalletError.unknownCard) {
            try wallet.wallet.setDefaultCard(WalletFixture.visa)
        }
        #expect(throws: WalletError.unknownCard) {
            try wallet.wallet.replenish(WalletFixture.visa, count: 1)
        }
        #expect(throws: WalletError.unknownCard) {
            try wallet.wallet.setState(.active, of: WalletFixture.visa)
        }
    }

    @Test func `cards change their state by the rules`() {
        let all: [DigitalCard.State] = [.unknown, .active, .suspended, .retired, .inactive]
        let allowed: [DigitalCard.State: Set<DigitalCard.State>] = [
            .unknown: [.active, .suspended, .retired, .inactive],
            .active: [.suspended, .retired],
            .suspended: [.active, .retired],
            .inactive: [.active, .retired],
        ]
        for state in all {
            for next in all {
                #expect(state.canBecome(next) == allowed[state, default: []].contains(next))
            }
        }
        #expect(all.map(\.rawValue) == [0, 1, 2, 3, 4])
    }

    @Test func `an illegal change of state is refused and changes nothing`() throws {
        let wallet = try WalletFixture()
        #expect(throws: WalletError.illegalTransition(from: .active, to: .inactive)) {
            try wallet.wallet.setState(.inactive, of: WalletFixture.visa)
        }
        #expect(try wallet.wallet.cards.first?.state == .active)
    }

    @Test func `a server that makes no keys, or a store that keeps none, is told`() throws {
        let wallet = try WalletFixture(keyCount: 0)
        wallet.service.fail(.networkError)
        #expect(throws: WalletError.credentials(.networkError)) {
            try wallet.wallet.replenish(WalletFixture.visa, count: 1)
        }
        wallet.store.fail()
        #expect(throws: WalletError.keyStore(PaymentKeyStoreError())) {
            try wallet.wallet.replenish(WalletFixture.visa, count: 1)
        }
        #expect(throws: WalletError.keyStore(PaymentKeyStoreError())) {
            try wallet.wallet.paymentCount(of: WalletFixture.visa)
        }
        #expect(throws: WalletError.keyStore(PaymentKeyStoreError())) {
            try wallet.wallet.setState(.retired, of: WalletFixture.visa)
        }
        #expect(throws: WalletError.keyStore(PaymentKeyStoreError())) { try wallet.wallet.wipe() }
    }
}

struct MemoryKeyStoreTests {
    private let card = DigitalCard.ID(rawValue: "card")

    private func store(_ counters: ClosedRange<UInt16>) -> MemoryKeyStore {
        let store = MemoryKeyStore()
        for counter in counters { try? store.add(key(counter), for: card) }
        return store
    }

    private func key(_ counter: UInt16) -> PaymentKey {
        PaymentKey(
            transactionCounter: counter,
            cryptogramKey: DoubleLengthKey(left: UInt64(counter), right: 1)
        )
    }

    private func reserve(_ count: Int, from store: MemoryKeyStore) -> [UInt16] {
        var counters: [UInt16] = []
        store.reserve(count, of: card) { counters.append($0.transactionCounter) }
        return counters
    }

    @Test func `keys come out in order, as many as there are`() {
        let store = store(3...7)
        #expect(reserve(0, from: store) == [])
        #expect(store.spentCounter(of: card) == 0)
        #expect(reserve(2, from: store) == [3, 4])
        #expect(store.spentCounter(of: card) == 4)
        #expect(reserve(9, from: store) == [5, 6, 7])
        #expect(reserve(9, from: store) == [])
        #expect(store.highestCounter(of: card) == 7)
    }

    @Test func `an unknown card has nothing`() throws {
        let store = MemoryKeyStore()
        #expect(reserve(1, from: store) == [])
        #expect(store.count(of: card) == 0)
        try store.giveBack(key(1), to: card)
        store.removeAll(of: card)
        #expect(store.count(of: card) == 0)
    }

    @Test func `what is given back comes out again, the highest counter first`() throws {
        let store = store(1...5)
        #expect(reserve(3, from: store) == [1, 2, 3])
        try store.giveBack(key(3), to: card)
        try store.giveBack(key(2), to: card)
        #expect(store.spentCounter(of: card) == 1)
        #expect(reserve(9, from: store) == [2, 3, 4, 5])
    }

    @Test func `what is given back below a reserved counter is wasted`() throws {
        let store = store(1...5)
        #expect(reserve(2, from: store) == [1, 2])
        #expect(reserve(2, from: store) == [3, 4])
        try store.giveBack(key(2), to: card)
        try store.giveBack(key(1), to: card)
        #expect(store.spentCounter(of: card) == 4)
        #expect(reserve(9, from: store) == [5])
    }

    @Test func `removing all keeps the counters in mind`() throws {
        let store = store(1...5)
        store.removeAll(of: card)
        #expect(store.count(of: card) == 0)
        #expect(store.highestCounter(of: card) == 5)
        #expect(store.spentCounter(of: card) == 5)
        try store.add(key(6), for: card)
        #expect(reserve(9, from: store) == [6])
    }

    @Test func `a counter is never stored twice`() throws {
        let store = store(1...2)
        try store.add(key(2), for: card)
        try store.add(key(1), for: card)
        #expect(store.count(of: card) == 2)
        #expect(reserve(9, from: store) == [1, 2])
        try store.add(key(2), for: card)
        #expect(store.count(of: card) == 0)
    }
}
