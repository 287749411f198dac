import CardEngine
import EMVCrypto
import EMVData
import NFCWallet
import Synchronization
import TestSupport
import Testing

/// Records in a file that take no payments while they are told not to.
private final class UnreliableRecords: WalletRecords {
    private let store: WalletStore
    private let isFailing = Mutex(true)

    init(_ store: WalletStore) { self.store = store }

    func heal() { isFailing.withLock { $0 = false } }

    func contents() throws(PaymentKeyStoreError) -> WalletContents { try store.contents() }
    func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(PaymentKeyStoreError) -> Value { try store.update(change) }
    func record(_ entry: HistoryEntry) throws(PaymentKeyStoreError) {
        if isFailing.withLock({ $0 }) { throw PaymentKeyStoreError() }
        try store.record(entry)
    }
    func history(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> [HistoryEntry] {
        try store.history(of: card)
    }
    func removeHistory(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try store.removeHistory(of: card)
    }
}

extension WalletStore {
    /// Adds a limited-use key for the Visa card, good for ten payments that come to 20.00 at most.
    fileprivate func addLimitedKey() throws {
        var counter: UInt16 = 0
        try add(to: WalletFixture.visa) {
            guard counter < 10 else { return nil }
            counter += 1
            return IssuedKey(
                PaymentKey(
                    transactionCounter: counter,
                    cryptogramKey: DoubleLengthKey(left: 1, right: UInt64(counter))
                ),
                terms: .limitedUse(from: 1, expirySeconds: nil, amountLimitMinorUnits: 2_000)
            )
        }
    }
}

/// A payment the card has made, and the store does not take when it is told.
@Suite(.timeLimit(.minutes(5))) struct UnrecordedPaymentTests {
    @Test func `it is put down as soon as the store takes it, and counts`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let (records, field) = (UnreliableRecords(store), TestField())
        let wallet = try WalletFixture.durable(store, records: records, field: field)
        try store.addLimitedKey()
        var told = try await pay(wallet, in: field)
        #expect(told == ["posConnected", "transactionCompleted"])

        // Nothing is lost meanwhile, and no key of the same sum pays.
        for _ in 0..<2 {
            #expect(try wallet.history(of: WalletFixture.visa).map(\.transactionCounter) == [1])
            #expect(try store.history(of: WalletFixture.visa) == [])
            told = try await pay(wallet, in: field)
            #expect(told == ["keychainError"])
        }
        #expect(try scratch.count("use") == 1)

        records.heal()
        for _ in 0..<2 {
            let history = try wallet.history(of: WalletFixture.visa)
            #expect(history.map(\.outcome) == [.requestedOnline])
            #expect(history.first?.amount?.minorUnits == 1_234)
            #expect(try store.history(of: WalletFixture.visa) == history)
        }
        #expect(try scratch.count("use") == 0)
        // 7.66 are left of the sum.
        told = try await pay(wallet, in: field)
        #expect(told == ["posConnected", "transactionCompleted"])
        let history = try wallet.history(of: WalletFixture.visa)
        #expect(history.map(\.outcome) == [.declined, .requestedOnline])
        // The keys that were out with the first payment are wasted.
        #expect(history.map(\.transactionCounter) == [5, 1])
    }

    @Test func `the next payment puts it down first`() async throws {
        let store = try Scratch().open()
        let (records, field) = (UnreliableRecords(store), TestField())
        let wallet = try WalletFixture.durable(store, records: records, field: field)
        try wallet.replenish(WalletFixture.visa, count: 10)
        _ = try await pay(wallet, in: field)
        records.heal()
        _ = try await pay(wallet, in: field)
        let counters = try store.history(of: WalletFixture.visa).map(\.transactionCounter)
        #expect(counters == [5, 1])
    }

    @Test func `a session that ends after the store has healed wastes no key`() async throws {
        let store = try Scratch().open()
        let (records, field) = (UnreliableRecords(store), TestField())
        let wallet = try WalletFixture.durable(store, records: records, field: field)
        try wallet.replenish(WalletFixture.visa, count: 10)
        let (session, _) = try await show(wallet)
        field.fieldOn()
        _ = field.send(Command.selectVisa)
        _ = field.send(Command.pay)
        records.heal()
        field.fieldOff()
        await session.settled()
        #expect(try store.history(of: WalletFixture.visa).map(\.transactionCounter) == [1])
        #expect(try wallet.paymentCount(of: WalletFixture.visa) == 9)
    }

    @Test func `a program that ends before is reported as interrupted, and the sum is spent`()
        async throws
    {
        let scratch = try Scratch()
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
            let store = try WalletStore(path: path, now: { 1_000_000_000 })
            let field = TestField()
            let records = UnreliableRecords(store)
            let wallet = try WalletFixture.durable(store, records: records, field: field)
            try store.addLimitedKey()
            let told = try await pay(wallet, in: field)
            #expect(told == ["posConnected", "transactionCompleted"])
        }
        let store = try scratch.open()
        let history = try store.history(of: WalletFixture.visa)
        #expect(history.map(\.outcome) == [.interrupted])
        #expect(history.map(\.transactionCounter) == [1])
        #expect(try store.count(of: WalletFixture.visa) == 0)
    }

    @Test func `payments of a card that is deleted meanwhile are not kept`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let (records, field) = (UnreliableRecords(store), TestField())
        let wallet = try WalletFixture.durable(store, records: records, field: field)
        try wallet.replenish(WalletFixture.visa, count: 10)
        _ = try await pay(wallet, in: field)
        try wallet.setState(.retired, of: WalletFixture.visa)
        records.heal()
        #expect(try wallet.history(of: WalletFixture.visa) == [])
        for kind in ["payment", "use", "key"] { #expect(try scratch.count(kind) == 0, "\(kind)") }
    }
}
