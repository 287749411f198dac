/// What a card approves offline and what it declines, each transaction by itself: it keeps no counters.
public struct CardLimits: Hashable, Sendable {
    /// The highest amount approved offline, in the smallest unit; nil when nothing is.
    public var offlineMinorUnits: UInt64?
    /// The amount above which everything is declined, in the smallest unit; nil when nothing is.
    public var declineMinorUnits: UInt64?
    /// The currency, ISO 4217 numeric, in which offline approvals are given.
    public var currency: UInt16
    /// The issuer's country, its two bytes as a terminal sends them (9F1A).
    public var country: UInt16
    /// Whether terminals of other countries may get an offline approval.
    public var allowsOfflineAbroad: Bool

    /// Collects the limits.
    public init(
        offlineMinorUnits: UInt64?,
        declineMinorUnits: UInt64?,
        currency: UInt16,
        country: UInt16,
        allowsOfflineAbroad: Bool
    ) {
        self.offlineMinorUnits = offlineMinorUnits
        self.declineMinorUnits = declineMinorUnits
        self.currency = currency
        self.country = country
        self.allowsOfflineAbroad = allowsOfflineAbroad
    }

    /// Whether the card's own limit forbids the transaction.
    func forbids(_ values: borrowing TerminalValues) -> Bool {
        guard let limit = declineMinorUnits, let amount = values.amountMinorUnits else {
            return false
        }
        return amount > limit
    }

    /// Whether the terminal is in another country; a card that was not told cannot say.
    func isAbroad(_ values: borrowing TerminalValues) -> Bool {
        guard let terminalCountry = values.country else { return false }
        return terminalCountry != country
    }

    /// Whether the amount is one the card approves without asking its issuer.
    func coversOffline(_ values: borrowing TerminalValues) -> Bool {
        guard let limit = offlineMinorUnits, let amount = values.amountMinorUnits,
            values.currency == currency
        else { return false }
        return amount <= limit && (allowsOfflineAbroad || !isAbroad(values))
    }
}
