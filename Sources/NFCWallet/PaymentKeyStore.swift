public import CardEngine

/// Where a wallet keeps the payment keys of its cards.
///
/// A key that left the store by `reserve` is recorded as spent before anybody sees it: a crash at any instant may
/// waste it, but never brings it out twice. What no terminal has touched may be given back.
public protocol PaymentKeyStore: AnyObject, Sendable {
    /// How many keys of a card are unspent.
    /// - Throws: `PaymentKeyStoreError`.
    func count(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> Int
    /// The highest counter ever stored for a card; zero when none was.
    /// - Throws: `PaymentKeyStoreError`.
    func highestCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16
    /// The counter up to which a card's keys are spent.
    /// - Throws: `PaymentKeyStoreError`.
    func spentCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16
    /// Adds a key; its counter is above `highestCounter`.
    /// - Throws: `PaymentKeyStoreError`.
    func add(_ key: consuming PaymentKey, for card: DigitalCard.ID) throws(PaymentKeyStoreError)
    /// Records up to `count` keys as spent, then hands them out, counters rising.
    /// - Throws: `PaymentKeyStoreError`, before any key was handed out.
    func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) throws(PaymentKeyStoreError)
    /// Takes back a key that no terminal has touched, the highest counter first.
    ///
    /// Wasted instead, when keys of higher counters have been reserved since.
    /// - Throws: `PaymentKeyStoreError`; the key is wasted.
    func giveBack(
        _ key: consuming PaymentKey,
        to card: DigitalCard.ID
    ) throws(PaymentKeyStoreError)
    /// Drops all keys of a card; its counters are remembered.
    /// - Throws: `PaymentKeyStoreError`.
    func removeAll(of card: DigitalCard.ID) throws(PaymentKeyStoreError)
}

/// The store of the payment keys cannot be read or written.
public struct PaymentKeyStoreError: Error, Hashable, Sendable {
    /// Creates the error.
    public init() {}
}
