public import CardEngine
public import SecureStore

/// Where a wallet keeps the payment keys of its cards.
///
/// A key that left the store by `reserve` is recorded as spent before anybody sees it: a crash at any instant may
/// waste it, but never brings it out twice. What no terminal has touched may be given back.
public protocol PaymentKeyStore: AnyObject, Sendable {
    /// How many payments the unspent keys of a card are good for now.
    /// - Throws: `PaymentKeyStoreError`.
    func count(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> Int
    /// The terms of the key that pays next; nil when there is none.
    /// - Throws: `PaymentKeyStoreError`.
    func terms(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> KeyTerms?
    /// The highest counter ever stored for a card; zero when none was.
    /// - Throws: `PaymentKeyStoreError`.
    func highestCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16
    /// The counter up to which a card's keys are spent.
    /// - Throws: `PaymentKeyStoreError`.
    func spentCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16
    /// Adds the keys that `next` gives until it gives nil, all or none.
    ///
    /// Counters rise; keys at or below `highestCounter` are left out, since a counter is never stored twice.
    /// - Throws: `PaymentKeyStoreError`.
    func add(
        to card: DigitalCard.ID,
        _ next: () -> IssuedKey?
    ) throws(PaymentKeyStoreError)
    /// Records up to `count` keys as spent, then hands them out, counters rising.
    /// - Returns: What the payments made with them may come to; nil for no limit.
    /// - Throws: `PaymentKeyStoreError`, before any key was handed out.
    @discardableResult
    func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) throws(PaymentKeyStoreError) -> UInt64?
    /// Takes back the keys that `next` gives until it gives nil, which no terminal has touched, the highest counter first.
    ///
    /// They are wasted instead when keys of higher counters have been reserved since. What was reserved with them is
    /// accounted for from here on.
    /// - Throws: `PaymentKeyStoreError`; the keys are wasted.
    func giveBack(
        to card: DigitalCard.ID,
        _ next: () -> PaymentKey?
    ) throws(PaymentKeyStoreError)
    /// Drops all keys of a card; its counters are remembered.
    /// - Throws: `PaymentKeyStoreError`.
    func removeAll(of card: DigitalCard.ID) throws(PaymentKeyStoreError)
}

extension PaymentKeyStore {
    /// Adds one single-use key.
    /// - Throws: `PaymentKeyStoreError`.
    public func add(
        _ key: consuming PaymentKey,
        for card: DigitalCard.ID
    ) throws(PaymentKeyStoreError) {
        var key: IssuedKey? = IssuedKey(key)
        try add(to: card) { key.take() }
    }

    /// Takes one key back, the only one of those that are out.
    /// - Throws: `PaymentKeyStoreError`.
    public func giveBack(
        _ key: consuming PaymentKey,
        to card: DigitalCard.ID
    ) throws(PaymentKeyStoreError) {
        var key: PaymentKey? = consume key
        try giveBack(to: card) { key.take() }
    }
}

/// What the wallet keeps cannot be read or written.
public struct PaymentKeyStoreError: Error, Hashable, Sendable {
    /// What is wrong with the file it is kept in; nil where it is no file.
    public var cause: SecureStoreError?

    /// Creates the error.
    public init(_ cause: SecureStoreError? = nil) { self.cause = cause }
}
