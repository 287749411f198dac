public import Foundation
public import PassKitSimulator

/// The extension without a user interface: issuers make a subclass, and need not put anything into it.
open class D1IssuerProvisioningExtensionHandler: PKIssuerProvisioningExtensionHandler {
    private let process: AppProcess?

    /// Prepares the extension in the process that runs.
    public override init() {
        process = AppProcess.current
        super.init()
    }

    /// Hears what failed while Wallet talked to the extension; to be overridden by who wants to know.
    open func errorEncountered(_ error: D1Error) {}

    /// Tells whether there are cards to add; asks no server, so it is done within the 100 ms it has.
    open override func status(completion: @escaping (PKIssuerProvisioningExtensionStatus) -> Void) {
        let status = PKIssuerProvisioningExtensionStatus()
        do throws(D1Error) {
            let session = try ExtensionSession(process, in: "status")
            status.passEntriesAvailable = !session.missingCards(onWatch: false).isEmpty
            status.remotePassEntriesAvailable =
                session.process.host.hasReachableWatch
                && !session.missingCards(onWatch: true).isEmpty
            status.requiresAuthentication = session.logins.contains {
                session.accessToken($0) == nil
            }
        } catch {
            errorEncountered(error)
        }
        completion(status)
    }

    /// Tells which cards can be added to this device.
    open override func passEntries(
        completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void
    ) {
        completion(entries(onWatch: false, in: "passEntries"))
    }

    /// Tells which cards can be added to the paired watch.
    open override func remotePassEntries(
        completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void
    ) {
        completion(entries(onWatch: true, in: "remotePassEntries"))
    }

    private func entries(
        onWatch: Bool,
        in api: String
    ) -> [PKIssuerProvisioningExtensionPassEntry] {
        do throws(D1Error) {
            let session = try ExtensionSession(process, in: api)
            let missing = session.missingCards(onWatch: onWatch)
            var entries: [PKIssuerProvisioningExtensionPassEntry] = []
            for login in session.logins {
                let known = try cards(session, login, in: api)
                for card in missing where card.login == login {
                    guard let details = known.first(where: { $0.cardID == card.cardID }),
                        let entry = entry(card, details)
                    else { continue }
                    entries.append(entry)
                }
            }
            return entries
        } catch {
            errorEncountered(error)
            return []
        }
    }

    private func cards(
        _ session: ExtensionSession,
        _ login: ExtensionSession.Login,
        in api: String
    ) throws(D1Error) -> [IssuerCard] {
        try call("cards", session, login, in: api) { server, token throws(ProvisioningError) in
            try server.cards(accessToken: token)
        }
    }

    /// Calls the issuer's server; an access token that it does not accept any more is forgotten.
    private func call<Value>(
        _ name: String,
        _ session: ExtensionSession,
        _ login: ExtensionSession.Login,
        in api: String,
        _ body: (any IssuerServer, Data) throws(ProvisioningError) -> Value
    ) throws(D1Error) -> Value {
        guard let token = session.accessToken(login) else {
            throw D1Error(.invalidAccessToken, in: api)
        }
        do throws(ProvisioningError) {
            return try session.process.callIssuer(name) { server throws(ProvisioningError) in
                try body(server, token)
            }
        } catch {
            if case .server(.issuerServer, 401, _) = error { session.forget(login) }
            throw D1Error(.cardOperationFailed, in: api, cause: D1Error.Cause(error))
        }
    }

    private func entry(
        _ card: SharedCard,
        _ details: IssuerCard
    ) -> PKIssuerProvisioningExtensionPaymentPassEntry? {
        guard let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2)
        else { return nil }
        configuration.cardholderName = details.cardholderName
        configuration.primaryAccountSuffix = details.suffix
        configuration.localizedDescription = card.title
        configuration.primaryAccountIdentifier = details.primaryAccountIdentifier
        configuration.paymentNetwork = details.network
        return PKIssuerProvisioningExtensionPaymentPassEntry(
            identifier: card.cardID,
            title: card.title,
            art: CardArt([UInt8](card.art)),
            addRequestConfiguration: configuration
        )
    }

    /// Has the issuer's server encrypt the data of a card; nil where that fails.
    open override func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String,
        configuration: PKAddPaymentPassRequestConfiguration,
        certificateChain certificates: [Data],
        nonce: Data,
        nonceSignature: Data,
        completionHandler completion: @escaping (PKAddPaymentPassRequest?) -> Void
    ) {
        let challenge = ProvisioningChallenge(
            certificates: certificates,
            nonce: nonce,
            nonceSignature: nonceSignature
        )
        do throws(D1Error) {
            completion(try request(identifier, challenge))
        } catch {
            errorEncountered(error)
            completion(nil)
        }
    }

    private func request(
        _ cardID: String,
        _ challenge: ProvisioningChallenge
    ) throws(D1Error) -> PKAddPaymentPassRequest {
        let api = "generate"
        let session = try ExtensionSession(process, in: api)
        guard let card = session.cards.first(where: { $0.cardID == cardID }) else {
            throw D1Error(.invalidParameter, in: api)
        }
        let response = try call("encryptPass", session, card.login, in: api) {
            server,
            token throws(ProvisioningError) in
            try server.encryptPass(cardID, for: challenge, accessToken: token)
        }
        guard let request = PKAddPaymentPassRequest(issuerResponse: response) else {
            throw D1Error(.cardOperationFailed, in: api, cause: .other("The answer is not JSON"))
        }
        return request
    }
}
