public import EMVData
public import ISO7816

/// What answering one command meant, for whoever keeps the card; never guessed from bytes.
public enum CardEvent: Hashable, Sendable {
    /// A record or data object was read: nothing to tell.
    case none
    /// The list of applications (PPSE) was read.
    case environmentSelected
    /// An application was selected, by its place on the card.
    case selected(application: Int)
    /// An application opened a transaction and spent the key of this counter; its cryptogram is still to come.
    case processingOptions(application: Int, transactionCounter: UInt16)
    /// An application gave a cryptogram: from the card's side the transaction is over.
    case cryptogram(CryptogramEvent)
    /// The command was refused with this status word and changed nothing.
    case refused(StatusWord)
    /// A command that a payment cannot do without was refused: GET PROCESSING OPTIONS or GENERATE AC.
    case paymentRefused(StatusWord)
}

/// A cryptogram a card gave, and the transaction it is for as far as the terminal told.
public struct CryptogramEvent: Hashable, Sendable {
    /// The application, by its place on the card.
    public var application: Int
    /// What the card decided.
    public var kind: CryptogramKind
    /// Application Transaction Counter (9F36).
    public var transactionCounter: UInt16
    /// Whether the card declined only because its user was not authenticated; a second tap may succeed.
    public var needsUserAuthentication: Bool
    /// Amount, Authorised (9F02), in the smallest unit of the currency; nil when the card was not told.
    public var amountMinorUnits: UInt64?
    /// Transaction Currency Code (5F2A), ISO 4217 numeric: 978 for EUR; nil when the card was not told.
    public var currency: UInt16?
    /// Transaction Date (9A), the six digits YYMMDD as a number: 261130; nil when the card was not told.
    public var date: UInt32?
    /// Transaction Type (9C); nil when the card was not told.
    public var transactionType: UInt8?

    /// Collects what is known about a cryptogram.
    public init(
        application: Int,
        kind: CryptogramKind,
        transactionCounter: UInt16,
        needsUserAuthentication: Bool,
        amountMinorUnits: UInt64?,
        currency: UInt16?,
        date: UInt32?,
        transactionType: UInt8?
    ) {
        self.application = application
        self.kind = kind
        self.transactionCounter = transactionCounter
        self.needsUserAuthentication = needsUserAuthentication
        self.amountMinorUnits = amountMinorUnits
        self.currency = currency
        self.date = date
        self.transactionType = transactionType
    }
}

/// What a command handler concludes: data have been appended and something happened, or a refusal.
enum Answer {
    case done(CardEvent)
    case refused(StatusWord)
    case paymentRefused(StatusWord)

    /// The same answer to a command that a payment cannot do without.
    var ofPaymentStep: Answer {
        if case .refused(let status) = self { return .paymentRefused(status) }
        return self
    }
}
