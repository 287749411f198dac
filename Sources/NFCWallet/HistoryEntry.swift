public import EMVData

/// A payment of a card, as its device knows it.
public struct HistoryEntry: Hashable, Sendable {
    /// What became of the payment.
    public enum Outcome: String, Hashable, Sendable, Codable {
        /// The card asked for the issuer's decision (ARQC).
        case requestedOnline
        /// The card approved offline (TC).
        case approvedOffline
        /// The card declined, or the terminal had it decline (AAC).
        case declined
        /// The program ended while the card was shown: whether it paid, and how often up to `lastCounter`, is not known.
        case interrupted
    }

    /// The card.
    public var cardID: DigitalCard.ID
    /// What became of it.
    public var outcome: Outcome
    /// When, by the device's clock, in seconds since 1970.
    public var seconds: Int64
    /// Application Transaction Counter (9F36); the first that may have been used when it was interrupted.
    public var transactionCounter: UInt16
    /// The last counter that may have been used; `transactionCounter` unless it was interrupted.
    public var lastCounter: UInt16
    /// The amount authorised (9F02, 5F2A); nil when it is not known.
    public var amount: Amount?
    /// The terminal's date (9A); nil when it is not known.
    public var date: TransactionDate?
    /// What the payment was for (9C); nil when it is not known.
    public var type: TransactionType?

    /// Collects what is known of a payment.
    public init(
        cardID: DigitalCard.ID,
        outcome: Outcome,
        seconds: Int64,
        transactionCounter: UInt16,
        lastCounter: UInt16,
        amount: Amount? = nil,
        date: TransactionDate? = nil,
        type: TransactionType? = nil
    ) {
        self.cardID = cardID
        self.outcome = outcome
        self.seconds = seconds
        self.transactionCounter = transactionCounter
        self.lastCounter = lastCounter
        self.amount = amount
        self.date = date
        self.type = type
    }
}

extension HistoryEntry {
    /// How long entries are kept, in seconds: 30 days.
    public static let maximumAgeSeconds: Int64 = 30 * 24 * 60 * 60
    /// How many entries of a card are kept.
    public static let maximumCount = 10

    /// Puts down a payment.
    init(_ context: TransactionContext, seconds: Int64) {
        let outcome: Outcome =
            switch context.status {
            case .requestedOnline: .requestedOnline
            case .approvedOffline: .approvedOffline
            case .declined: .declined
            }
        self.init(
            cardID: context.cardID,
            outcome: outcome,
            seconds: seconds,
            transactionCounter: context.transactionCounter,
            lastCounter: context.transactionCounter,
            amount: context.amount,
            date: context.date,
            type: context.type
        )
    }

    /// Puts down that it is not known whether the counters of a range were used.
    init(interrupted counters: ClosedRange<UInt16>, of cardID: DigitalCard.ID, seconds: Int64) {
        self.init(
            cardID: cardID,
            outcome: .interrupted,
            seconds: seconds,
            transactionCounter: counters.lowerBound,
            lastCounter: counters.upperBound
        )
    }

    /// Drops what is older than 30 days, and all but the last 10.
    static func trim(_ entries: [HistoryEntry], now: Int64) -> [HistoryEntry] {
        entries.filter { $0.seconds > now - maximumAgeSeconds }.suffix(maximumCount)
    }
}
