import CardEngine
import Profiles
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
        system?.didEnterBackground()
        let session = state.withLock { $0.session.take() }
        session?.invalidate()
    }

    /// Lets the app take part in payments again.
    public func applicationWillEnterForeground() { system?.willEnterForeground() }

    /// Tells of a reader's field when no session looks: the app is told, or another one is started.
    ///
    /// Nothing happens while a session shows its card.
    public func readerDetected() {
        let session = state.withLock(\.session)
        if session?.isShowingCard == true { return }
        _ = system?.readerDetected()
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
        guard configuration.isEnvironmentSafe() else { throw .deviceEnvironmentUnsafe }
        if let id {
            do throws(WalletError) {
                try setDefaultCard(id)
            } catch {
                throw error == .unknownCard ? .invalidDigitalCardID : .setDefaultCardFailure
            }
        }
        let contents: WalletContents
        let count: Int
        do throws(PaymentKeyStoreError) {
            contents = try records.contents()
            count =
                try contents.defaultCard.map { id throws(PaymentKeyStoreError) in
                    try keys.count(of: id)
                } ?? 0
        } catch {
            throw .keychainError
        }
        guard let index = contents.defaultCard.flatMap(contents.index(of:)) else {
            throw .noDefaultCard
        }
        let card = contents.cards[index]
        let maker = try maker(of: card)
        guard maker.schemes.isSubset(of: configuration.supportedSchemes) else {
            throw .schemeNotSupported
        }
        guard card.state == .active else { throw .cardNotActive }
        guard count > 0 else { throw .noPaymentKeys }
        return card.id
    }

    /// What makes the card that answers readers, and the schemes it is of as far as that is known.
    private func maker(
        of card: DigitalCard
    ) throws(PaymentError) -> (schemes: Set<Scheme>, make: @Sendable () -> Card) {
        if let make = state.withLock({ $0.makers[card.id] }) { return ([], make) }
        guard let contents = card.contents else { throw .cardNotSupported }
        let personalization: CardPersonalization
        if let known = state.withLock({ $0.personalizations[contents] }) {
            personalization = known
        } else {
            do throws(ProfilesError) {
                personalization = try contents.personalization()
            } catch {
                throw .cardNotSupported
            }
            state.withLock { $0.personalizations[contents] = personalization }
        }
        let schemes = personalization.profile.applications.map(\.scheme)
        return (Set(schemes), { personalization.makeCard() })
    }

    /// Reserves payment keys and makes the card that holds them.
    func makeCard(
        _ id: DigitalCard.ID,
        isAuthenticated: Bool
    ) throws(PaymentError) -> Card {
        let found: DigitalCard?
        do throws(PaymentKeyStoreError) {
            found = try records.contents().cards.first { $0.id == id }
        } catch {
            throw .keychainError
        }
        // It may have been suspended or deleted since it was chosen.
        guard let found, found.state == .active else { throw .cardNotActive }
        var card = try maker(of: found).make()
        card.userAuthenticated = isAuthenticated
        card.addRandomBytes(configuration.randomBytes(Card.maximumRandomBytes).span)
        do throws(PaymentKeyStoreError) {
            card.resume(after: try keys.spentCounter(of: id))
            let limit = try keys.reserve(configuration.reservedKeyCount, of: id) { key in
                card.reserve(key)
            }
            card.limitAmount(toMinorUnits: limit)
        } catch {
            throw .keychainError
        }
        guard card.reservedKeyCount() > 0 else { throw .noPaymentKeys }
        return card
    }
}
