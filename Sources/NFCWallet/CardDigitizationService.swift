/// Puts cards into a wallet.
public struct CardDigitizationService: Sendable {
    /// How far a card has come.
    public enum State: Hashable, Sendable {
        /// The card is in the wallet and pays.
        case digitizationApproved(DigitalCard.ID)
        /// The card is in the wallet and pays once its user has proved to be its owner, in one of these ways.
        case digitizationApprovedWithIDV(DigitalCard.ID, [IDVMethod])
        /// The card does not get into the wallet.
        case digitizationDeclined
    }

    private let wallet: Wallet
    private let server: any CardService

    /// Serves a wallet.
    public init(wallet: Wallet = .shared, server: any CardService) {
        self.wallet = wallet
        self.server = server
    }

    /// Finds out whether a card may be put into the wallet.
    /// - Throws: `DigitizationError`.
    public func checkEligibility(
        _ card: PlasticCard
    ) throws(DigitizationError) -> CardEligibility {
        let contents: WalletContents
        let walletID: WalletID
        do throws(WalletError) {
            contents = try wallet.contents
            walletID = try wallet.walletID
        } catch {
            throw .store
        }
        guard contents.isEnrolled else { throw .missingWalletSecureEnrollment }
        let eligibility = try server.checkEligibility(card, for: walletID)
        if let existing = eligibility.existingCard, contents.index(of: existing) != nil {
            throw .cardAlreadyProvisionedInWallet
        }
        return eligibility
    }

    /// Puts a card into the wallet, unless the server declines.
    ///
    /// Where this is broken off, or two programs do it at once, the server has one token for the account; who asks again gets
    /// that one, and only one of them puts it into the wallet. The first card becomes the default one. Keys that cannot be fetched at once are fetched by `ReplenishmentService`.
    /// - Parameters:
    ///   - eligibility: What the server said to the card.
    ///   - acceptsTerms: Whether the user has accepted the terms.
    /// - Returns: How far the card has come.
    /// - Throws: `DigitizationError`; the wallet is as it was.
    public func digitizeCard(
        _ eligibility: CardEligibility,
        acceptsTerms: Bool
    ) throws(DigitizationError) -> State {
        guard acceptsTerms else { throw .termsNotAccepted }
        let decision = try server.digitize(eligibility)
        guard let card = decision.card, decision.colour != .red else {
            return .digitizationDeclined
        }
        let isNew: Bool
        do throws(WalletError) {
            isNew = try wallet.adopt(card)
        } catch {
            throw .store
        }
        guard isNew else { throw .cardAlreadyProvisionedInWallet }
        guard decision.colour == .green else {
            return .digitizationApprovedWithIDV(card.id, decision.methods)
        }
        fetchKeys(card.id)
        return .digitizationApproved(card.id)
    }

    /// Has a code sent to the user, or somebody ask him.
    /// - Throws: `DigitizationError`.
    public func select(
        _ method: IDVMethod,
        for card: DigitalCard.ID
    ) throws(DigitizationError) -> PendingCardActivation {
        try server.select(method, for: card)
        let needsOTP = method == .otpBySMS || method == .otpByEmail
        return PendingCardActivation(cardID: card, needsOTP: needsOTP, service: self)
    }

    /// Activates a card with the code that came to the user; it then pays.
    /// - Throws: `DigitizationError`: `.invalidInput` with the tries that are left, `.codeNotRequested` or `.codeExpired`.
    public func activate(_ card: DigitalCard.ID, code: String) throws(DigitizationError) {
        try server.activate(card, code: code)
        do throws(WalletError) {
            try wallet.bring(card, to: .active)
        } catch {
            throw .store
        }
        fetchKeys(card)
    }

    /// Fetches the first keys; without them the card says `noPaymentKeys` and the app replenishes it.
    private func fetchKeys(_ card: DigitalCard.ID) {
        _ = try? ReplenishmentService(wallet: wallet).replenish(digitalCardID: card)
    }
}

/// A card that waits for its user to prove who he is.
public struct PendingCardActivation: Sendable {
    /// The card.
    public let cardID: DigitalCard.ID
    /// Whether a code comes to the user, to be typed in.
    public let needsOTP: Bool
    let service: CardDigitizationService

    /// Activates the card.
    /// - Parameter otp: The code; empty when the issuer has been told otherwise who the user is.
    /// - Throws: `DigitizationError`: `.invalidInput` with the tries that are left, or `.codeExpired`.
    public func activate(otp: String = "") throws(DigitizationError) {
        try service.activate(cardID, code: otp)
    }
}
