public import EMVData
public import Profiles
import Synchronization

/// An issuer that many terminals may ask at once.
public final class IssuerHost: AuthorizationHost {
    private let issuer: Mutex<Issuer>

    /// Opens the books.
    /// - Parameters:
    ///   - issuers: The keys, by the account numbers they are for.
    ///   - accounts: The accounts, one for each number.
    public init(issuers: [IssuerProfile], accounts: [Account]) {
        issuer = Mutex(Issuer(issuers: issuers, accounts: accounts))
    }

    /// Verifies a request, decides and answers it; nil when the card is of another issuer.
    public func authorize(_ request: AuthorizationRequest) -> AuthorizationResponse? {
        issuer.withLock { $0.authorize(request) }
    }

    /// Decides on a request whose cryptogram somebody else has found genuine, and books it.
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - kind: What the card decided.
    ///   - number: The account, which a token stands for in the request.
    /// - Returns: The decision.
    public func decide(
        _ request: PaymentRequest,
        _ kind: CryptogramKind,
        account number: PrimaryAccountNumber
    ) -> Decision {
        issuer.withLock { $0.decide(request, kind, account: number) }
    }

    /// The account of a number; setting it opens, changes or closes it.
    public subscript(_ number: PrimaryAccountNumber) -> Account? {
        get { issuer.withLock { $0[number] } }
        set { issuer.withLock { $0[number] = newValue } }
    }
}
