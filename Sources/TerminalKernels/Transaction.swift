public import EMVData

/// What the terminal knows about a payment before a card is there.
public struct Transaction: Hashable, Sendable {
    /// Amount, Authorised (9F02); for cashback it includes the amount paid out.
    public var amount: Amount
    /// Amount, Other (9F03): the cash paid out, in the same currency.
    public var amountOther: Amount?
    /// Transaction Type (9C).
    public var type: TransactionType
    /// Transaction Date (9A).
    public var date: TransactionDate
    /// Transaction Time (9F21), HHMMSS, three bytes of format n.
    public var time: [UInt8]
    /// Transaction Sequence Counter (9F41), 1 to 99999999.
    public var sequenceCounter: UInt32

    /// Collects the parts.
    public init(
        amount: Amount,
        amountOther: Amount? = nil,
        type: TransactionType,
        date: TransactionDate,
        time: [UInt8],
        sequenceCounter: UInt32
    ) {
        self.amount = amount
        self.amountOther = amountOther
        self.type = type
        self.date = date
        self.time = time
        self.sequenceCounter = sequenceCounter
    }
}
