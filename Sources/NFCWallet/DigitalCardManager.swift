/// Suspends, resumes and deletes cards, at the server first and then in the wallet.
///
/// What is broken off between the two can be done again; `synchronize` finishes it when the app starts.
public struct DigitalCardManager: Sendable {
    private let wallet: Wallet
    private let server: any CardService

    /// Serves a wallet.
    public init(wallet: Wallet = .shared, server: any CardService) {
        self.wallet = wallet
        self.server = server
    }

    /// Keeps a card from paying for now.
    /// - Throws: `WalletError`.
    public func suspend(_ id: DigitalCard.ID) throws(WalletError) { try change(id, to: .suspended) }

    /// Lets a suspended card pay again.
    /// - Throws: `WalletError`.
    public func resume(_ id: DigitalCard.ID) throws(WalletError) {
        guard let card = try wallet.cards.first(where: { $0.id == id }) else { throw .unknownCard }
        guard card.state == .suspended else {
            throw .illegalTransition(from: card.state, to: .active)
        }
        try change(id, to: .active)
    }

    /// Takes a card out of the wallet, with its keys; one that the server does not know any more, too.
    /// - Throws: `WalletError`.
    public func delete(_ id: DigitalCard.ID) throws(WalletError) { try change(id, to: .retired) }

    private func change(
        _ id: DigitalCard.ID,
        to state: DigitalCard.State
    ) throws(WalletError) {
        guard let card = try wallet.cards.first(where: { $0.id == id }) else { throw .unknownCard }
        guard card.state.canBecome(state) else {
            throw .illegalTransition(from: card.state, to: state)
        }
        do throws(CredentialError) {
            try server.setState(state, of: id)
        } catch {
            // A deletion may have been broken off when only the server had done its part.
            guard state == .retired, error == .unknownCard else { throw .credentials(error) }
        }
        try wallet.bring(id, to: state)
    }

    /// Brings the wallet's cards into the states the server has them in.
    ///
    /// Call it when the app starts: the one before may have ended when only the server had done its part. Cards the server
    /// does not know are left alone.
    /// - Returns: The cards that were in another state, as they are now; those that were deleted are `retired`.
    /// - Throws: `WalletError`; cards may have been left out.
    @discardableResult
    public func synchronize() throws(WalletError) -> [DigitalCard] {
        var changed: [DigitalCard] = []
        for var card in try wallet.cards {
            let state: DigitalCard.State
            do throws(CredentialError) {
                state = try server.state(of: card.id)
            } catch .unknownCard {
                continue
            } catch {
                throw .credentials(error)
            }
            guard card.state.canBecome(state),
                try wallet.bring(card.id, to: state, onlyFrom: card.state)
            else { continue }
            if state == .active {
                // The first keys may be missing as well; an app fetches them later where this fails.
                _ = try? ReplenishmentService(wallet: wallet).replenish(digitalCardID: card.id)
            }
            card.state = state
            changed.append(card)
        }
        return changed
    }

    /// Does what a message of the server asks for; one that comes twice, or too late, changes nothing.
    /// - Throws: `WalletError`, or what a replenishment runs into.
    public func receive(_ push: WalletPush) throws {
        switch push {
        case .replenishmentNeeded(let id):
            guard try wallet.cards.contains(where: { $0.id == id }) else { return }
            try ReplenishmentService(wallet: wallet).replenish(digitalCardID: id, isForced: true)
        case .stateChanged(let id, let state):
            guard let card = try wallet.cards.first(where: { $0.id == id }),
                card.state.canBecome(state)
            else { return }
            try wallet.bring(id, to: state)
        }
    }
}

/// A message that the server sends by itself; it may come twice, late, or in another order.
public enum WalletPush: Hashable, Sendable {
    /// A card should get new keys (`MG:ReplenishmentNeededNotification`).
    case replenishmentNeeded(DigitalCard.ID)
    /// A card's state is another now.
    case stateChanged(DigitalCard.ID, DigitalCard.State)
}
