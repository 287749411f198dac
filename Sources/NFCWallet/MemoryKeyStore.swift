public import CardEngine
import Synchronization

/// Payment keys in memory, for one run of a program.
public final class MemoryKeyStore: PaymentKeyStore {
    private let shelves: Mutex<[DigitalCard.ID: Shelf]>
    private let now: @Sendable () -> Int64

    /// The keys of one card.
    private struct Shelf {
        /// Unspent keys, counters rising.
        var keys: [KeyBox] = []
        var highestCounter: UInt16 = 0
        var spentCounter: UInt16 = 0
        /// The terms of keys that are out.
        var reserved: [UInt16: KeyTerms] = [:]
    }

    /// Creates a store without keys.
    /// - Parameters:
    ///   - spentCounters: The counters up to which cards' keys are spent already.
    ///   - now: The time, in seconds since 1970.
    public init(
        spentCounters: [DigitalCard.ID: UInt16] = [:],
        now: @escaping @Sendable () -> Int64 = { WallClock.now }
    ) {
        shelves = Mutex(
            spentCounters.mapValues { Shelf(highestCounter: $0, spentCounter: $0) }
        )
        self.now = now
    }

    /// How many keys of a card are unspent and good.
    public func count(of card: DigitalCard.ID) -> Int {
        let now = now()
        return shelves.withLock { shelves in
            shelves[card]?.keys.count { !$0.terms.isExpired(at: now) } ?? 0
        }
    }

    /// The terms of the key that pays next; nil when there is none.
    public func terms(of card: DigitalCard.ID) -> KeyTerms? {
        let now = now()
        return shelves.withLock { shelves in
            shelves[card]?.keys.first { !$0.terms.isExpired(at: now) }?.terms
        }
    }

    /// The highest counter ever stored for a card; zero when none was.
    public func highestCounter(of card: DigitalCard.ID) -> UInt16 {
        shelves.withLock { $0[card]?.highestCounter ?? 0 }
    }

    /// The counter up to which a card's keys are spent.
    public func spentCounter(of card: DigitalCard.ID) -> UInt16 {
        shelves.withLock { $0[card]?.spentCounter ?? 0 }
    }

    /// Adds the keys that `next` gives until it gives nil.
    public func add(to card: DigitalCard.ID, _ next: () -> IssuedKey?) {
        while let issued = next() {
            let box = KeyBox(issued)
            shelves.withLock { shelves in
                var shelf = shelves[card] ?? Shelf()
                guard box.counter > shelf.highestCounter else { return }
                shelf.highestCounter = box.counter
                shelf.keys.append(box)
                shelves[card] = shelf
            }
        }
    }

    /// Records up to `count` keys as spent, then hands them out, counters rising.
    ///
    /// Sums are not limited here: this store is for one run of a program.
    @discardableResult
    public func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) -> UInt64? {
        let now = now()
        let reserved = shelves.withLock { shelves -> ArraySlice<KeyBox> in
            guard var shelf = shelves[card] else { return [] }
            shelf.keys.removeAll { $0.terms.isExpired(at: now) }
            let reserved = shelf.keys.prefix(count)
            shelf.keys.removeFirst(reserved.count)
            shelf.spentCounter = reserved.last?.counter ?? shelf.spentCounter
            for box in reserved { shelf.reserved[box.counter] = box.terms }
            shelves[card] = shelf
            return reserved
        }
        for box in reserved {
            guard let key = box.take() else { continue }
            deliver(key)
        }
        return nil
    }

    /// Takes back keys that no terminal has touched, the highest counter first.
    public func giveBack(to card: DigitalCard.ID, _ next: () -> PaymentKey?) {
        while let key = next() {
            let counter = key.transactionCounter
            let terms = shelves.withLock { $0[card]?.reserved[counter] }
            let box = KeyBox(IssuedKey(key, terms: terms))
            shelves.withLock { shelves in
                guard var shelf = shelves[card], shelf.spentCounter == counter else { return }
                shelf.keys.insert(box, at: 0)
                shelf.spentCounter = counter - 1
                shelves[card] = shelf
            }
        }
        shelves.withLock { $0[card]?.reserved = [:] }
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
