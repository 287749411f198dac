public import EMVData

/// The server side of a wallet that gets its cards from it.
public protocol CardService: CredentialService {
    /// Makes the wallet known.
    /// - Throws: `CredentialError`.
    func enroll() throws(CredentialError)
    /// Finds out whether a card may be put into the wallet.
    /// - Throws: `DigitizationError`.
    func checkEligibility(
        _ card: PlasticCard,
        for wallet: WalletID
    ) throws(DigitizationError) -> CardEligibility
    /// Decides on a card, and makes a token for it unless it declines.
    ///
    /// A wallet that asks again for the same account gets the card it got before, until that is deleted: the first answer may
    /// have been lost on its way.
    /// - Throws: `DigitizationError`.
    func digitize(_ eligibility: CardEligibility) throws(DigitizationError) -> DigitizationDecision
    /// Sends the user a code, or has somebody ask him.
    /// - Throws: `DigitizationError`.
    func select(_ method: IDVMethod, for card: DigitalCard.ID) throws(DigitizationError)
    /// Checks the code that came to the user; the one that was right is right again.
    /// - Throws: `DigitizationError`: `.invalidInput` with the tries that are left, `.codeNotRequested` or `.codeExpired`.
    func activate(_ card: DigitalCard.ID, code: String) throws(DigitizationError)
    /// Suspends, resumes or deletes a token.
    /// - Throws: `CredentialError`.
    func setState(_ state: DigitalCard.State, of card: DigitalCard.ID) throws(CredentialError)
    /// The state the server has a card in.
    /// - Throws: `CredentialError`.
    func state(of card: DigitalCard.ID) throws(CredentialError) -> DigitalCard.State
}

/// What the user reads off the card in his hand.
public struct PlasticCard: Hashable, Sendable {
    /// The account number.
    public var number: PrimaryAccountNumber
    /// The year and month it is good until.
    public var lastDay: TransactionDate
    /// The three digits on its back (CVC2, CVV2); nil when they were not asked for.
    public var verificationValue: String?

    /// Collects the parts.
    public init(
        number: PrimaryAccountNumber,
        lastDay: TransactionDate,
        verificationValue: String? = nil
    ) {
        self.number = number
        self.lastDay = lastDay
        self.verificationValue = verificationValue
    }
}

/// A card that may be put into the wallet, once its terms are accepted.
public struct CardEligibility: Hashable, Sendable {
    /// Names the request at the server.
    public var requestID: String
    /// What the user has to accept.
    public var termsAndConditions: String
    /// The card the wallet got when it asked for this account before; nil when it has not.
    public var existingCard: DigitalCard.ID?

    /// Collects the parts.
    public init(
        requestID: String,
        termsAndConditions: String,
        existingCard: DigitalCard.ID? = nil
    ) {
        self.requestID = requestID
        self.termsAndConditions = termsAndConditions
        self.existingCard = existingCard
    }
}

/// A way to find out whether the user is the card's owner.
public enum IDVMethod: String, Hashable, Sendable, CaseIterable {
    /// A code in a text message.
    case otpBySMS
    /// A code in an e-mail.
    case otpByEmail
    /// A call to the issuer.
    case customerService
    /// The issuer's web page.
    case webService
    /// The issuer's app.
    case appToApp
}

/// What the server decided on a card.
public struct DigitizationDecision: Hashable, Sendable {
    /// The decision by its usual name.
    public enum Colour: String, Hashable, Sendable {
        /// The card may pay at once.
        case green
        /// It may once its user has proved to be its owner.
        case yellow
        /// As yellow, but only by the issuer's own people.
        case orange
        /// It may not.
        case red
    }

    /// The decision.
    public var colour: Colour
    /// The card; nil when it was declined.
    public var card: DigitalCard?
    /// The ways to prove who the user is.
    public var methods: [IDVMethod]

    /// Collects the parts.
    public init(colour: Colour, card: DigitalCard?, methods: [IDVMethod] = []) {
        self.colour = colour
        self.card = card
        self.methods = methods
    }
}

/// Why a card does not get into the wallet.
public enum DigitizationError: Error, Hashable, Sendable {
    /// The server cannot be reached.
    case networkError
    /// The server failed.
    case serverError
    /// The request was wrong.
    case clientError
    /// The issuer does not take part with this account.
    case fpanNotEligible
    /// The wallet has a token of the account already.
    case cardAlreadyProvisionedInWallet
    /// No issuer has account numbers like this one.
    case unknownBIN
    /// The server has no such card.
    case unknownCardID
    /// The digits on the card's back, or its expiry, are wrong.
    case incorrectCVV
    /// The terms were not accepted.
    case termsNotAccepted
    /// The code is wrong; so many tries are left.
    case invalidInput(attemptsLeft: Int)
    /// No code was asked for.
    case codeNotRequested
    /// The code is good no more; a new one must be asked for.
    case codeExpired
    /// The wallet is not enrolled.
    case missingWalletSecureEnrollment
    /// The wallet cannot keep the card.
    case store
}
