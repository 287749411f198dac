import CardEngine
import EMVCrypto
import EMVData
import Foundation
import Glibc
import NFCWallet
import Profiles
import SecureStore
import Synchronization
import TestSupport
import Testing

/// A folder of a test's own, gone when the test is over.
final class Scratch: Sendable {
    let folder: String

    init() throws {
        folder = try ScratchFolder.make("wallet").path
    }

    deinit { ScratchFolder.remove(URL(filePath: folder)) }

    var path: String { folder + "/store" }

    func open(
        now: @escaping @Sendable () -> Int64 = { 1_000_000_000 }
    ) throws(SecureStoreError) -> WalletStore {
        try WalletStore(path: path, now: now)
    }

    /// The numbers of a card's records of a kind.
    func numbers(_ kind: String, of card: String) throws -> [Int64] {
        let raw = try SecureStore(path: path, schema: StoreSchema(steps: [{ _, _, _ in }]))
        return try raw.read { transaction throws(SecureStoreError) in
            try transaction.numbers(kind, owner: card)
        }
    }

    /// How many records of a kind there are.
    func count(_ kind: String) throws -> Int {
        let raw = try SecureStore(path: path, schema: StoreSchema(steps: [{ _, _, _ in }]))
        return try raw.read { transaction throws(SecureStoreError) in
            try transaction.records(kind).count
        }
    }
}

/// The counters several tasks got.
private final class Taken: Sendable {
    let counters = Mutex<[UInt16]>([])
}

/// A payment that went online.
func entry(
    _ card: DigitalCard.ID,
    _ counter: UInt16,
    seconds: Int64 = 1_000_000_000,
    minorUnits: UInt64 = 100
) -> HistoryEntry {
    HistoryEntry(
        cardID: card,
        outcome: .requestedOnline,
        seconds: seconds,
        transactionCounter: counter,
        lastCounter: counter,
        amount: Amount(minorUnits: minorUnits, currency: .eur),
        date: TransactionDate(text: "2026-11-30"),
        type: .purchase
    )
}

@Suite(.timeLimit(.minutes(5))) struct WalletStoreTests {
    private let card = DigitalCard.ID(rawValue: "card")
    private let other = DigitalCard.ID(rawValue: "other")

    private func key(_ counter: UInt16) -> PaymentKey {
        PaymentKey(
            transactionCounter: counter,
            cryptogramKey: DoubleLengthKey(left: 0x5345_4352_4554_0000 | UInt64(counter), right: 1)
        )
    }

    private func fill(_ store: WalletStore, _ counters: ClosedRange<UInt16>) throws {
        for counter in counters { try store.add(key(counter), for: card) }
    }

    /// Puts the card itself into the wallet.
    private func adopt(_ store: WalletStore) throws {
        try store.update { $0.cards.append(DigitalCard(id: card, label: "Card")) }
    }

    private func reserve(_ count: Int, from store: WalletStore) throws -> [UInt16] {
        var counters: [UInt16] = []
        try store.reserve(count, of: card) { counters.append($0.transactionCounter) }
        return counters
    }

    // MARK: Keys

    @Test func `keys come out in order, once, and are the ones that were put in`() throws {
        let scratch = try Scratch()
        try fill(scratch.open(), 3...7)
        let store = try scratch.open()
        #expect(try store.count(of: card) == 5)
        #expect(try store.terms(of: card) == .singleUse(3))
        #expect(try reserve(0, from: store) == [])
        #expect(try store.spentCounter(of: card) == 0)
        var isSame: [Bool] = []
        try store.reserve(2, of: card) { reserved in
            let expected = key(reserved.transactionCounter)
            isSame.append(reserved.cryptogramKey.isEqual(to: expected.cryptogramKey))
        }
        #expect(isSame == [true, true])
        let again = try scratch.open()
        #expect(try again.spentCounter(of: card) == 4)
        #expect(try reserve(9, from: again) == [5, 6, 7])
        #expect(try reserve(9, from: store) == [])
        #expect(try store.highestCounter(of: card) == 7)
        #expect(try store.count(of: other) == 0)
    }

    @Test func `what is given back comes out again, and nothing else does`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try fill(store, 1...5)
        #expect(try reserve(3, from: store) == [1, 2, 3])
        var left: [UInt16] = [3, 2]
        try store.giveBack(to: card) { left.isEmpty ? nil : key(left.removeFirst()) }
        #expect(try store.spentCounter(of: card) == 1)
        #expect(try reserve(9, from: scratch.open()) == [2, 3, 4, 5])
    }

    @Test func `what is given back below a reserved counter is wasted`() throws {
        let store = try Scratch().open()
        try fill(store, 1...5)
        #expect(try reserve(2, from: store) == [1, 2])
        #expect(try reserve(2, from: store) == [3, 4])
        try store.giveBack(key(2), to: card)
        #expect(try store.spentCounter(of: card) == 4)
        #expect(try reserve(9, from: store) == [5])
    }

    @Test(arguments: [false, true])
    func `what one gives back takes nothing from another who has later keys`(
        _ isLaterFirst: Bool
    ) throws {
        let scratch = try Scratch()
        let (early, late) = (try scratch.open(), try scratch.open())
        try fill(early, 1...10)
        #expect(try reserve(4, from: early) == [1, 2, 3, 4])
        #expect(try reserve(4, from: late) == [5, 6, 7, 8])
        func giveBack(_ range: ClosedRange<UInt16>, to store: WalletStore) throws {
            var left = Array(range)
            try store.giveBack(to: card) {
                guard let counter = left.popLast() else { return nil }
                return key(counter)
            }
        }
        if isLaterFirst { try giveBack(5...8, to: late) }
        try giveBack(1...4, to: early)
        if !isLaterFirst { try giveBack(5...8, to: late) }
        #expect(try reserve(9, from: scratch.open()) == [5, 6, 7, 8, 9, 10])
    }

    @Test func `who has spent all keys takes nothing from another either`() throws {
        let scratch = try Scratch()
        let (early, late) = (try scratch.open(), try scratch.open())
        try fill(early, 1...4)
        #expect(try reserve(2, from: early) == [1, 2])
        #expect(try reserve(2, from: late) == [3, 4])
        try early.giveBack(to: card) { nil }
        var left: [UInt16] = [4, 3]
        try late.giveBack(to: card) { left.isEmpty ? nil : key(left.removeFirst()) }
        #expect(try reserve(9, from: scratch.open()) == [3, 4])
    }

    @Test func `a counter is never stored twice, not even when its key was spent`() throws {
        let store = try Scratch().open()
        try fill(store, 1...2)
        try fill(store, 1...2)
        #expect(try reserve(9, from: store) == [1, 2])
        try fill(store, 1...3)
        #expect(try reserve(9, from: store) == [3])
        try store.removeAll(of: card)
        try fill(store, 1...3)
        #expect(try store.count(of: card) == 0)
        #expect(try store.highestCounter(of: card) == 3)
    }

    @Test func `a spent key is not kept once nobody may give it back`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try fill(store, 1...4)
        _ = try reserve(2, from: store)
        try store.giveBack(to: card) { nil }
        #expect(try scratch.numbers("key", of: "card") == [3, 4])
    }

    @Test func `no key is in the files, spent or not`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try fill(store, 1...40)
        _ = try reserve(4, from: store)
        try store.record(entry(card, 1))
        try store.giveBack(key(4), to: card)
        // What the file is left with, and what still lies beside it while the store is open.
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder)
        #expect(names.count > 2)
        for name in names {
            let bytes = try Data(contentsOf: URL(filePath: "\(scratch.folder)/\(name)"))
            #expect(!bytes.isEmpty || name.hasSuffix("-wal"), "\(name)")
            #expect(bytes.firstRange(of: Data("SECRET".utf8)) == nil, "\(name)")
        }
    }

    @Test func `two at once get no key twice`() async throws {
        let scratch = try Scratch()
        try fill(scratch.open(), 1...100)
        let taken = Taken()
        await withTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    do {
                        let store = try scratch.open()
                        for round in 0..<10 {
                            var counters: [UInt16] = []
                            try store.reserve(2, of: card) {
                                counters.append($0.transactionCounter)
                            }
                            // Now and then the second one was not touched.
                            if (round + worker).isMultiple(of: 3), counters.count == 2 {
                                let before = try store.spentCounter(of: card)
                                try store.giveBack(key(counters[1]), to: card)
                                if before == counters[1] { counters.removeLast() }
                            }
                            taken.counters.withLock { $0 += counters }
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        // A key given back while another one looked on may have been wasted, never used twice.
        let counters = taken.counters.withLock { $0 }
        #expect(Set(counters).count == counters.count)
    }

    // MARK: Limits

    private func fillLimited(
        _ store: WalletStore,
        _ counters: ClosedRange<UInt16>,
        expirySeconds: Int64? = nil,
        sum: UInt64? = nil
    ) throws {
        var next = counters.lowerBound
        try store.add(to: card) {
            guard next <= counters.upperBound else { return nil }
            defer { next += 1 }
            return IssuedKey(
                key(next),
                terms: .limitedUse(
                    from: counters.lowerBound,
                    expirySeconds: expirySeconds,
                    amountLimitMinorUnits: sum
                )
            )
        }
    }

    @Test func `a key whose time is over is good for nothing`() throws {
        let clock = Mutex<Int64>(100)
        let store = try Scratch().open(now: { clock.withLock { $0 } })
        try fillLimited(store, 1...3, expirySeconds: 200)
        try fill(store, 4...4)
        #expect(try store.terms(of: card)?.expirySeconds == 200)
        clock.withLock { $0 = 199 }
        #expect(try store.count(of: card) == 4)
        clock.withLock { $0 = 200 }
        #expect(try store.count(of: card) == 1)
        #expect(try reserve(9, from: store) == [4])
    }

    @Test func `the sum of a key's payments is never above its limit`() throws {
        let store = try Scratch().open()
        try fillLimited(store, 1...3, sum: 1_000)
        try fillLimited(store, 4...6, sum: 500)
        var limit = try store.reserve(4, of: card) { _ in }
        #expect(limit == 1_000)
        // Only what shares the sum is out.
        #expect(try store.spentCounter(of: card) == 3)
        var left: [UInt16] = [3, 2]
        try store.giveBack(to: card) { left.isEmpty ? nil : key(left.removeFirst()) }
        limit = try store.reserve(1, of: card) { _ in }
        #expect(limit == 1_000)
        try store.record(entry(card, 2, minorUnits: 999))
        #expect(try store.count(of: card) == 4)
        limit = try store.reserve(1, of: card) { _ in }
        #expect(limit == 1)
        try store.record(entry(card, 3, minorUnits: 1))
        limit = try store.reserve(9, of: card) { _ in }
        #expect(limit == 500)
    }

    @Test func `a payment is taken off the sum of the key that made it, and off no other`() throws {
        let store = try Scratch().open()
        try fillLimited(store, 1...2, sum: 1_000)
        try fillLimited(store, 3...4, sum: 500)
        #expect(try reserve(1, from: store) == [1])
        #expect(try reserve(1, from: store) == [2])
        #expect(try reserve(1, from: store) == [3])
        try store.record(entry(card, 2, minorUnits: 400))
        let limit = try store.reserve(1, of: card) { _ in }
        #expect(limit == 500)
    }

    @Test func `a payment put down late is taken off the sum all the same`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try fillLimited(store, 1...4, sum: 1_000)
        #expect(try reserve(1, from: store) == [1])
        try store.giveBack(to: card) { nil }
        try store.record(entry(card, 1, minorUnits: 400))
        let limit = try scratch.open().reserve(1, of: card) { _ in }
        #expect(limit == 600)
    }

    @Test func `a sum that is used up leaves the key's other payments unused`() throws {
        let store = try Scratch().open()
        try fillLimited(store, 1...3, sum: 1_000)
        try store.reserve(1, of: card) { _ in }
        try store.record(entry(card, 1, minorUnits: 1_000))
        #expect(try store.count(of: card) == 0)
        #expect(try reserve(9, from: store) == [])
    }

    @Test func `a declined payment takes nothing off the sum`() throws {
        let store = try Scratch().open()
        try fillLimited(store, 1...3, sum: 1_000)
        try store.reserve(1, of: card) { _ in }
        var declined = entry(card, 1, minorUnits: 5_000)
        declined.outcome = .declined
        try store.record(declined)
        let limit = try store.reserve(1, of: card) { _ in }
        #expect(limit == 1_000)
    }

    @Test func `a sum is one holder's at a time`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try fillLimited(store, 1...4, sum: 1_000)
        #expect(try reserve(1, from: store) == [1])
        let second = try scratch.open()
        #expect(try second.count(of: card) == 0)
        #expect(try reserve(1, from: second) == [])
        #expect(try reserve(1, from: store) == [2])
        try store.giveBack(to: card) { nil }
        #expect(try reserve(1, from: second) == [3])
    }

    // MARK: Cards and payments

    @Test func `cards, their order, states and the default one stay`() throws {
        let scratch = try Scratch()
        let contents = try CardData(
            profile: [UInt8]("{}".utf8),
            number: #require(PrimaryAccountNumber(text: "4761739001010010")),
            sequenceNumber: 0x12,
            lastDay: #require(TransactionDate(text: "2030-12-31"))
        )
        try scratch.open().update { wallet in
            wallet.cards = [
                DigitalCard(id: other, label: "Ö", state: .suspended),
                DigitalCard(id: card, label: "Card", state: .inactive, contents: contents),
            ]
            wallet.defaultCard = card
            wallet.isEnrolled = true
        }
        let found = try scratch.open().contents()
        #expect(found.cards.map(\.id) == [other, card])
        #expect(found.cards.map(\.label) == ["Ö", "Card"])
        #expect(found.cards.map(\.state) == [.suspended, .inactive])
        #expect(found.cards[1].contents == contents)
        #expect(found.defaultCard == card)
        #expect(found.isEnrolled)
        try scratch.open().update { $0 = WalletContents() }
        #expect(try scratch.open().contents() == WalletContents())
        let file = [UInt8](try Data(contentsOf: URL(filePath: scratch.path)))
        #expect(!file.contains([UInt8]("4761739001010010".utf8)))
    }

    @Test func `the last 64 retired cards are remembered`() throws {
        let scratch = try Scratch()
        let wallet = try WalletFixture.durable(try scratch.open())
        let ids = (0..<66).map { DigitalCard.ID(rawValue: "card \($0)") }
        for id in ids {
            try wallet.add(DigitalCard(id: id, label: "Card"))
            try wallet.setState(.retired, of: id)
        }
        #expect(try scratch.open().contents().retiredCards == ids.suffix(64))
        #expect(try scratch.open().contents().cards.map(\.id) == wallet.cards.map(\.id))
    }

    @Test func `a card that is renewed shows its new day`() throws {
        let scratch = try Scratch()
        let wallet = try WalletFixture.durable(try scratch.open())
        let id = DigitalCard.ID(rawValue: "renewed")
        let lastDay = try #require(TransactionDate(text: "2035-01-31"))
        try wallet.add(DigitalCard(id: id, label: "Visa", contents: cardData(.visa)))
        try wallet.renew(id, until: lastDay)
        let contents = try scratch.open().contents().cards.first { $0.id == id }?.contents
        #expect(contents?.lastDay == lastDay)
        let application = try contents?.personalization().profile.applications.first
        #expect(application?.expirationDate == lastDay)
        #expect(throws: WalletError.unknownCard) {
            try wallet.renew(DigitalCard.ID(rawValue: "nobody"), until: lastDay)
        }
    }

    @Test func `the history keeps ten payments`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try adopt(store)
        for counter in 1...12 as ClosedRange<UInt16> { try store.record(entry(card, counter)) }
        let history = try scratch.open().history(of: card)
        #expect(history.map(\.transactionCounter) == Array((3...12).reversed()))
        #expect(history.first == entry(card, 12))
        #expect(try store.history(of: other) == [])
        try store.removeHistory(of: card)
        #expect(try store.history(of: card) == [])
    }

    @Test func `the history keeps thirty days`() throws {
        let clock = Mutex<Int64>(0)
        let store = try Scratch().open(now: { clock.withLock { $0 } })
        try adopt(store)
        try store.record(entry(card, 1, seconds: 0))
        clock.withLock { $0 = 30 * 86_400 - 1 }
        #expect(try store.history(of: card).map(\.transactionCounter) == [1])
        clock.withLock { $0 = 30 * 86_400 }
        #expect(try store.history(of: card) == [])
        try store.record(entry(card, 2, seconds: 30 * 86_400))
        clock.withLock { $0 = 0 }
        #expect(try store.history(of: card).map(\.transactionCounter) == [2])
    }

    // MARK: Programs that end without a word

    @Test func `what a killed program had out is reported once`() async throws {
        let scratch = try Scratch()
        try adopt(scratch.open())
        try fillLimited(scratch.open(), 1...6, sum: 1_000)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path as String] in
            let store = try WalletStore(path: path, now: { 1_000_000_000 })
            try store.reserve(2, of: DigitalCard.ID(rawValue: "card")) { _ in }
            try store.reserve(1, of: DigitalCard.ID(rawValue: "card")) { _ in }
            kill(getpid(), SIGKILL)
        }
        for _ in 0..<2 {
            let store = try scratch.open()
            let history = try store.history(of: card)
            #expect(history.map(\.outcome) == [.interrupted, .interrupted])
            #expect(history.map(\.transactionCounter) == [3, 1])
            #expect(history.map(\.lastCounter) == [3, 2])
            // Nobody knows what is left of the sum, so nothing is.
            #expect(try store.count(of: card) == 0)
        }
    }

    @Test func `of a card that is no more nothing is reported and nothing kept`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try adopt(store)
        try fillLimited(store, 1...6, sum: 1_000)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path as String] in
            let store = try WalletStore(path: path, now: { 1_000_000_000 })
            try store.record(entry(DigitalCard.ID(rawValue: "card"), 9))
            try store.reserve(2, of: DigitalCard.ID(rawValue: "card")) { _ in }
            kill(getpid(), SIGKILL)
        }
        #expect(try scratch.count("payment") == 1)
        try store.update { $0.cards = [] }
        try store.record(entry(card, 1))
        _ = try scratch.open()
        for kind in ["payment", "use", "key", "sum"] {
            #expect(try scratch.count(kind) == 0, "\(kind)")
        }
        #expect(try store.highestCounter(of: card) == 6)
    }

    @Test func `what a program has out that still runs is not reported`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try fill(store, 1...6)
        #expect(try reserve(2, from: store) == [1, 2])
        #expect(try scratch.open().history(of: card) == [])
        try store.giveBack(key(2), to: card)
    }

    @Test func `what an older program had out, which named its process, is reported`() throws {
        let scratch = try Scratch()
        try adopt(scratch.open())
        try fill(scratch.open(), 1...6)
        // Process 1 is always there.
        let use =
            #"{"last":2,"holder":{"process":1,"processStart":"1","object":"A"},"seconds":1000000000}"#
        let raw = try SecureStore(path: scratch.path, schema: StoreSchema(steps: [{ _, _, _ in }]))
        let bytes = [UInt8](use.utf8)
        try raw.write { transaction throws(SecureStoreError) in
            try transaction.set(RecordID("use", owner: "card", number: 1), bytes.span)
        }
        let history = try scratch.open().history(of: card)
        #expect(history.map(\.outcome) == [.interrupted])
        #expect(history.map(\.lastCounter) == [2])
    }

    @Test func `a payment is put down even where an older one is damaged`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try adopt(store)
        try store.record(entry(card, 1))
        try python(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                + "c.execute(\"UPDATE record SET sealed=x'00' WHERE kind='payment'\"); c.commit()",
            scratch.path
        )
        let damaged = RecordID("payment", owner: "card", number: 1)
        try store.record(entry(card, 2))
        #expect(throws: PaymentKeyStoreError(.damagedRecord(damaged))) {
            try store.history(of: card)
        }
        #expect(store.lastFailure == .damagedRecord(damaged))
        // Once nine more have pushed it out, all can be read.
        for counter in 3...11 as ClosedRange<UInt16> { try store.record(entry(card, counter)) }
        #expect(try store.history(of: card).map(\.transactionCounter) == Array((2...11).reversed()))
    }

    @Test func `a payment is put down even where what is told of the cards is damaged`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try adopt(store)
        try python(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                + "c.execute(\"UPDATE record SET sealed=x'00' WHERE kind='card'\"); c.commit()",
            scratch.path
        )
        #expect(throws: PaymentKeyStoreError.self) { try store.contents() }
        try store.record(entry(card, 1))
        #expect(try store.history(of: card).map(\.transactionCounter) == [1])
    }

    // MARK: Older forms

    @Test func `a store of form 1, made by another program, is brought into the present form`()
        throws
    {
        let scratch = try Scratch()
        for suffix in ["", ".key"] {
            try FileManager.default.copyItem(
                atPath: RepositoryFile.root.appending(path: "Vectors/stores/form-1\(suffix)").path,
                toPath: scratch.path + suffix
            )
        }
        _ = unsafe chmod(scratch.path + ".key", 0o600)
        let old = DigitalCard.ID(rawValue: "an old card")
        for _ in 0..<2 {
            let store = try scratch.open()
            let contents = try store.contents()
            #expect(contents.cards == [DigitalCard(id: old, label: "Old card")])
            #expect(contents.defaultCard == old)
            #expect(contents.isEnrolled)
            #expect(try store.count(of: old) == 3)
            #expect(try store.terms(of: old) == .singleUse(7))
        }
        var isSame: [Bool] = []
        try scratch.open().reserve(9, of: old) { key in
            let part = UInt64(key.transactionCounter) * 0x0101_0101_0101_0101
            let expected = DoubleLengthKey(left: part, right: part)
            isSame.append(key.cryptogramKey.isEqual(to: expected))
        }
        #expect(isSame == [true, true, true])
    }

    @Test func `errors say what is wrong with the file`() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try fill(store, 1...2)
        try python(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                + "c.execute(\"UPDATE record SET sealed=x'00' WHERE kind='key'\"); c.commit()",
            scratch.path
        )
        let damaged = PaymentKeyStoreError(
            .damagedRecord(RecordID("key", owner: "card", number: 1))
        )
        #expect(throws: damaged) { try store.count(of: card) }
        #expect(throws: damaged) { try reserve(1, from: store) }
        #expect(try store.spentCounter(of: card) == 0)
    }
}

/// Runs a Python program: somebody else than us writes the file.
func python(_ program: String, _ argument: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", program, argument]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
}
