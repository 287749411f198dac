public import EMVData
public import NFCWallet

/// Where a device keeps cards and payment keys.
public protocol SecureElement: AnyObject, Sendable {
    /// The cards that are in it, and whether they may pay.
    /// - Throws: `ProvisioningError.store`.
    func cards() throws(ProvisioningError) -> [DigitalCard.ID: DigitalCard.State]
    /// Takes a card in; one that is there stays as it is.
    /// - Throws: `ProvisioningError.store`.
    func install(_ card: DigitalCard) throws(ProvisioningError)
    /// Changes whether a card may pay, through the lawful states on the way; a card that is gone stays so.
    /// - Throws: `ProvisioningError.store`.
    func setState(_ state: DigitalCard.State, of card: DigitalCard.ID) throws(ProvisioningError)
    /// Lets a card be good until another day; one that is gone stays so.
    /// - Throws: `ProvisioningError.store`.
    func renew(_ card: DigitalCard.ID, until lastDay: TransactionDate) throws(ProvisioningError)
    /// Whether few payment keys are left of a card that is there.
    func needsKeys(_ card: DigitalCard.ID) -> Bool
    /// Fetches payment keys where few are left; without the network there are just none.
    func fetchKeys(of card: DigitalCard.ID)
    /// Drops the payment keys of a card.
    /// - Throws: `ProvisioningError.store`.
    func dropKeys(of card: DigitalCard.ID) throws(ProvisioningError)
    /// Drops all cards and keys.
    /// - Throws: `ProvisioningError.store`.
    func wipe() throws(ProvisioningError)
}

/// A secure element that is a wallet: what is in it pays at a terminal.
public final class SimulatedSecureElement: SecureElement {
    /// The wallet.
    public let wallet: Wallet
    private let server: any CardService

    /// Keeps cards and keys in a wallet.
    /// - Parameters:
    ///   - wallet: The wallet.
    ///   - server: Where the wallet is made known before it gets its first card.
    public init(_ wallet: Wallet, server: any CardService) {
        self.wallet = wallet
        self.server = server
    }

    /// The cards that are in it, and whether they may pay.
    /// - Throws: `ProvisioningError.store`.
    public func cards() throws(ProvisioningError) -> [DigitalCard.ID: DigitalCard.State] {
        do throws(WalletError) {
            return Dictionary(
                try wallet.cards.map { ($0.id, $0.state) },
                uniquingKeysWith: { first, _ in first }
            )
        } catch {
            throw .store
        }
    }

    /// Takes a card in; one that is there stays as it is.
    /// - Throws: `ProvisioningError.store`.
    public func install(_ card: DigitalCard) throws(ProvisioningError) {
        guard try cards()[card.id] == nil else { return }
        do throws(WalletError) {
            if try !wallet.isEnrolled {
                _ = WalletSecureEnrollmentService(wallet: wallet, server: server).enroll()
            }
            try wallet.add(card)
            if try wallet.defaultCard == nil { try wallet.setDefaultCard(card.id) }
        } catch {
            throw .store
        }
    }

    /// Changes whether a card may pay, through the lawful states on the way; a card that is gone stays so.
    /// - Throws: `ProvisioningError.store`.
    public func setState(
        _ state: DigitalCard.State,
        of card: DigitalCard.ID
    ) throws(ProvisioningError) {
        guard let current = try cards()[card], current != state else { return }
        let steps: [DigitalCard.State] =
            current == .inactive && state == .suspended ? [.active, .suspended] : [state]
        for step in steps where current.canBecome(state) || steps.count > 1 {
            do throws(WalletError) {
                try wallet.setState(step, of: card)
            } catch {
                // Another program may have been faster: one that opens the wallet finishes what it finds.
                guard try cards()[card] ?? .retired == step else { throw .store }
            }
        }
    }

    /// Lets a card be good until another day; one that is gone stays so.
    /// - Throws: `ProvisioningError.store`.
    public func renew(
        _ card: DigitalCard.ID,
        until lastDay: TransactionDate
    ) throws(ProvisioningError) {
        do throws(WalletError) {
            try wallet.renew(card, until: lastDay)
        } catch .unknownCard {
            return
        } catch {
            throw .store
        }
    }

    /// Whether few payment keys are left of a card that is there.
    public func needsKeys(_ card: DigitalCard.ID) -> Bool {
        (try? wallet.paymentKeyInfo(of: card).needsReplenishment) ?? false
    }

    /// Fetches payment keys where few are left; without the network there are just none.
    public func fetchKeys(of card: DigitalCard.ID) {
        _ = try? ReplenishmentService(wallet: wallet).replenish(digitalCardID: card)
    }

    /// Drops the payment keys of a card.
    /// - Throws: `ProvisioningError.store`.
    public func dropKeys(of card: DigitalCard.ID) throws(ProvisioningError) {
        do throws(WalletError) {
            try wallet.dropKeys(of: card)
        } catch {
            throw .store
        }
    }

    /// Drops all cards and keys.
    /// - Throws: `ProvisioningError.store`.
    public func wipe() throws(ProvisioningError) {
        do throws(WalletError) {
            try wallet.wipe()
        } catch {
            throw .store
        }
    }
}
