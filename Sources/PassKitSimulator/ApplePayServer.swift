public import NFCWallet

/// The Apple Pay server, as a device's Wallet sees it.
public protocol ApplePayServer: AnyObject, Sendable {
    /// What the user has to type in, beside the account number.
    /// - Throws: `ProvisioningError`.
    func requiredFields() throws(ProvisioningError) -> [String]
    /// Sends what a card is encrypted for.
    /// - Throws: `ProvisioningError`.
    func challenge(
        _ scheme: PKEncryptionScheme,
        for device: DeviceIdentifier
    ) throws(ProvisioningError) -> ProvisioningChallenge
    /// Finds out whether a card may be added.
    /// - Throws: `ProvisioningError`.
    func checkCard(
        _ card: CardSubmission,
        from device: DeviceReport
    ) throws(ProvisioningError) -> CardCheck
    /// Has a token made for a card that was checked.
    /// - Throws: `ProvisioningError`; `.declined` for red.
    func linkAndProvision(
        _ requestID: String,
        acceptsTerms: Bool
    ) throws(ProvisioningError) -> ProvisionedCard
    /// Has the issuer send the user a code, or ask him.
    /// - Throws: `ProvisioningError`.
    func sendCode(_ method: IDVMethod, for card: DigitalCard.ID) throws(ProvisioningError)
    /// Checks the code that came to the user.
    /// - Throws: `ProvisioningError`.
    func activate(_ card: DigitalCard.ID, code: String) throws(ProvisioningError)
}

/// A card that is to be added.
public enum CardSubmission: Hashable, Sendable {
    /// The user has typed it in.
    case typed(PlasticCard, cardholderName: String)
    /// The issuer has encrypted it.
    case encrypted(PassRequest, PKEncryptionScheme)
}

/// What a device tells about itself when a card is to be added to it.
public struct DeviceReport: Hashable, Sendable {
    /// Which it is.
    public var device: DeviceIdentifier
    /// The cards in its secure element.
    public var cards: Set<DigitalCard.ID>
    /// Why the card should be looked at twice.
    public var reasons: Set<ReasonCode>

    /// Collects the parts.
    public init(
        device: DeviceIdentifier,
        cards: Set<DigitalCard.ID>,
        reasons: Set<ReasonCode> = []
    ) {
        self.device = device
        self.cards = cards
        self.reasons = reasons
    }
}

/// A card that may be added once its terms are accepted.
public struct CardCheck: Hashable, Sendable {
    /// Names the request.
    public var requestID: String
    /// What the user has to accept.
    public var termsAndConditions: String
    /// What the provider recommends to the issuer.
    public var recommendation: DigitizationDecision.Colour
}

/// A card with its token, for one device.
public struct ProvisionedCard: Hashable, Sendable {
    /// What goes into the secure element.
    public var card: DigitalCard
    /// What was decided.
    public var colour: DigitizationDecision.Colour
    /// The ways for the user to prove who he is.
    public var methods: [IDVMethod]
    /// Names the account on all devices.
    public var primaryAccountIdentifier: String
    /// The last four digits of the account number.
    public var primaryAccountSuffix: String
    /// The apps that may see the pass.
    public var associatedApplicationIdentifiers: [String]
}
