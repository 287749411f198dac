public import EMVData
public import Profiles

/// An issuer's books and keys, as a value: requests in, responses out.
public struct Issuer: Sendable {
    private var verifier: CryptogramVerifier
    private var accounts: [PrimaryAccountNumber: Account]

    /// Opens the books.
    /// - Parameters:
    ///   - issuers: The keys, by the account numbers they are for.
    ///   - accounts: The accounts, one for each number.
    public init(issuers: [IssuerProfile], accounts: [Account]) {
        verifier = CryptogramVerifier(issuers: issuers)
        self.accounts = Dictionary(
            accounts.map { ($0.number, $0) },
            uniquingKeysWith: { _, last in last }
        )
    }

    /// The account of a number; setting it opens, changes or closes it.
    public subscript(_ number: PrimaryAccountNumber) -> Account? {
        get { accounts[number] }
        set { accounts[number] = newValue }
    }

    /// Verifies a request, decides and answers it; nil when the card is of another issuer.
    public mutating func authorize(_ message: AuthorizationRequest) -> AuthorizationResponse? {
        let request: PaymentRequest
        let issuer: IssuerProfile
        do throws(PaymentRequestError) {
            let number = try PaymentRequest.accountNumber(in: message)
            guard let found = verifier.issuer(of: number) else { return nil }
            issuer = found
            request = try PaymentRequest(message)
        } catch {
            return AuthorizationResponse(Decision(error))
        }
        guard accounts[request.accountNumber]?.sequenceNumber == request.sequenceNumber else {
            return AuthorizationResponse(.unknownAccount)
        }
        switch verifier.verify(request, of: issuer) {
        case .failure(let refusal):
            return AuthorizationResponse(refusal.decision)
        case .success(let cryptogram):
            let decision = decide(request, cryptogram.kind, account: request.accountNumber)
            return cryptogram.response(decision)
        }
    }

    /// Decides on a request whose cryptogram somebody else has found genuine, and books it.
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - kind: What the card decided.
    ///   - number: The account, which a token stands for in the request.
    /// - Returns: The decision.
    public mutating func decide(
        _ request: PaymentRequest,
        _ kind: CryptogramKind,
        account number: PrimaryAccountNumber
    ) -> Decision {
        guard kind == .arqc || kind == .tc else {
            return Decision(.doNotHonour, "the card itself declined")
        }
        return accounts[number]?.pay(request.amount, type: request.type, date: request.date)
            ?? .unknownAccount
    }
}

extension Decision {
    fileprivate static var unknownAccount: Self {
        Self(.invalidCardNumber, "the issuer has no such card")
    }
}

extension AuthorizationResponse {
    /// Answers without Issuer Authentication Data (91), for requests that no card is known to have made.
    public init(_ decision: Decision) {
        self.init(responseCode: decision.code.rawValue, reason: decision.reason)
    }
}
