import Synchronization

extension ContactlessPaymentSession {
    /// What a session tells.
    public enum Event: Sendable {
        /// The user must authenticate; the app decides when to ask.
        case authenticationRequired(Authentication)
        /// The user has authenticated: the emulation may start.
        case authenticationCompleted
        /// The device has come into a reader's field.
        case posConnected
        /// The device has left the field before the payment was made; it may come back.
        case posDisconnected
        /// The card has given its answer; whether the issuer approves is not known here.
        case transactionCompleted(TransactionContext)
        /// The session has ended without a payment.
        case errorEncountered(PaymentError)
    }

    /// A request to authenticate, to be answered once.
    public final class Authentication: Sendable {
        /// Whoever only has the request keeps the session by it, until that has ended.
        private let session: Mutex<ContactlessPaymentSession?>

        init(_ session: ContactlessPaymentSession) { self.session = Mutex(session) }

        /// Asks the user for face, finger or passcode and goes on.
        public func proceed() { session.withLock(\.self)?.handle(.proceed) }

        /// Ends the session with `cancelled`.
        public func cancel() { session.withLock(\.self)?.cancel() }

        /// Keeps the session no more, which has ended: this may lie unread in its own stream for ever.
        func release() { _ = session.withLock { $0.take() } }
    }
}
