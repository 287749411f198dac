import EMVCrypto
import EMVData
import IssuerHost
public import NFCWallet
import Octets
import Profiles
import Synchronization

extension TokenService: CardService {
    /// How often a code may be typed in.
    private static let maximumAttempts = 3

    /// Makes the wallet known; any wallet is welcome.
    public func enroll() throws(CredentialError) {}

    /// Finds out whether a card may be put into a wallet.
    /// - Throws: `DigitizationError`.
    public func checkEligibility(
        _ card: PlasticCard,
        for wallet: WalletID
    ) throws(DigitizationError) -> CardEligibility {
        try checkEligibility(card, for: Requestor(wallet: wallet))
    }

    func checkEligibility(
        _ card: PlasticCard,
        for requestor: Requestor
    ) throws(DigitizationError) -> CardEligibility {
        guard let account = host[card.number] else {
            let isOfRange = ranges.contains { $0.issues(card.number.digits) }
            throw isOfRange ? .fpanNotEligible : .unknownBIN
        }
        guard account.status == .active, let rules, rules.profile(card.number) != nil else {
            throw .fpanNotEligible
        }
        let isSameMonth =
            account.lastDay.year == card.lastDay.year && account.lastDay.month == card.lastDay.month
        guard isSameMonth else { throw .incorrectCVV }
        if let expected = rules.verificationValue(card.number), card.verificationValue != expected {
            throw .incorrectCVV
        }
        let existing = try token(standingFor: card.number, with: requestor)
        let isReplaced = try isReplaced(card.number)
        guard existing != nil || !isReplaced else { throw .fpanNotEligible }
        let requestID = "request-" + rules.random().hexText
        requests.withLock {
            $0[requestID] = DigitizationRequest(plastic: card, requestor: requestor)
        }
        return CardEligibility(
            requestID: requestID,
            termsAndConditions: rules.termsAndConditions,
            existingCard: existing?.card
        )
    }

    /// The token a wallet has got for an account on its device; nil when it has got none.
    /// - Throws: `DigitizationError.cardAlreadyProvisionedInWallet` when another wallet there has got one.
    private func token(
        standingFor account: PrimaryAccountNumber,
        with requestor: Requestor
    ) throws(DigitizationError) -> Token? {
        let tokens: [Token]
        do { tokens = try records.tokens() } catch { throw .serverError }
        guard let token = tokens.first(where: { $0.stands(for: account, on: requestor.device) })
        else { return nil }
        guard token.belongs(to: requestor.wallet) else { throw .cardAlreadyProvisionedInWallet }
        return token
    }

    /// Whether an account has another number now.
    private func isReplaced(
        _ account: PrimaryAccountNumber
    ) throws(DigitizationError) -> Bool {
        do {
            return try records.tokens().contains {
                $0.account != account && $0.formerAccounts.contains(account)
            }
        } catch {
            throw .serverError
        }
    }

    /// Decides on a card, and makes a token for it unless the decision is red; a wallet that has got one gets it again.
    /// - Throws: `DigitizationError`.
    public func digitize(
        _ eligibility: CardEligibility
    ) throws(DigitizationError) -> DigitizationDecision {
        // A request is answered once.
        guard let rules,
            let request = requests.withLock({ $0.removeValue(forKey: eligibility.requestID) })
        else { throw .clientError }
        let plastic = request.plastic
        let token: Token
        if let existing = try self.token(standingFor: plastic.number, with: request.requestor) {
            token = existing
        } else {
            let weighed = try rules.weigh?(plastic, request.requestor.reasons)
            let colour = weighed ?? rules.decide(plastic)
            guard colour != .red else { return DigitizationDecision(colour: .red, card: nil) }
            token = try makeToken(request, rules, colour)
        }
        let colour = token.colour
        let contents = CardData(
            profile: rules.profile(plastic.number) ?? [],
            number: token.number,
            sequenceNumber: token.sequenceNumber,
            lastDay: token.lastDay,
            usesLimitedUseKeys: token.version.usesLimitedUseKeys
        )
        let label = (try? contents.personalization())?.profile.applications[0].label ?? ""
        let methods = colour == .yellow ? rules.methods : [.customerService]
        return DigitizationDecision(
            colour: colour,
            card: DigitalCard(
                id: token.card,
                label: label,
                state: DigitalCard.State(token.status),
                contents: contents
            ),
            methods: colour == .green ? [] : methods
        )
    }

    private func makeToken(
        _ request: DigitizationRequest,
        _ rules: DigitizationRules,
        _ colour: DigitizationDecision.Colour
    ) throws(DigitizationError) -> Token {
        let plastic = request.plastic
        guard let account = host[plastic.number], let text = rules.profile(plastic.number),
            let application = (try? CardProfile(json: text))?.applications.first,
            let range = ranges.first(where: { $0.scheme == application.scheme })
        else { throw .fpanNotEligible }
        let isLimited = rules.usesLimitedUseKeys && application.scheme == .visa
        let version = isLimited ? ApplicationCryptogram.visaCVN43 : application.cryptogram
        let card = DigitalCard.ID(rawValue: "card-" + rules.random().hexText)
        let result: Result<Token, DigitizationError>
        do {
            result = try records.update { tokens in
                // Another program of the same wallet may have been faster.
                let (device, wallet) = (request.requestor.device, request.requestor.wallet)
                if let existing = tokens.first(where: { $0.stands(for: plastic.number, on: device) }
                ) {
                    return existing.belongs(to: wallet)
                        ? .success(existing) : .failure(.cardAlreadyProvisionedInWallet)
                }
                guard let number = self.freeNumber(range, tokens) else {
                    return .failure(.serverError)
                }
                var token = Token(
                    number: number,
                    sequenceNumber: 1,
                    lastDay: account.lastDay,
                    version: version,
                    account: plastic.number,
                    card: card
                )
                token.device = request.requestor.device
                token.status = colour == .green ? .active : .inactive
                token.isActivatedByIssuer = colour == .orange
                token.wallet = request.requestor.wallet
                tokens.append(token)
                return .success(token)
            }
        } catch {
            throw .serverError
        }
        return try result.get()
    }

    /// The first number of a range that no token, not even a deleted one, and no account has.
    private func freeNumber(_ range: IssuerProfile, _ tokens: [Token]) -> PrimaryAccountNumber? {
        let length = 16
        let serialCount = length - 1 - range.identificationNumber.count
        // Tokens stand in the upper half, away from the accounts that people make up for tests.
        for serial in 0..<10_000 {
            let text = String(serial)
            let zeros = String(repeating: "0", count: max(0, serialCount - 1 - text.count))
            guard let digits = PackedDigits.digits(of: "9" + zeros + text) else { return nil }
            for check in 0...9 as ClosedRange<UInt8> {
                let all = range.identificationNumber + digits + [check]
                guard let number = PrimaryAccountNumber(digits: all), number.hasValidCheckDigit
                else { continue }
                if host[number] == nil, !tokens.contains(where: { $0.number == number }) {
                    return number
                }
            }
        }
        return nil
    }

    // MARK: Who the user is

    /// Sends the user a code, or has somebody ask him.
    /// - Throws: `DigitizationError`.
    public func select(
        _ method: IDVMethod,
        for card: DigitalCard.ID
    ) throws(DigitizationError) {
        guard let rules else { throw .clientError }
        let isCode = method == .otpBySMS || method == .otpByEmail
        let digits = String(rules.random() % 1_000_000)
        let code = String(repeating: "0", count: 6 - digits.count) + digits
        let expiry = now() + rules.codeLifetimeSeconds
        let problem = try change(card) { token -> DigitizationError? in
            guard token.status == .inactive else { return .unknownCardID }
            guard !(isCode && token.isActivatedByIssuer) else { return .clientError }
            token.activation = Token.Activation(
                code: isCode ? code : "",
                attemptsLeft: Self.maximumAttempts,
                expirySeconds: isCode ? expiry : nil
            )
            return nil
        }
        if let problem { throw problem }
        if isCode { rules.deliverCode(method, code) }
    }

    /// Checks the code that came to the user; after three wrong ones, or too late, a new one must be asked for.
    ///
    /// The one that was right is right again: the first answer may have been lost on its way.
    /// - Throws: `DigitizationError`: `.invalidInput` with the tries that are left, `.codeNotRequested` or `.codeExpired`.
    public func activate(
        _ card: DigitalCard.ID,
        code: String
    ) throws(DigitizationError) {
        let now = now()
        let problem = try change(card) { token -> DigitizationError? in
            if token.status == .active, token.activation?.code == code { return nil }
            guard token.status == .inactive else { return .unknownCardID }
            guard var activation = token.activation else { return .codeNotRequested }
            guard activation.attemptsLeft > 0 else { return .invalidInput(attemptsLeft: 0) }
            guard activation.expirySeconds.map({ now < $0 }) ?? true else { return .codeExpired }
            guard activation.code == code else {
                activation.attemptsLeft -= 1
                token.activation = activation
                return .invalidInput(attemptsLeft: activation.attemptsLeft)
            }
            token.status = .active
            return nil
        }
        if let problem { throw problem }
    }

    /// Changes the token of a card.
    func change<Value: Sendable>(
        _ card: DigitalCard.ID,
        _ body: (inout Token) -> Value
    ) throws(DigitizationError) -> Value {
        let value: Value?
        do {
            value = try records.update { tokens in
                tokens.firstIndex { $0.card == card }.map { body(&tokens[$0]) }
            }
        } catch {
            throw .serverError
        }
        guard let value else { throw .unknownCardID }
        return value
    }

    /// The state of a card's token.
    /// - Throws: `CredentialError`.
    public func state(of card: DigitalCard.ID) throws(CredentialError) -> DigitalCard.State {
        let token: Token?
        do {
            token = try records.tokens().first { $0.card == card }
        } catch {
            throw .serverError
        }
        guard let token else { throw .unknownCard }
        return DigitalCard.State(token.status)
    }

    /// Suspends, resumes or deletes the token of a card.
    /// - Throws: `CredentialError`.
    public func setState(
        _ state: DigitalCard.State,
        of card: DigitalCard.ID
    ) throws(CredentialError) {
        let status: Token.Status
        switch state {
        case .active: status = .active
        case .suspended: status = .suspended
        case .retired: status = .deleted
        case .unknown, .inactive: throw .clientError
        }
        let problem: CredentialError?
        do throws(DigitizationError) {
            problem = try change(card) { token -> CredentialError? in
                guard token.status != .deleted else { return .unknownCard }
                // Who suspends and resumes a token must not spare its user to prove who he is.
                guard token.status != .inactive || status == .deleted else { return .cardNotActive }
                token.status = status
                return nil
            }
        } catch {
            throw error == .unknownCardID ? .unknownCard : .serverError
        }
        if let problem { throw problem }
    }
}

extension Token {
    /// Whether a wallet may have got the token; of one that an older program issued nobody knows.
    fileprivate func belongs(to wallet: WalletID?) -> Bool {
        self.wallet.map { $0 == wallet } ?? true
    }

    /// What was decided on the card.
    fileprivate var colour: DigitizationDecision.Colour {
        guard status == .inactive else { return .green }
        return isActivatedByIssuer ? .orange : .yellow
    }
}

extension DigitalCard.State {
    /// The state of a card whose token has a status.
    fileprivate init(_ status: Token.Status) {
        self =
            switch status {
            case .active: .active
            case .suspended: .suspended
            case .deleted: .retired
            case .inactive: .inactive
            }
    }
}

extension UInt64 {
    /// Sixteen hexadecimal digits.
    fileprivate var hexText: String {
        let text = String(self, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
