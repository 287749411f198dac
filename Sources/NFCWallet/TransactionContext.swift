import CardEngine
public import EMVData
import Octets

/// What a card knows of the payment it has just made: enough for a receipt on the device.
public struct TransactionContext: Hashable, Sendable {
    /// How the card answered; what the issuer says of it is not known here.
    public enum Status: Hashable, Sendable {
        /// The card asked for the issuer's decision (ARQC).
        case requestedOnline
        /// The card approved offline (TC).
        case approvedOffline
        /// The card declined, or the terminal had it decline (AAC).
        case declined
    }

    /// The card that paid.
    public var cardID: DigitalCard.ID
    /// How the card answered.
    public var status: Status
    /// The amount authorised, in its currency's smallest unit (9F02, 5F2A); nil when the terminal did not tell it.
    public var amount: Amount?
    /// The terminal's date (9A); nil when it did not tell one.
    public var date: TransactionDate?
    /// What the payment was for (9C); nil when the terminal did not tell it.
    public var type: TransactionType?
    /// Application Transaction Counter (9F36).
    public var transactionCounter: UInt16
}

extension TransactionContext {
    /// Puts into words what a card told of its cryptogram.
    init(_ event: CryptogramEvent, by cardID: DigitalCard.ID) {
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
