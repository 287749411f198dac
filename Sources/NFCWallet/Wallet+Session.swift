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

    /// Ends every session with `sessionInvalidated`, since the app is not in the foreground any more.
    ///
    /// Until it is there again no session gets further than that.
    public func applicationDidEnterBackground() {
        state.withLock { $0.isInBackground = true }
        guard let system else { return endSessions() }
        system.didEnterBackground()
    }

    /// Lets the app take part in payments again.
    public func applicationWillEnterForeground() {
        state.withLock { $0.isInBackground = false }
        system?.willEnterForeground()
    }

    private var isInForeground: Bool {
        system?.isInForeground ?? state.withLock { !$0.isInBackground }
    }

    /// Ends every session, however far it has come.
    func endSessions() {
        let sessions = state.withLock { state in
            state.session = nil
            return state.sessions.values.compactMap(\.session)
        }
        for session in sessions { session.invalidate() }
    }

    /// Notes a session that was created.
    func admit(_ session: ContactlessPaymentSession) {
        let reference = SessionReference(session: session)
        state.withLock { $0.sessions[ObjectIdentifier(session)] = reference }
    }

    /// Forgets a session that is no more.
    func dismiss(_ session: ObjectIdentifier) {
        state.withLock { _ = $0.sessions.removeValue(forKey: session) }
    }

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
        guard isInForeground else { throw .sessionInvalidated }
        guard configuration.isEnvironmentSafe() else { throw .deviceEnvironmentUnsafe }
        do throws(WalletError) { try finishWipe() } catch { throw .keychainError }
        if let id {
            do throws(WalletError) {
                try setDefaultCard(id)
            } catch .unknownCard {
                throw isRetired(id) ? .cardNotActive : .invalidDigitalCardID
            } catch {
                throw .setDefaultCardFailure
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

    /// Whether the wallet had a card that is retired now.
    private func isRetired(_ id: DigitalCard.ID) -> Bool {
        (try? contents.retiredCards.contains(id)) ?? false
    }

    /// What makes the card that answers readers, and the schemes it is of as far as that is known.
    func maker(
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

    /// A card that may pay; one that was chosen may have been suspended or deleted since.
    func activeCard(_ id: DigitalCard.ID) throws(PaymentError) -> DigitalCard {
        let found: DigitalCard?
        do throws(PaymentKeyStoreError) {
            found = try records.contents().cards.first { $0.id == id }
        } catch {
            throw .keychainError
        }
        guard let found, found.state == .active else { throw .cardNotActive }
        return found
    }

    /// Reserves payment keys and makes the card that holds them.
    func makeCard(
        _ id: DigitalCard.ID,
        isAuthenticated: Bool
    ) throws(PaymentError) -> Card {
        var card = try maker(of: activeCard(id)).make()
        card.userAuthenticated = isAuthenticated
        card.addRandomBytes(configuration.randomBytes(Card.maximumRandomBytes).span)
        do throws(PaymentKeyStoreError) {
            // What is left of a key's sum is known only then.
            try recordPayments(of: id)
            let spent = try keys.spentCounter(of: id)
            var isFirst = true
            let limit = try keys.reserve(configuration.reservedKeyCount, of: id) { key in
                // Since `spent` was read another program may have given keys back, which are these.
                if isFirst { card.resume(after: min(spent, key.transactionCounter - 1)) }
                isFirst = false
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
