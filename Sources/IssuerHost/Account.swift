public import EMVData
import Octets

/// An account that an issuer answers for, and the card that belongs to it.
public struct Account: Hashable, Sendable {
    /// Whether payments are allowed at all.
    public enum Status: Hashable, Sendable {
        /// They are.
        case active
        /// The issuer or the holder has blocked them.
        case blocked
        /// The card was reported lost.
        case lost
        /// The card was reported stolen.
        case stolen
    }

    /// The account number.
    public var number: PrimaryAccountNumber
    /// The card's PAN sequence number (5F34) as it carries it, 0x12 for 12.
    public var sequenceNumber: UInt8
    /// The last day the card is good for.
    public var lastDay: TransactionDate
    /// Whether payments are allowed.
    public var status: Status
    /// What can be spent, in the smallest unit of whatever currency a request is in: nothing is converted.
    public var availableMinorUnits: UInt64
    /// The highest amount of one payment, in the smallest unit; nil for none but the available amount.
    public var paymentLimitMinorUnits: UInt64?

    /// Collects the parts.
    public init(
        number: PrimaryAccountNumber,
        sequenceNumber: UInt8,
        lastDay: TransactionDate,
        status: Status = .active,
        availableMinorUnits: UInt64,
        paymentLimitMinorUnits: UInt64? = nil
    ) {
        self.number = number
        self.sequenceNumber = sequenceNumber
        self.lastDay = lastDay
        self.status = status
        self.availableMinorUnits = availableMinorUnits
        self.paymentLimitMinorUnits = paymentLimitMinorUnits
    }
}

extension Account {
    /// Decides on a payment and books it when it is approved.
    /// - Parameters:
    ///   - amount: How much, cashback included.
    ///   - type: What for.
    ///   - date: The terminal's date.
    /// - Returns: The decision.
    public mutating func pay(
        _ amount: Amount,
        type: TransactionType,
        date: TransactionDate
    ) -> Decision {
        switch status {
        case .active: break
        case .blocked: return Decision(.restrictedCard, "the account is blocked")
        case .lost: return Decision(.lostCard, "the card was reported lost")
        case .stolen: return Decision(.stolenCard, "the card was reported stolen")
        }
        guard date <= lastDay else {
            return Decision(.expiredCard, "the card was good until \(lastDay)")
        }
        switch type {
        case .purchase, .cash, .cashback, .manualCash: return debit(amount)
        case .refund: return credit(amount)
        case .inquiry: return Decision(.approved, "nothing to book")
        default:
            return Decision(.notPermitted, "transaction type \(type.rawValue.hex) is not served")
        }
    }

    private mutating func debit(_ amount: Amount) -> Decision {
        if let limit = paymentLimitMinorUnits, amount.minorUnits > limit {
            return Decision(.exceedsAmountLimit, "\(amount) is above the limit of one payment")
        }
        guard amount.minorUnits <= availableMinorUnits else {
            return Decision(.insufficientFunds, "\(amount) is more than the account has")
        }
        availableMinorUnits -= amount.minorUnits
        return Decision(.approved, "the account has enough")
    }

    private mutating func credit(_ amount: Amount) -> Decision {
        let (sum, isTooMuch) = availableMinorUnits.addingReportingOverflow(amount.minorUnits)
        guard !isTooMuch else { return Decision(.notPermitted, "the account cannot hold more") }
        availableMinorUnits = sum
        return Decision(.approved, "the refund is booked")
    }
}
