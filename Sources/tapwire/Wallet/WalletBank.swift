import EMVData
import IssuerHost
import TokenService

/// The bank of a wallet, which knows its tokens, and another one for all other cards.
final class WalletBank: AuthorizationHost {
    /// The wallet's token service.
    private let tokens: TokenService
    /// Who answers for other cards.
    private let others: any AuthorizationHost

    init(tokens: TokenService, others: any AuthorizationHost) {
        self.tokens = tokens
        self.others = others
    }

    func authorize(_ request: AuthorizationRequest) -> AuthorizationResponse? {
        let number = try? PaymentRequest.accountNumber(in: request)
        let isToken = number.map { tokens.token($0) != nil } ?? false
        return isToken ? tokens.authorize(request) : others.authorize(request)
    }
}
