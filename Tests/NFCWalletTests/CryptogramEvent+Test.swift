import CardEngine
import EMVData

extension CryptogramEvent {
    /// The first payment of a card, for which the issuer is asked.
    static let firstPayment = CryptogramEvent(
        application: 0,
        kind: .arqc,
        transactionCounter: 1,
        needsUserAuthentication: false,
        amountMinorUnits: nil,
        currency: nil,
        date: nil,
        transactionType: nil
    )
}
