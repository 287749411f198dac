public import CardEngine
import SecureStore
import Synchronization

extension WalletStore: PaymentKeyStore {
    /// How many payments the unspent keys of a card are good for now.
    /// - Throws: `PaymentKeyStoreError`.
    public func count(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> Int {
        try read { transaction throws(SecureStoreError) in
            try self.usable(card, transaction).count
        }
    }

    /// The terms of the key that pays next; nil when there is none.
    /// - Throws: `PaymentKeyStoreError`.
    public func terms(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> KeyTerms? {
        try read { transaction throws(SecureStoreError) in
            try self.usable(card, transaction).first?.terms
        }
    }

    /// The highest counter ever stored for a card; zero when none was.
    /// - Throws: `PaymentKeyStoreError`.
    public func highestCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try read { transaction throws(SecureStoreError) in try transaction.counters(card).highest }
    }

    /// The counter up to which a card's keys are spent.
    /// - Throws: `PaymentKeyStoreError`.
    public func spentCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try read { transaction throws(SecureStoreError) in try transaction.counters(card).spent }
    }

    /// Adds the keys that `next` gives until it gives nil, all or none.
    /// - Throws: `PaymentKeyStoreError`.
    public func add(
        to card: DigitalCard.ID,
        _ next: () -> IssuedKey?
    ) throws(PaymentKeyStoreError) {
        try write { transaction throws(SecureStoreError) in
            var counters = try transaction.counters(card)
            while let issued = next() {
                let counter = issued.key.transactionCounter
                guard counter > counters.highest else { continue }
                counters.highest = counter
                let record = issued.record
                try transaction.set(.key(card, counter), record.span)
                if issued.terms.amountLimitMinorUnits != nil {
                    let sum = SumRecord(remaining: issued.terms.amountLimitMinorUnits ?? 0)
                    try transaction.set(.sum(card, issued.terms.firstCounter), json: sum)
                }
            }
            try transaction.set(counters, of: card)
        }
    }

    /// Records up to `count` keys as spent, then hands them out, counters rising.
    ///
    /// Where a sum is limited, only keys that share it are handed out, and nobody else may use it meanwhile.
    /// - Returns: What the payments made with them may come to; nil for no limit.
    /// - Throws: `PaymentKeyStoreError`, before any key was handed out.
    @discardableResult
    public func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) throws(PaymentKeyStoreError) -> UInt64? {
        guard count > 0 else { return nil }
        let (boxes, limit) = try write {
            transaction throws(SecureStoreError) -> ([KeyBox], UInt64?) in
            try self.reserve(count, of: card, transaction)
        }
        for box in boxes {
            guard let key = box.take() else { continue }
            deliver(key)
        }
        return limit
    }

    private func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        _ transaction: borrowing StoreTransaction
    ) throws(SecureStoreError) -> ([KeyBox], UInt64?) {
        var counters = try transaction.counters(card)
        let usable = try self.usable(card, transaction)
        guard let first = usable.first else { return ([], nil) }
        let chosen = usable.prefix(count).prefix { $0.sharesSum(with: first) }
        var boxes: [KeyBox] = []
        for key in chosen {
            let id = RecordID.key(card, key.counter)
            guard let bytes = try transaction.record(id),
                let issued = IssuedKey(record: bytes.span, counter: key.counter)
            else { throw .damagedRecord(id) }
            boxes.append(KeyBox(issued))
        }
        // Whoever reserved what is spent already cannot give it back any more.
        try transaction.removeKeys(of: card, upTo: counters.spent)
        let last = chosen.last?.counter ?? counters.spent
        counters.spent = last
        try transaction.set(counters, of: card)
        let use = UseRecord(last: last, holder: holder, seconds: now())
        try transaction.set(.use(card, first.counter), json: use)
        if var sum = first.sum {
            sum.holder = holder
            try transaction.set(.sum(card, first.terms.firstCounter), json: sum)
        }
        return (boxes, first.sum?.remaining)
    }

    /// Takes back the keys that `next` gives until it gives nil, the highest counter first.
    ///
    /// Their records are still there; all that happens is that they count as unspent again.
    /// - Throws: `PaymentKeyStoreError`; the keys are wasted.
    public func giveBack(
        to card: DigitalCard.ID,
        _ next: () -> PaymentKey?
    ) throws(PaymentKeyStoreError) {
        try write { transaction throws(SecureStoreError) in
            var counters = try transaction.counters(card)
            var highest: UInt16 = 0
            while let key = next() {
                highest = max(highest, key.transactionCounter)
                guard key.transactionCounter == counters.spent else { continue }
                counters.spent -= 1
            }
            try transaction.set(counters, of: card)
            highest = max(highest, try self.closeUses(of: card, transaction))
            // What is spent above that is out with somebody else, who may give it back.
            try transaction.removeKeys(of: card, upTo: min(highest, counters.spent))
        }
    }

    /// Drops all keys of a card; its counters are remembered.
    /// - Throws: `PaymentKeyStoreError`.
    public func removeAll(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try write { transaction throws(SecureStoreError) in
            var counters = try transaction.counters(card)
            counters.spent = counters.highest
            try transaction.set(counters, of: card)
            for kind in [Kind.key, Kind.sum] {
                try transaction.removeAll(kind, owner: card.rawValue)
            }
        }
    }

    /// Puts down that this object has no keys of a card out any more.
    /// - Returns: The highest counter it had out; zero for none.
    @discardableResult
    func closeUses(
        of card: DigitalCard.ID,
        _ transaction: borrowing StoreTransaction
    ) throws(SecureStoreError) -> UInt16 {
        var highest: UInt16 = 0
        for number in try transaction.numbers(Kind.use, owner: card.rawValue) {
            let id = RecordID(Kind.use, owner: card.rawValue, number: number)
            let use: UseRecord? = try transaction.json(id)
            guard let use, use.holder == holder else { continue }
            highest = max(highest, use.last)
            try transaction.remove(id)
        }
        for number in try transaction.numbers(Kind.sum, owner: card.rawValue) {
            let id = RecordID(Kind.sum, owner: card.rawValue, number: number)
            let sum: SumRecord? = try transaction.json(id)
            guard var sum, sum.holder == holder else { continue }
            sum.holder = nil
            try transaction.set(id, json: sum)
        }
        return highest
    }
}

// MARK: What can be used

/// A key that can be used now.
private struct UsableKey {
    var counter: UInt16
    var terms: KeyTerms
    var sum: SumRecord?

    func sharesSum(with other: UsableKey) -> Bool {
        (sum == nil && other.sum == nil) || terms.firstCounter == other.terms.firstCounter
    }
}

extension WalletStore {
    /// The keys of a card that are unspent and good, counters rising.
    private func usable(
        _ card: DigitalCard.ID,
        _ transaction: borrowing StoreTransaction
    ) throws(SecureStoreError) -> [UsableKey] {
        let spent = try transaction.counters(card).spent
        let now = now()
        var keys: [UsableKey] = []
        var sums: [UInt16: SumRecord] = [:]
        for number in try transaction.numbers(Kind.key, owner: card.rawValue)
        where number > Int64(spent) {
            let counter = UInt16(truncatingIfNeeded: number)
            let id = RecordID.key(card, counter)
            guard let bytes = try transaction.record(id),
                let terms = KeyTerms(record: bytes.span)
            else { throw .damagedRecord(id) }
            guard !terms.isExpired(at: now) else { continue }
            var key = UsableKey(counter: counter, terms: terms)
            if terms.amountLimitMinorUnits != nil {
                if sums[terms.firstCounter] == nil {
                    sums[terms.firstCounter] = try transaction.json(.sum(card, terms.firstCounter))
                }
                guard let sum = sums[terms.firstCounter], sum.remaining > 0,
                    sum.holder == nil || sum.holder == holder
                else { continue }
                key.sum = sum
            }
            keys.append(key)
        }
        return keys
    }
}

/// Keys that are out.
struct UseRecord: Codable {
    /// The last counter.
    var last: UInt16
    /// Who has them.
    var holder: KeyHolder
    /// Since when, in seconds since 1970.
    var seconds: Int64
}

/// What is left of the sum of a limited-use key.
struct SumRecord: Codable {
    /// How much, in the smallest unit.
    var remaining: UInt64
    /// Who may use it up now; nil when nobody does.
    var holder: KeyHolder?
}

extension RecordID {
    static func key(_ card: DigitalCard.ID, _ counter: UInt16) -> Self {
        Self(WalletStore.Kind.key, owner: card.rawValue, number: Int64(counter))
    }

    static func sum(_ card: DigitalCard.ID, _ firstCounter: UInt16) -> Self {
        Self(WalletStore.Kind.sum, owner: card.rawValue, number: Int64(firstCounter))
    }

    static func use(_ card: DigitalCard.ID, _ firstCounter: UInt16) -> Self {
        Self(WalletStore.Kind.use, owner: card.rawValue, number: Int64(firstCounter))
    }
}

extension StoreTransaction {
    fileprivate borrowing func counters(
        _ card: DigitalCard.ID
    ) throws(SecureStoreError) -> CounterRecord {
        let id = RecordID(WalletStore.Kind.counters, owner: card.rawValue)
        guard let bytes = try record(id) else { return CounterRecord() }
        guard let counters = CounterRecord(bytes.span) else { throw .damagedRecord(id) }
        return counters
    }

    fileprivate borrowing func set(
        _ counters: CounterRecord,
        of card: DigitalCard.ID
    ) throws(SecureStoreError) {
        let bytes = counters.bytes
        try set(RecordID(WalletStore.Kind.counters, owner: card.rawValue), bytes.span)
    }

    /// Removes the records of spent keys, which nobody may give back.
    fileprivate borrowing func removeKeys(
        of card: DigitalCard.ID,
        upTo counter: UInt16
    ) throws(SecureStoreError) {
        for number in try numbers(WalletStore.Kind.key, owner: card.rawValue)
        where number <= Int64(counter) {
            try remove(.key(card, UInt16(truncatingIfNeeded: number)))
        }
    }
}
