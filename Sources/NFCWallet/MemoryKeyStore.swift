public import CardEngine
import Synchronization

/// Payment keys in memory, for one run of a program.
public final class MemoryKeyStore: PaymentKeyStore {
    private let shelves: Mutex<[DigitalCard.ID: Shelf]>

    /// The keys of one card.
    private struct Shelf {
        /// Unspent keys, counters rising.
        var keys: [StoredKey] = []
        var highestCounter: UInt16 = 0
        var spentCounter: UInt16 = 0
    }

    /// Gives a key, which has one owner, a place in an array.
    private final class StoredKey: Sendable {
        let counter: UInt16
        private let key: Mutex<PaymentKey?>

        init(_ key: consuming PaymentKey) {
            counter = key.transactionCounter
            self.key = Mutex(key)
        }

        func take() -> PaymentKey? { key.withLock { $0.take() } }
    }

    /// Creates a store without keys.
    /// - Parameter spentCounters: The counters up to which cards' keys are spent already.
    public init(spentCounters: [DigitalCard.ID: UInt16] = [:]) {
        shelves = Mutex(
            spentCounters.mapValues { Shelf(highestCounter: $0, spentCounter: $0) }
        )
    }

    /// How many keys of a card are unspent.
    public func count(of card: DigitalCard.ID) -> Int {
        shelves.withLock { $0[card]?.keys.count ?? 0 }
    }

    /// The highest counter ever stored for a card; zero when none was.
    public func highestCounter(of card: DigitalCard.ID) -> UInt16 {
        shelves.withLock { $0[card]?.highestCounter ?? 0 }
    }

    /// The counter up to which a card's keys are spent.
    public func spentCounter(of card: DigitalCard.ID) -> UInt16 {
        shelves.withLock { $0[card]?.spentCounter ?? 0 }
    }

    /// Adds a key; a counter that does not rise traps.
    public func add(_ key: consuming PaymentKey, for card: DigitalCard.ID) {
        let stored = StoredKey(key)
        shelves.withLock { shelves in
            var shelf = shelves[card] ?? Shelf()
            precondition(stored.counter > shelf.highestCounter, "a counter is never stored twice")
            shelf.highestCounter = stored.counter
            shelf.keys.append(stored)
            shelves[card] = shelf
        }
    }

    /// Records up to `count` keys as spent, then hands them out, counters rising.
    public func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) {
        let reserved = shelves.withLock { shelves -> ArraySlice<StoredKey> in
            guard var shelf = shelves[card] else { return [] }
            let reserved = shelf.keys.prefix(count)
            shelf.keys.removeFirst(reserved.count)
            shelf.spentCounter = reserved.last?.counter ?? shelf.spentCounter
            shelves[card] = shelf
            return reserved
        }
        for stored in reserved {
            guard let key = stored.take() else { continue }
            deliver(key)
        }
    }

    /// Takes back a key that no terminal has touched, the highest counter first.
    public func giveBack(_ key: consuming PaymentKey, to card: DigitalCard.ID) {
        let stored = StoredKey(key)
        shelves.withLock { shelves in
            guard var shelf = shelves[card], shelf.spentCounter == stored.counter else { return }
            shelf.keys.insert(stored, at: 0)
            shelf.spentCounter = stored.counter - 1
            shelves[card] = shelf
        }
    }

    /// Drops all keys of a card; its counters are remembered.
    public func removeAll(of card: DigitalCard.ID) {
        shelves.withLock { shelves in
            guard var shelf = shelves[card] else { return }
            shelf.keys = []
            shelf.spentCounter = shelf.highestCounter
            shelves[card] = shelf
        }
    }
}
