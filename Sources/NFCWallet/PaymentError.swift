/// Why a payment session ended without a payment.
public enum PaymentError: Error, Hashable, Sendable, CaseIterable {
    /// The user or the app cancelled.
    case cancelled
    /// No reader was found in the time a session has.
    case maxSessionDurationReached
    /// The radio may not be used: permission was not given.
    case nfcPermissionNotAccepted
    /// The device or its owner may not use contactless payments.
    case systemEligibilityFailed
    /// The store of the keys failed.
    case keychainError
    /// No card was named and none is the default.
    case noDefaultCard
    /// The card has no payment keys left; replenish it.
    case noPaymentKeys
    /// The card refused a command that the payment needed.
    case apduFailure
    /// The radio failed.
    case transmissionError
    /// The system took the radio away: the app left the foreground, or another session wants it.
    case sessionInvalidated
    /// A cause that has no name here.
    case unknown
    /// The device has been tampered with.
    case deviceEnvironmentUnsafe
    /// The named card could not become the default.
    case setDefaultCardFailure
    /// The wallet has no such card.
    case invalidDigitalCardID
    /// The user authenticated too long ago.
    case authenticationExpired
    /// The terminal could have selected an application of the card and did not: it knows none of them.
    ///
    /// A field that was lost before is `ContactlessPaymentSession.Event.posDisconnected`.
    case posNotSupported
    /// The card's scheme is not supported.
    case schemeNotSupported
    /// The card has no contactless profile.
    case cardNotSupported
    /// The card is not active, or not any more.
    case cardNotActive
    /// The passcode was removed or changed: the wallet has wiped its credentials and must be enrolled anew.
    case authenticationKeyInvalidated
    /// No face or finger is enrolled.
    case biometricNotEnrolled
    /// The user did not authenticate.
    case authenticationFailed
}

extension PaymentError {
    /// What a field's refusal means to a session.
    init(_ error: CardFieldError) {
        switch error {
        case .notPermitted: self = .nfcPermissionNotAccepted
        case .notEligible: self = .systemEligibilityFailed
        case .transmission: self = .transmissionError
        case .other: self = .unknown
        }
    }

    /// What an authentication that did not succeed means to a session; nil when it did.
    init?(_ result: AuthenticationResult) {
        switch result {
        case .succeeded: return nil
        case .failed, .cancelled: self = .authenticationFailed
        case .biometricNotEnrolled: self = .biometricNotEnrolled
        case .keyInvalidated: self = .authenticationKeyInvalidated
        }
    }
}
