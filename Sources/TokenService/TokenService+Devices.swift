public import EMVData
public import NFCWallet

extension TokenService: TokenServiceProvider {
    /// The token service as one device sees it.
    public func service(
        for device: DeviceIdentifier,
        reasons: Set<ReasonCode> = []
    ) -> any CardService {
        DeviceTokenService(tokens: self, requestor: Requestor(device: device, reasons: reasons))
    }

    /// Deletes the tokens of an account and a device for which the device has no card.
    /// - Throws: `DigitizationError.serverError` when the store fails.
    public func dropTokens(
        of account: PrimaryAccountNumber,
        on device: DeviceIdentifier,
        except cards: Set<DigitalCard.ID>
    ) throws(DigitizationError) {
        do {
            try records.update { tokens in
                for index in tokens.indices
                where tokens[index].account == account && tokens[index].device == device
                    && !cards.contains(tokens[index].card)
                {
                    tokens[index].status = .deleted
                }
            }
        } catch {
            throw .serverError
        }
    }

    /// The token that stands for an account on a device; nil where none does, or the store cannot be read.
    public func token(
        standingFor account: PrimaryAccountNumber,
        on device: DeviceIdentifier
    ) -> Token? {
        try? records.tokens().first {
            $0.account == account && $0.device == device && $0.status != .deleted
        }
    }
}

/// Who asks for a token.
struct Requestor: Sendable {
    /// Which wallet of the device asks; nil when nobody said.
    var wallet: WalletID?
    /// Which device it is for.
    var device = DeviceIdentifier(rawValue: "")
    /// Why the card is looked at twice.
    var reasons: Set<ReasonCode> = []
}

/// A card that may be put into a wallet.
struct DigitizationRequest: Sendable {
    var plastic: PlasticCard
    var requestor: Requestor
}

/// A token service whose tokens belong to one device.
private final class DeviceTokenService: CardService {
    private let tokens: TokenService
    private let requestor: Requestor

    init(tokens: TokenService, requestor: Requestor) {
        self.tokens = tokens
        self.requestor = requestor
    }

    func enroll() throws(CredentialError) { try tokens.enroll() }

    func checkEligibility(
        _ card: PlasticCard,
        for wallet: WalletID
    ) throws(DigitizationError) -> CardEligibility {
        var requestor = requestor
        requestor.wallet = wallet
        return try tokens.checkEligibility(card, for: requestor)
    }

    func digitize(_ eligibility: CardEligibility) throws(DigitizationError) -> DigitizationDecision
    {
        try tokens.digitize(eligibility)
    }

    func select(_ method: IDVMethod, for card: DigitalCard.ID) throws(DigitizationError) {
        try tokens.select(method, for: card)
    }

    func activate(_ card: DigitalCard.ID, code: String) throws(DigitizationError) {
        try tokens.activate(card, code: code)
    }

    func setState(_ state: DigitalCard.State, of card: DigitalCard.ID) throws(CredentialError) {
        try tokens.setState(state, of: card)
    }

    func state(of card: DigitalCard.ID) throws(CredentialError) -> DigitalCard.State {
        try tokens.state(of: card)
    }

    func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        try tokens.replenish(card, after: counter, count: count, deliver: deliver)
    }
}
