import CardEngine
import EMVData
import ISO7816
import Octets

extension PaymentFlow.CardNews {
    /// What an event of the card means to the payment.
    /// - Parameters:
    ///   - event: The event.
    ///   - cardID: The card.
    ///   - keyCount: How many payment keys it has left.
    init(_ event: CardEvent, of cardID: DigitalCard.ID, keyCount: Int) {
        switch event {
        case .none, .environmentSelected, .refused: self = .answered
        case .selected, .processingOptions: self = .applicationSelected
        case .cryptogram(let cryptogram): self = .paid(TransactionContext(cryptogram, by: cardID))
        case .paymentRefused(.conditionsNotSatisfied) where keyCount == 0:
            self = .refused(.noPaymentKeys)
        case .paymentRefused: self = .refused(.apduFailure)
        }
    }
}

extension TransactionContext {
    fileprivate init(_ event: CryptogramEvent, by cardID: DigitalCard.ID) {
        self.cardID = cardID
        status =
            switch event.kind {
            case .arqc: .requestedOnline
            case .tc: .approvedOffline
            default: .declined
            }
        if let amount = event.amountMinorUnits, let currency = event.currency {
            self.amount = Amount(minorUnits: amount, currency: Currency(rawValue: currency))
        }
        date = event.date.flatMap { PackedDigits.numeric(UInt64($0), byteCount: 3) }
            .flatMap(TransactionDate.init(bytes:))
        type = event.transactionType.map(TransactionType.init(rawValue:))
        transactionCounter = event.transactionCounter
    }
}
