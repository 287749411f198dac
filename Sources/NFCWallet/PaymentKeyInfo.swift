import CardEngine

/// What is left of the payment keys of a card.
public struct PaymentKeyInfo: Hashable, Sendable {
    /// How many payments can still be made.
    public var numberOfPaymentsLeft: Int
    /// How many payments the card's second application can still make; nil where it has one only.
    ///
    /// Keys of this wallet are good for a card's first application, so that there are none for a second.
    public var auxiliaryNumberOfPaymentsLeft: Int?
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
            let card = try records.contents().cards.first { $0.id == id }
            return PaymentKeyInfo(
                numberOfPaymentsLeft: count,
                auxiliaryNumberOfPaymentsLeft: hasSecondApplication(card) ? 0 : nil,
                needsReplenishment: count <= configuration.replenishmentThreshold,
                expiryDate: terms?.expirySeconds,
                keyType: terms?.type
            )
        } catch {
            throw .keyStore(error)
        }
    }

    private func hasSecondApplication(_ card: DigitalCard?) -> Bool {
        guard let card, let maker = try? self.maker(of: card) else { return false }
        return maker.make().applicationCount > 1
    }
}
