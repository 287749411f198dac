import CardEngine
import EMVCrypto
public import EMVData
public import IssuerHost
public import NFCWallet
public import Profiles
import SecureStore
import Synchronization

/// Knows which token stands for which account, and holds the keys of the tokens.
///
/// Wallets get payment keys from it, each good for one counter. Terminals' requests pass through it: those of tokens
/// it verifies itself and lets the issuer decide on the account behind; all others go to the issuer as they are.
public final class TokenService: AuthorizationHost {
    let host: IssuerHost
    let records: any TokenRecords
    let ranges: [IssuerProfile]
    /// Who gets cards into a wallet; nil where nobody does.
    let rules: DigitizationRules?
    /// Cards that may be put into a wallet, by request.
    let requests = Mutex<[String: DigitizationRequest]>([:])
    private let policy: KeyPolicy
    let now: @Sendable () -> Int64
    private let verifier: Mutex<CryptogramVerifier>

    /// Takes up the tokens that are kept.
    /// - Parameters:
    ///   - ranges: The keys of the tokens, by the account numbers they are for.
    ///   - host: The issuer of the accounts behind.
    ///   - records: Where the tokens are kept.
    ///   - rules: Who gets cards into a wallet; nil where nobody does.
    ///   - policy: How long and how often limited-use keys are good.
    ///   - now: The time, in seconds since 1970.
    public init(
        ranges: [IssuerProfile],
        host: IssuerHost,
        records: any TokenRecords = MemoryTokenRecords(),
        rules: DigitizationRules? = nil,
        policy: KeyPolicy = KeyPolicy(),
        now: @escaping @Sendable () -> Int64 = { WallClock.now }
    ) {
        precondition(policy.paymentCount >= 1)
        self.ranges = ranges
        self.host = host
        self.records = records
        self.rules = rules
        self.policy = policy
        self.now = now
        verifier = Mutex(CryptogramVerifier(issuers: ranges))
    }

    /// Answers a terminal's request; nil when neither a token nor an account is known here.
    public func authorize(_ message: AuthorizationRequest) -> AuthorizationResponse? {
        let number = try? PaymentRequest.accountNumber(in: message)
        let token: Token?
        do throws(SecureStoreError) {
            token = try records.tokens().first { $0.number == number }
        } catch {
            return AuthorizationResponse(
                Decision(.systemMalfunction, "the token service cannot read its store")
            )
        }
        guard let token else { return host.authorize(message) }
        do throws(PaymentRequestError) {
            return authorize(try PaymentRequest(message), by: token)
        } catch {
            return AuthorizationResponse(Decision(error))
        }
    }

    private func authorize(
        _ request: PaymentRequest,
        by token: Token
    ) -> AuthorizationResponse? {
        guard request.sequenceNumber == token.sequenceNumber else {
            return AuthorizationResponse(
                Decision(.invalidCardNumber, "the token has another sequence number")
            )
        }
        let verdict = verifier.withLock { verifier in
            verifier.issuer(of: token.number).map { verifier.verify(request, of: $0) }
        }
        switch verdict {
        case nil: return nil
        case .failure(let refusal): return AuthorizationResponse(refusal.decision)
        case .success(let cryptogram):
            let decision =
                recordCounter(of: request) ?? token.refusal(on: request.date)
                ?? token.refusal(of: request.counter)
                ?? spend(request, of: token) ?? decide(request, cryptogram.kind, token)
            return cryptogram.response(decision)
        }
    }

    /// Remembers the counter of a genuine request, in the records as well: a cryptogram is good once, however often the
    /// service is started anew.
    /// - Returns: Why the request is declined; nil when its counter is new.
    private func recordCounter(of request: PaymentRequest) -> Decision? {
        do throws(SecureStoreError) {
            let refusal = try records.update { tokens -> CounterHistory.Refusal? in
                guard let index = tokens.firstIndex(where: { $0.number == request.accountNumber })
                else { return nil }
                return tokens[index].usedCounters.record(request.counter)
            }
            return refusal?.decision(on: request.counter)
        } catch {
            return Decision(.systemMalfunction, "the token service cannot write its store")
        }
    }
}

// MARK: Limited-use keys

extension TokenService {
    /// Takes a payment off the sum of the limited-use key that made it.
    /// - Returns: Why the key was not good for it; nil when it was, or is none.
    private func spend(_ request: PaymentRequest, of token: Token) -> Decision? {
        guard token.version.usesLimitedUseKeys else { return nil }
        let now = now()
        return changeKey(of: request) { key in
            guard var changed = key else {
                return Decision(
                    .securityViolation,
                    "no limited-use key was made for counter \(request.counter)"
                )
            }
            guard now < changed.expirySeconds + Self.graceSeconds else {
                return Decision(.securityViolation, "the limited-use key had expired")
            }
            guard let limit = changed.amountLimitMinorUnits else { return nil }
            let left = limit - min(limit, changed.spentMinorUnits ?? 0)
            guard request.amount.minorUnits <= left else {
                return Decision(
                    .exceedsAmountLimit,
                    "\(request.amount) is more than is left of the limited-use key's sum"
                )
            }
            changed.spentMinorUnits = limit - left + request.amount.minorUnits
            key = changed
            return nil
        }
    }

    /// Lets the issuer decide; what it does not approve is put back to the key's sum.
    private func decide(
        _ request: PaymentRequest,
        _ kind: CryptogramKind,
        _ token: Token
    ) -> Decision {
        let decision = host.decide(request, kind, account: token.account)
        guard !decision.isApproved, token.version.usesLimitedUseKeys else { return decision }
        // A sum that is not put back is only smaller than it need be.
        _ = changeKey(of: request) { key in
            if let spent = key?.spentMinorUnits {
                key?.spentMinorUnits = spent - min(spent, request.amount.minorUnits)
            }
            return nil
        }
        return decision
    }

    /// Changes the limited-use key that made a request; nil where there is none.
    private func changeKey(
        of request: PaymentRequest,
        _ change: (inout Token.LimitedUseKey?) -> Decision?
    ) -> Decision? {
        let issuerData = request.message.value(.issuerApplicationData) ?? []
        let derivationData = issuerData.dropFirst(12).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        do throws(SecureStoreError) {
            return try records.update { tokens -> Decision? in
                guard let index = tokens.firstIndex(where: { $0.number == request.accountNumber })
                else { return nil }
                let keys = tokens[index].limitedUseKeys
                let position = keys.firstIndex {
                    $0.derivationData == derivationData && $0.counters.contains(request.counter)
                }
                var key = position.map { keys[$0] }
                let decision = change(&key)
                if let position, let key { tokens[index].limitedUseKeys[position] = key }
                return decision
            }
        } catch {
            return Decision(.systemMalfunction, "the token service cannot write its store")
        }
    }
}

// MARK: Tokens

extension TokenService {
    /// The token of a number; nil as well when the store cannot be read.
    public func token(_ number: PrimaryAccountNumber) -> Token? {
        try? records.tokens().first { $0.number == number }
    }

    /// The token of a digital card; nil as well when the store cannot be read.
    public func token(of card: DigitalCard.ID) -> Token? {
        try? records.tokens().first { $0.card == card }
    }

    /// The token that stands for an account; nil where none does, or the store cannot be read.
    public func token(standingFor account: PrimaryAccountNumber) -> Token? {
        try? records.tokens().first { $0.stands(for: account) && $0.status != .deleted }
    }

    /// Puts a token into service.
    /// - Throws: `TokenServiceError`.
    public func issue(_ token: Token) throws(TokenServiceError) {
        let isForeseeable =
            !token.version.isKeyedByUnpredictableNumber || token.version.usesLimitedUseKeys
        guard isForeseeable else { throw .keysNotForeseeable }
        let isOfRange = verifier.withLock { $0.issuer(of: token.number) != nil }
        guard isOfRange else { throw .unknownRange }
        let isNew = try update { tokens in
            guard !tokens.contains(where: { $0.number == token.number || $0.card == token.card })
            else { return false }
            tokens.append(token)
            return true
        }
        guard isNew else { throw .alreadyIssued }
    }

    /// Suspends, resumes or deletes the token of a card; a deleted one stays so.
    /// - Throws: `TokenServiceError.unknownToken` or `.store`.
    public func setStatus(
        _ status: Token.Status,
        of card: DigitalCard.ID
    ) throws(TokenServiceError) {
        let isKnown = try update { tokens in
            guard
                let index = tokens.firstIndex(where: {
                    $0.card == card && $0.status != .deleted
                })
            else { return false }
            tokens[index].status = status
            return true
        }
        guard isKnown else { throw .unknownToken }
    }

    /// Deletes the tokens of all wallets but one, as when that one takes the place of a wallet that was lost.
    /// - Parameters:
    ///   - wallet: The wallet that is left.
    ///   - device: Whose wallets are meant.
    ///   - cards: Cards that it has, whoever asked for them.
    /// - Throws: `TokenServiceError.store`.
    public func deleteTokens(
        ofWalletsOtherThan wallet: WalletID,
        on device: DeviceIdentifier = DeviceIdentifier(rawValue: ""),
        except cards: Set<DigitalCard.ID> = []
    ) throws(TokenServiceError) {
        try update { tokens in
            for index in tokens.indices
            where tokens[index].device == device
                && tokens[index].wallet.map({ $0 != wallet }) ?? false
                && !cards.contains(tokens[index].card)
            {
                tokens[index].status = .deleted
            }
        }
    }

    private func update<Value: Sendable>(
        _ change: (inout [Token]) -> Value
    ) throws(TokenServiceError) -> Value {
        do throws(SecureStoreError) {
            return try records.update(change)
        } catch {
            throw .store(error)
        }
    }
}

// MARK: Payment keys

extension TokenService: CredentialService {
    /// Makes the keys of the counters after `counter`, at most `count` of them; never one for the same counter twice.
    ///
    /// A Visa token of CVN 43 gets one limited-use key for all of them, or for as many as a key is good for. Tokens of
    /// CVN 10 and 17 have no keys but the card's own, which they get for each counter.
    public func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        let now = now()
        let granted: Result<Grant, CredentialError>
        do throws(SecureStoreError) {
            granted = try records.update { tokens in
                guard let index = tokens.firstIndex(where: { $0.card == card }) else {
                    return .failure(.unknownCard)
                }
                guard tokens[index].status == .active else { return .failure(.cardNotActive) }
                return self.grant(&tokens[index], after: counter, count, at: now)
            }
        } catch {
            throw .serverError
        }
        let grant = try granted.get()
        guard let counters = grant.counters,
            let range = verifier.withLock({ $0.issuer(of: grant.token.number) })
        else { return }
        let cardKey = range.masterKey.cardKey(
            pan: grant.token.number.digits,
            sequenceNumber: grant.token.sequenceNumber
        )
        for counter in counters {
            deliver(grant.key(of: counter, cardKey: cardKey, policy))
        }
    }

    /// What a wallet is to get.
    private struct Grant: Sendable {
        var token: Token
        /// The counters; nil when there are none left.
        var counters: ClosedRange<UInt16>?
        /// The limited-use key they share; nil where each has its own.
        var limited: (index: LimitedUseKeyIndex, expirySeconds: Int64)?

        func key(
            of counter: UInt16,
            cardKey: borrowing DoubleLengthKey,
            _ policy: KeyPolicy
        ) -> IssuedKey {
            guard let limited, let counters else {
                let key = token.version.sessionKey(
                    cardKey: cardKey,
                    counter: counter,
                    unpredictableNumber: 0
                )
                return IssuedKey(PaymentKey(transactionCounter: counter, cryptogramKey: key))
            }
            var cipher = TripleDES(key: cardKey)
            return IssuedKey(
                PaymentKey(
                    transactionCounter: counter,
                    cryptogramKey: cipher.limitedUseKey(limited.index),
                    derivationData: limited.index.derivationData
                ),
                terms: .limitedUse(
                    from: counters.lowerBound,
                    expirySeconds: limited.expirySeconds,
                    amountLimitMinorUnits: policy.amountLimitMinorUnits
                )
            )
        }
    }

    /// Sets counters aside for a token.
    private func grant(
        _ token: inout Token,
        after counter: UInt16,
        _ count: Int,
        at now: Int64
    ) -> Result<Grant, CredentialError> {
        let isLimited = token.version.usesLimitedUseKeys
        let count = isLimited ? min(count, policy.paymentCount) : count
        let start = max(counter, token.highestCounter)
        let end = UInt16(min(Int(start) + max(0, count), Int(UInt16.max)))
        guard start < end else { return .success(Grant(token: token)) }
        let isAllowed = policy.maximumReplenishmentCount.map { token.replenishmentCount < $0 }
        guard isAllowed ?? true else { return .failure(.replenishmentLimitReached) }
        let counters = start + 1...end
        guard isLimited else {
            token.highestCounter = end
            token.replenishmentCount += 1
            return .success(Grant(token: token, counters: counters))
        }
        token.limitedUseKeys.removeAll { $0.expirySeconds + Self.graceSeconds <= now }
        guard let index = freeIndex(token, at: now) else { return .failure(.serverError) }
        token.highestCounter = end
        token.replenishmentCount += 1
        let expiry = now + policy.lifetimeSeconds
        token.limitedUseKeys.append(
            Token.LimitedUseKey(
                derivationData: index.derivationData,
                counters: counters,
                expirySeconds: expiry,
                amountLimitMinorUnits: policy.amountLimitMinorUnits
            )
        )
        return .success(Grant(token: token, counters: counters, limited: (index, expiry)))
    }

    /// How long a payment may be under way after its key has expired, in seconds.
    fileprivate static var graceSeconds: Int64 { 24 * 60 * 60 }

    /// What a limited-use key can be derived for now, which no other key of the token is.
    private func freeIndex(_ token: Token, at now: Int64) -> LimitedUseKeyIndex? {
        let (year, hour) = hourOfYear(now)
        for counter in 0...99 {
            guard let index = LimitedUseKeyIndex(year: year, hour: hour, counter: counter),
                !token.limitedUseKeys.contains(where: {
                    $0.derivationData == index.derivationData
                })
            else { continue }
            return index
        }
        return nil
    }
}

extension Token {
    /// Why nothing is paid with the key of a counter; nil when it may be.
    fileprivate func refusal(of counter: UInt16) -> Decision? {
        guard counter <= revokedCounter else { return nil }
        return Decision(.securityViolation, "the payment key of counter \(counter) was revoked")
    }

    /// Why the token pays nothing on a day; nil when it may.
    fileprivate func refusal(on date: TransactionDate) -> Decision? {
        switch status {
        case .active: break
        case .suspended: return Decision(.restrictedCard, "the token is suspended")
        case .inactive: return Decision(.restrictedCard, "the token is not activated yet")
        case .deleted: return Decision(.invalidCardNumber, "the token was deleted")
        }
        guard date <= lastDay else {
            return Decision(.expiredCard, "the token was good until \(lastDay)")
        }
        return nil
    }
}
