public import CardEngine
import Synchronization

/// A payment key on its way from the server to the wallet, with what it is good for.
///
/// A limited-use key comes once for each payment it is good for, each with a counter of its own.
public struct IssuedKey: ~Copyable, Sendable {
    /// The key and its counter.
    public let key: PaymentKey
    /// What it is good for.
    public let terms: KeyTerms

    /// Pairs a key with its terms; those of a single-use key unless it is told otherwise.
    public init(_ key: consuming PaymentKey, terms: KeyTerms? = nil) {
        self.terms = terms ?? .singleUse(key.transactionCounter)
        self.key = key
    }

    /// Lets go of the terms.
    consuming func takeKey() -> PaymentKey { key }
}

/// Gives a key, which has one owner, a place in an array.
final class KeyBox: Sendable {
    let counter: UInt16
    let terms: KeyTerms
    private let key: Mutex<PaymentKey?>

    init(_ issued: consuming IssuedKey) {
        counter = issued.key.transactionCounter
        terms = issued.terms
        key = Mutex(issued.takeKey())
    }

    func take() -> PaymentKey? { key.withLock { $0.take() } }

    func takeIssued() -> IssuedKey? {
        guard let key = take() else { return nil }
        return IssuedKey(key, terms: terms)
    }
}
