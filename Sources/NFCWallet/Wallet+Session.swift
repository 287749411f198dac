import CardEngine
import Synchronization

extension Wallet {
    /// The wallet of sessions that are created without one; set it before the first.
    public static var shared: Wallet {
        get {
            guard let wallet = sharedWallet.withLock({ $0 }) else {
                preconditionFailure("set Wallet.shared first")
            }
            return wallet
        }
        set { sharedWallet.withLock { $0 = newValue } }
    }

    private static let sharedWallet = Mutex<Wallet?>(nil)

    /// Takes the radio from the session that has it, since the app is not in the foreground any more.
    public func applicationDidEnterBackground() {
        let session = state.withLock { $0.session.take() }
        session?.invalidate()
    }

    /// Gives the radio to `session`; another one that has it ends.
    func claimField(for session: ContactlessPaymentSession) {
        let previous = state.withLock { state in
            let previous = state.session
            state.session = session
            return previous
        }
        if previous !== session { previous?.invalidate() }
    }

    /// Makes `id` the default card, or takes the default one, and checks that it can pay.
    func choose(_ id: DigitalCard.ID?) throws(PaymentError) -> DigitalCard.ID {
        if let id {
            do throws(WalletError) {
                try setDefaultCard(id)
            } catch {
                throw .invalidDigitalCardID
            }
        }
        let entry = state.withLock { state in
            state.defaultCard.flatMap(state.index(of:)).map { state.cards[$0] }
        }
        guard let entry else { throw .noDefaultCard }
        guard entry.makeCard != nil else { throw .cardNotSupported }
        guard entry.card.state == .active else { throw .cardNotActive }
        let count: Int
        do throws(PaymentKeyStoreError) {
            count = try keys.count(of: entry.card.id)
        } catch {
            throw .keychainError
        }
        guard count > 0 else { throw .noPaymentKeys }
        return entry.card.id
    }

    /// Reserves payment keys and makes the card that holds them.
    func makeCard(_ id: DigitalCard.ID) throws(PaymentError) -> Card {
        let makeCard = state.withLock { state in
            state.index(of: id).flatMap { state.cards[$0].makeCard }
        }
        guard let makeCard else { throw .cardNotSupported }
        var card = makeCard()
        card.userAuthenticated = configuration.requiresAuthentication
        card.addRandomBytes(configuration.randomBytes(Card.maximumRandomBytes).span)
        do throws(PaymentKeyStoreError) {
            card.resume(after: try keys.spentCounter(of: id))
            try keys.reserve(configuration.reservedKeyCount, of: id) { key in card.reserve(key) }
        } catch {
            throw .keychainError
        }
        guard card.reservedKeyCount() > 0 else { throw .noPaymentKeys }
        return card
    }
}
