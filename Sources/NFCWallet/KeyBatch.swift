import CardEngine

/// Payment keys on their way between store and card, last in, first out.
struct KeyBatch: ~Copyable {
    private var keys: [16 of PaymentKey?] = InlineArray { _ in nil }
    private(set) var count = 0

    /// Adds a key; more than a card holds trap.
    mutating func push(_ key: consuming PaymentKey) {
        keys[count] = consume key
        count += 1
    }

    /// Removes the key added last.
    mutating func pop() -> PaymentKey? {
        guard count > 0 else { return nil }
        count -= 1
        return keys[count].take()
    }
}
