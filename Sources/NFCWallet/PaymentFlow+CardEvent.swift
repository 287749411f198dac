import CardEngine
import ISO7816

extension PaymentFlow.CardNews {
    /// What an event of the card means to the payment.
    /// - Parameters:
    ///   - event: The event.
    ///   - keyCount: How many payment keys the card has left.
    init(_ event: CardEvent, keyCount: Int) {
        switch event {
        // Only SELECT is refused with 6A82.
        case .refused(.fileNotFound): self = .applicationMissing
        case .none, .refused: self = .answered
        case .environmentSelected: self = .listed
        case .selected, .processingOptions: self = .applicationSelected
        case .cryptogram(let cryptogram) where cryptogram.needsUserAuthentication:
            self = .userNeeded
        case .cryptogram(let cryptogram): self = .paid(cryptogram)
        case .paymentRefused(.commandNotAllowed): self = .userNeeded
        case .paymentRefused(.conditionsNotSatisfied) where keyCount == 0:
            self = .refused(.noPaymentKeys)
        case .paymentRefused: self = .refused(.apduFailure)
        }
    }
}
