public import EMVData
import IssuerHost
public import NFCWallet
import Profiles

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
                where tokens[index].stands(for: account, on: device)
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
        try? records.tokens().first { $0.stands(for: account, on: device) }
    }

    // MARK: What happens to the account behind

    /// Gives the account behind a card another number, as when the plastic card was replaced; its tokens stay, on all devices.
    /// - Returns: The cards of the account.
    /// - Throws: `CredentialError`; `.clientError` for a number that has tokens already, or is no account's.
    public func replaceAccount(
        of card: DigitalCard.ID,
        by account: PrimaryAccountNumber
    ) throws(CredentialError) -> [DigitalCard.ID] {
        guard host[account]?.status == .active else { throw .clientError }
        let cards: Result<[DigitalCard.ID], CredentialError>
        do {
            cards = try records.update { tokens in
                let live = tokens.indices.filter { tokens[$0].status != .deleted }
                guard
                    let old = live.first(where: { tokens[$0].card == card })
                        .map({ tokens[$0].account })
                else { return .failure(.unknownCard) }
                let moved = live.filter { tokens[$0].account == old }
                guard old != account else { return .success(moved.map { tokens[$0].card }) }
                let isTaken = live.contains {
                    tokens[$0].account != old && tokens[$0].stands(for: account)
                }
                guard !isTaken else { return .failure(.clientError) }
                for index in moved {
                    tokens[index].formerAccounts.append(old)
                    tokens[index].account = account
                }
                return .success(moved.map { tokens[$0].card })
            }
        } catch {
            throw .serverError
        }
        return try cards.get()
    }

    /// Lets the token of a card be good until another day.
    /// - Throws: `CredentialError`; `.clientError` for a day before the card begins.
    public func renew(
        _ card: DigitalCard.ID,
        until lastDay: TransactionDate
    ) throws(CredentialError) {
        let rules = rules
        try changeLive(card) { token -> CredentialError? in
            let profile = rules?.profile(token.account).flatMap { try? CardProfile(json: $0) }
            if let begin = profile?.applications.first?.effectiveDate, lastDay < begin {
                return .clientError
            }
            token.lastDay = lastDay
            return nil
        }
    }

    /// Lets the payment keys that were made for a card be good no more.
    /// - Throws: `CredentialError`.
    public func revokeKeys(of card: DigitalCard.ID) throws(CredentialError) {
        try changeLive(card) { token in
            token.revokedCounter = token.highestCounter
            return nil
        }
    }

    /// Changes the token of a card, unless it was deleted.
    private func changeLive(
        _ card: DigitalCard.ID,
        _ body: (inout Token) -> CredentialError?
    ) throws(CredentialError) {
        let problem: CredentialError?
        do throws(DigitizationError) {
            problem = try change(card) { token in
                token.status == .deleted ? .unknownCard : body(&token)
            }
        } catch {
            throw error == .unknownCardID ? .unknownCard : .serverError
        }
        if let problem { throw problem }
    }

    /// Numbers what is told of a card, across all programs that use the store.
    /// - Returns: One more than the last number.
    /// - Throws: `CredentialError`.
    public func nextEventNumber(
        of card: DigitalCard.ID,
        notBelow start: Int64
    ) throws(CredentialError) -> Int64 {
        do throws(DigitizationError) {
            return try change(card) { token in
                let number = (token.lastEventNumber ?? start) + 1
                token.lastEventNumber = number
                return number
            }
        } catch {
            throw error == .unknownCardID ? .unknownCard : .serverError
        }
    }

    /// The number an account had before its cards were replaced; its own where none was, or the store cannot be read.
    public func firstNumber(of account: PrimaryAccountNumber) -> PrimaryAccountNumber {
        let tokens = (try? records.tokens()) ?? []
        return tokens.lazy.filter { $0.stands(for: account) }
            .compactMap(\.formerAccounts.first).first ?? account
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
