/// The payment keys of one application, oldest first.
struct ReservedKeys: ~Copyable, Sendable {
    static var capacity: Int { 16 }

    private var keys: [16 of PaymentKey?] = InlineArray { _ in nil }
    private var first = 0
    private(set) var count = 0

    /// The counter of the last key taken for a transaction.
    private(set) var lastCounter: UInt16 = 0
    /// The highest counter held or taken; only higher ones may follow.
    private var highestCounter: UInt16 = 0

    /// Continues after a counter spent earlier, by a card that is no more.
    mutating func resume(after counter: UInt16) {
        precondition(count == 0 && counter >= highestCounter, "a counter never goes back")
        lastCounter = counter
        highestCounter = counter
    }

    /// Appends a key; one more than fit, or a counter that does not rise, traps.
    mutating func add(_ key: consuming PaymentKey) {
        precondition(count < Self.capacity, "more keys reserved than a card holds")
        precondition(key.transactionCounter > highestCounter, "a counter is never used twice")
        highestCounter = key.transactionCounter
        keys[(first + count) % Self.capacity] = consume key
        count += 1
    }

    /// Takes the oldest key for a transaction; nil when none is left.
    mutating func take() -> PaymentKey? {
        guard let key = removeFirst() else { return nil }
        lastCounter = key.transactionCounter
        return key
    }

    /// Takes the oldest key back, unused; nil when none is left.
    ///
    /// Once all are back, the counters they had may be reserved again.
    mutating func takeBack() -> PaymentKey? {
        guard let key = removeFirst() else {
            highestCounter = lastCounter
            return nil
        }
        return key
    }

    private mutating func removeFirst() -> PaymentKey? {
        guard let key = keys[first].take() else { return nil }
        first = (first + 1) % Self.capacity
        count -= 1
        return key
    }
}
