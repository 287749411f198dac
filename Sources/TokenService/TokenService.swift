import CardEngine
import EMVCrypto
public import EMVData
public import IssuerHost
public import NFCWallet
public import Profiles
import Synchronization

/// Knows which token stands for which account, and holds the keys of the tokens.
///
/// Wallets get payment keys from it, each good for one counter. Terminals' requests pass through it: those of tokens
/// it verifies itself and lets the issuer decide on the account behind; all others go to the issuer as they are.
public final class TokenService: AuthorizationHost {
    private let host: IssuerHost
    private let vault: Mutex<Vault>

    private struct Vault {
        var verifier: CryptogramVerifier
        var tokens: [PrimaryAccountNumber: Token] = [:]
        var numbers: [DigitalCard.ID: PrimaryAccountNumber] = [:]
    }

    /// Starts without tokens.
    /// - Parameters:
    ///   - ranges: The keys of the tokens, by the account numbers they are for.
    ///   - host: The issuer of the accounts behind.
    public init(ranges: [IssuerProfile], host: IssuerHost) {
        self.host = host
        vault = Mutex(Vault(verifier: CryptogramVerifier(issuers: ranges)))
    }

    /// Answers a terminal's request; nil when neither a token nor an account is known here.
    public func authorize(_ message: AuthorizationRequest) -> AuthorizationResponse? {
        let number = try? PaymentRequest.accountNumber(in: message)
        guard let number, let token = token(number) else { return host.authorize(message) }
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
        let verdict = vault.withLock { vault in
            vault.verifier.issuer(of: token.number).map { vault.verifier.verify(request, of: $0) }
        }
        switch verdict {
        case nil: return nil
        case .failure(let refusal): return AuthorizationResponse(refusal.decision)
        case .success(let cryptogram):
            let decision =
                token.refusal(on: request.date)
                ?? host.decide(request, cryptogram.kind, account: token.account)
            return cryptogram.response(decision)
        }
    }
}

// MARK: Tokens

extension TokenService {
    /// The token of a number.
    public func token(_ number: PrimaryAccountNumber) -> Token? {
        vault.withLock { $0.tokens[number] }
    }

    /// The token of a digital card.
    public func token(of card: DigitalCard.ID) -> Token? {
        vault.withLock { vault in vault.numbers[card].flatMap { vault.tokens[$0] } }
    }

    /// Puts a token into service.
    /// - Throws: `TokenServiceError`.
    public func issue(_ token: Token) throws(TokenServiceError) {
        guard !token.version.isKeyedByUnpredictableNumber else { throw .keysNotForeseeable }
        let problem = vault.withLock { vault -> TokenServiceError? in
            guard vault.verifier.issuer(of: token.number) != nil else { return .unknownRange }
            guard vault.tokens[token.number] == nil, vault.numbers[token.card] == nil else {
                return .alreadyIssued
            }
            vault.tokens[token.number] = token
            vault.numbers[token.card] = token.number
            return nil
        }
        if let problem { throw problem }
    }

    /// Suspends, resumes or deletes the token of a card; a deleted one stays so.
    /// - Throws: `TokenServiceError.unknownToken`.
    public func setStatus(
        _ status: Token.Status,
        of card: DigitalCard.ID
    ) throws(TokenServiceError) {
        let isKnown = vault.withLock { vault in
            guard let number = vault.numbers[card], var token = vault.tokens[number],
                token.status != .deleted
            else { return false }
            token.status = status
            vault.tokens[number] = token
            return true
        }
        guard isKnown else { throw .unknownToken }
    }
}

// MARK: Payment keys

extension TokenService: CredentialService {
    /// Makes the keys of the counters after `counter`, at most `count` of them; never one for the same counter twice.
    ///
    /// Cards without session keys (Visa CVN 10 and 17) get their card key for each counter.
    public func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        guard let number = token(of: card)?.number else { throw .unknownCard }
        let reserved = vault.withLock { vault -> (Token, IssuerProfile, ClosedRange<UInt16>?)? in
            guard var token = vault.tokens[number], token.status == .active,
                let range = vault.verifier.issuer(of: number)
            else { return nil }
            let start = max(counter, token.highestCounter)
            let end = UInt16(min(Int(start) + max(0, count), Int(UInt16.max)))
            token.highestCounter = end
            vault.tokens[number] = token
            return (token, range, start < end ? start + 1...end : nil)
        }
        guard let (token, range, counters) = reserved else { throw .cardNotActive }
        guard let counters else { return }
        let cardKey = range.masterKey.cardKey(
            pan: token.number.digits,
            sequenceNumber: token.sequenceNumber
        )
        for counter in counters {
            let key = token.version.sessionKey(
                cardKey: cardKey,
                counter: counter,
                unpredictableNumber: 0
            )
            deliver(IssuedKey(PaymentKey(transactionCounter: counter, cryptogramKey: key)))
        }
    }
}

extension Token {
    /// Why the token pays nothing on a day; nil when it may.
    fileprivate func refusal(on date: TransactionDate) -> Decision? {
        switch status {
        case .active: break
        case .suspended: return Decision(.restrictedCard, "the token is suspended")
        case .deleted: return Decision(.invalidCardNumber, "the token was deleted")
        }
        guard date <= lastDay else {
            return Decision(.expiredCard, "the token was good until \(lastDay)")
        }
        return nil
    }
}
