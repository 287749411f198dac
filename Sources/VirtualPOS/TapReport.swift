public import EMVData
public import TerminalKernels
public import Transport

/// What became of a tap.
public struct TapReport: Sendable {
    /// How it ended for the merchant.
    public enum Result: Hashable, Sendable {
        /// Approved, by the card alone.
        case approvedOffline
        /// Approved by the issuer.
        case approvedOnline
        /// Declined, by the card or the terminal.
        case declinedOffline
        /// Declined by the issuer.
        case declinedOnline
        /// The issuer should decide, and nobody could be asked.
        case unanswered
        /// Ended without a decision: another card, interface or attempt is needed.
        case ended

        /// Whether goods may be handed over.
        public var isApproved: Bool { self == .approvedOffline || self == .approvedOnline }
    }

    /// The payment.
    public var transaction: Transaction
    /// How it ended.
    public var result: Result
    /// The last outcome.
    public var outcome: Outcome
    /// The last application that was selected and what its kernel made of it; nil when none was.
    public var attempt: Conclusion.Attempt?
    /// What the issuer was asked; nil when it was not.
    public var request: AuthorizationRequest?
    /// What the issuer answered; nil when it was not asked, or nobody answered.
    public var response: AuthorizationResponse?
    /// The receipt; nil when the tap ended without a decision.
    public var receipt: Receipt?
    /// Everything that happened, in order.
    public var events: [TapEvent]

    /// The commands and responses, in order.
    public var exchanges: [Exchange] {
        events.compactMap { event in
            if case .exchange(let exchange) = event { exchange } else { nil }
        }
    }

    /// How long the card took for all of its answers.
    public var elapsed: Duration {
        exchanges.reduce(.zero) { $0 + ($1.elapsed ?? .zero) }
    }
}
