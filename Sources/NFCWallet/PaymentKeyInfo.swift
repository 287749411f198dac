/// What is left of the payment keys of a card.
public struct PaymentKeyInfo: Hashable, Sendable {
    /// How many payments can still be made.
    public var numberOfPaymentsLeft: Int
    /// Whether more keys should be fetched.
    public var needsReplenishment: Bool
    /// When the key that pays next is good no more, in seconds since 1970; nil for single-use keys.
    public var expiryDate: Int64?
    /// How often a key is good; nil when there is none.
    public var keyType: PaymentKeyType?
}

extension Wallet {
    /// What is left of the payment keys of a card.
    /// - Throws: `WalletError.keyStore`.
    public func paymentKeyInfo(of id: DigitalCard.ID) throws(WalletError) -> PaymentKeyInfo {
        do throws(PaymentKeyStoreError) {
            let count = try keys.count(of: id)
            let terms = try keys.terms(of: id)
            return PaymentKeyInfo(
                numberOfPaymentsLeft: count,
                needsReplenishment: count <= configuration.replenishmentThreshold,
                expiryDate: terms?.expirySeconds,
                keyType: terms?.type
            )
        } catch {
            throw .keyStore(error)
        }
    }
}
