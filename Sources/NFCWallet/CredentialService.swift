/// The server side of a wallet: it makes payment keys, and keeps the keys they are made from.
public protocol CredentialService: AnyObject, Sendable {
    /// Makes the keys of the counters after `counter`, at most `count` of them.
    /// - Parameters:
    ///   - card: The digital card's identifier.
    ///   - counter: The last Application Transaction Counter the wallet has ever reserved.
    ///   - count: How many keys at most; fewer come where the counter would pass FFFF.
    ///   - deliver: Called once for each key, counters rising.
    /// - Throws: `CredentialError` when the card is not known or may not pay.
    func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError)
}

/// Why the server makes no keys.
public enum CredentialError: Error, Hashable, Sendable {
    /// No such card.
    case unknownCard
    /// The card may not pay now.
    case cardNotActive
    /// The server cannot be reached.
    case networkError
    /// The server refused, or failed.
    case serverError
    /// The request was wrong.
    case clientError
    /// The card has got keys as often as it may; it must be deleted and added anew.
    case replenishmentLimitReached
}

/// A server that cannot be reached.
public final class OfflineCredentialService: CredentialService {
    /// Makes a server that is never there.
    public init() {}

    /// Makes no keys.
    /// - Throws: `CredentialError.networkError`, always.
    public func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        throw .networkError
    }
}
