public import EMVData
public import Foundation
public import NFCWallet
import SecureStore
import Synchronization

/// The server of the cards' issuer, as its app, its extensions and the Apple Pay server see it.
public protocol IssuerServer: AnyObject, Sendable {
    /// Gives an access token to somebody who is authenticated, good for the cards of all consumers of an issuer he is.
    /// - Throws: `ProvisioningError`.
    func logIn(consumerIDs: [String], issuerID: String) throws(ProvisioningError) -> Data
    /// The cards of whose token it is.
    /// - Throws: `ProvisioningError`.
    func cards(accessToken: Data) throws(ProvisioningError) -> [IssuerCard]
    /// Encrypts a card's data for the Apple Pay server whose certificates come along.
    /// - Returns: JSON with `activationData`, `encryptedPassData` and `ephemeralPublicKey` or `wrappedKey`, in Base64.
    /// - Throws: `ProvisioningError`.
    func encryptPass(
        _ cardID: String,
        for challenge: ProvisioningChallenge,
        accessToken: Data
    ) throws(ProvisioningError) -> Data
    /// Whether activation data is the issuer's for an account, and still good.
    func isGenuine(_ activationData: Data, for account: PrimaryAccountNumber) -> Bool
    /// Hears what an account is called in wallets, once it has a token.
    func accountIsKnown(_ account: PrimaryAccountNumber, as identifier: String)
}

extension IssuerServer {
    /// Gives an access token to a consumer who is authenticated.
    /// - Throws: `ProvisioningError`.
    public func logIn(consumerID: String, issuerID: String) throws(ProvisioningError) -> Data {
        try logIn(consumerIDs: [consumerID], issuerID: issuerID)
    }
}

/// What the Apple Pay server sends before a card is encrypted for it.
public struct ProvisioningChallenge: Hashable, Sendable {
    /// Its certificates in DER, leaf first.
    public var certificates: [Data]
    /// 32 random bytes that are good once.
    public var nonce: Data
    /// Its signature of nonce and device.
    public var nonceSignature: Data

    /// Collects the parts.
    public init(certificates: [Data], nonce: Data, nonceSignature: Data) {
        self.certificates = certificates
        self.nonce = nonce
        self.nonceSignature = nonceSignature
    }
}

/// A card as its issuer tells of it; the account number is not in it.
public struct IssuerCard: Hashable, Sendable {
    /// Names the card.
    public var cardID: String
    /// The name on it.
    public var cardholderName: String
    /// The last four digits of the account number.
    public var suffix: String
    /// The payment network.
    public var network: PKPaymentNetwork
    /// What the account is called in wallets; nil before it has been in one.
    public var primaryAccountIdentifier: String?
}

/// An issuer's server with consumers and cards in memory.
public final class SimulatedIssuerServer: IssuerServer {
    /// A card and who may use it.
    public struct Card: Sendable {
        /// Names the card.
        public var cardID: String
        /// Whose it is.
        public var consumerID: String
        /// Which of the issuers has issued it.
        public var issuerID: String
        /// The account.
        public var number: PrimaryAccountNumber
        /// The last day it is good.
        public var lastDay: TransactionDate
        /// The name on it.
        public var cardholderName: String
        /// The payment network.
        public var network: PKPaymentNetwork

        /// Collects the parts.
        public init(
            cardID: String,
            consumerID: String,
            issuerID: String,
            number: PrimaryAccountNumber,
            lastDay: TransactionDate,
            cardholderName: String,
            network: PKPaymentNetwork
        ) {
            self.cardID = cardID
            self.consumerID = consumerID
            self.issuerID = issuerID
            self.number = number
            self.lastDay = lastDay
            self.cardholderName = cardholderName
            self.network = network
        }
    }

    private let simulation: Simulation
    private let root: Certificate
    private let secret = randomBytes(32)
    private let now: @Sendable () -> Int64
    private let state: Mutex<State>

    private struct State {
        var decision: DigitizationDecision.Colour?
        var identifiers: [PrimaryAccountNumber: String] = [:]
        var cards: [Card]
    }

    /// How long access tokens and activation data are good, in seconds.
    private static let lifetimeSeconds: Int64 = 5 * 60

    /// Starts a server.
    /// - Parameters:
    ///   - simulation: What all parties share.
    ///   - cards: The cards.
    ///   - rootCertificate: Whose certificates to trust, in DER; a trap for anything else.
    ///   - now: The time, in seconds since 1970.
    public init(
        _ simulation: Simulation,
        cards: [Card],
        trusting rootCertificate: [UInt8],
        now: @escaping @Sendable () -> Int64 = { WallClock.now }
    ) {
        guard let root = Certificate(der: rootCertificate) else {
            preconditionFailure("the root is no certificate")
        }
        self.simulation = simulation
        state = Mutex(State(cards: cards))
        self.root = root
        self.now = now
    }

    private var cards: [Card] { state.withLock(\.cards) }

    /// Gives a card another number, as when the plastic card is replaced.
    public func replaceNumber(ofCard cardID: String, by number: PrimaryAccountNumber) {
        state.withLock { state in
            for index in state.cards.indices where state.cards[index].cardID == cardID {
                state.cards[index].number = number
            }
        }
    }

    // MARK: Access

    /// Gives an access token to somebody who is authenticated, good for the cards of all consumers of an issuer he is.
    /// - Throws: `ProvisioningError.server` for a consumer it does not know.
    public func logIn(
        consumerIDs: [String],
        issuerID: String
    ) throws(ProvisioningError) -> Data {
        let areKnown = consumerIDs.allSatisfy { consumerID in
            cards.contains { $0.consumerID == consumerID && $0.issuerID == issuerID }
        }
        guard areKnown, let first = consumerIDs.first else {
            throw .server(.issuerServer, status: 401, message: "Unknown consumer")
        }
        return AccessToken(
            sub: first,
            iss: issuerID,
            exp: now() + Self.lifetimeSeconds,
            consumers: consumerIDs
        ).signed(with: secret)
    }

    /// The cards of whose token it is.
    /// - Throws: `ProvisioningError.server` for a token that is not good.
    public func cards(accessToken: Data) throws(ProvisioningError) -> [IssuerCard] {
        let token = try access(accessToken)
        let identifiers = state.withLock(\.identifiers)
        return cards.filter { isAccessible($0, to: token) }.map { card in
            IssuerCard(
                cardID: card.cardID,
                cardholderName: card.cardholderName,
                suffix: String(card.number.text.suffix(4)),
                network: card.network,
                primaryAccountIdentifier: identifiers[card.number]
            )
        }
    }

    private func access(_ token: Data) throws(ProvisioningError) -> AccessToken {
        guard let access = AccessToken(token, signedWith: secret), access.exp > now() else {
            throw .server(.issuerServer, status: 401, message: "Access token not accepted")
        }
        return access
    }

    private func isAccessible(_ card: Card, to token: AccessToken) -> Bool {
        card.issuerID == token.iss && token.consumers.contains(card.consumerID)
    }

    // MARK: Encryption

    /// Encrypts a card's data for the Apple Pay server whose certificates come along.
    /// - Throws: `ProvisioningError`; `.request` for certificates it does not trust.
    public func encryptPass(
        _ cardID: String,
        for challenge: ProvisioningChallenge,
        accessToken: Data
    ) throws(ProvisioningError) -> Data {
        let token = try access(accessToken)
        guard let card = cards.first(where: { $0.cardID == cardID && isAccessible($0, to: token) })
        else { throw .server(.issuerServer, status: 404, message: "Unknown card") }
        let key: AsymmetricKey
        do throws(PassDataError) {
            key = try CertificateChain.key(
                of: challenge.certificates.map { [UInt8]($0) },
                trusting: root,
                at: now()
            )
        } catch {
            throw .request(error)
        }
        var message = PassData(
            number: card.number,
            lastDay: card.lastDay,
            cardholderName: card.cardholderName,
            nonce: [UInt8](challenge.nonce),
            nonceSignature: [UInt8](challenge.nonceSignature)
        ).encoded
        defer { Cryptography.cleanse(&message) }
        guard let sealed = PassDataCipher.seal(message, for: key) else {
            throw .request(.wrongScheme)
        }
        var members = [
            "activationData": activationData(for: card.number),
            "encryptedPassData": Data(sealed.encryptedPassData),
        ]
        members["ephemeralPublicKey"] = sealed.ephemeralPublicKey.map { Data($0) }
        members["wrappedKey"] = sealed.wrappedKey.map { Data($0) }
        guard let text = try? JSONEncoder().encode(members) else {
            preconditionFailure("Base64 cannot be written as JSON")
        }
        return text
    }

    /// When it ends, 8 bytes, and a MAC over that and the account.
    private func activationData(for account: PrimaryAccountNumber) -> Data {
        let end = UInt64(now() + Self.lifetimeSeconds)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: end >> (56 - 8 * $0)) }
        return Data(bytes + Cryptography.hmac(bytes + Array(account.text.utf8), key: secret))
    }

    /// Whether activation data is the issuer's for an account, and still good.
    public func isGenuine(_ activationData: Data, for account: PrimaryAccountNumber) -> Bool {
        let bytes = [UInt8](activationData)
        guard bytes.count == 40 else { return false }
        let end = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let mac = Cryptography.hmac(bytes.prefix(8) + Array(account.text.utf8), key: secret)
        return Cryptography.areEqual(mac, Array(bytes.dropFirst(8))) && end > UInt64(now())
    }

    /// Hears what an account is called in wallets.
    public func accountIsKnown(_ account: PrimaryAccountNumber, as identifier: String) {
        state.withLock { $0.identifiers[account] = identifier }
    }

    // MARK: Decisions

    /// What it decides whatever the reasons; nil for what is usual with them.
    public var decision: DigitizationDecision.Colour? {
        get { state.withLock(\.decision) }
        set { state.withLock { $0.decision = newValue } }
    }

    /// Decides on a card for the token service; the Apple Pay server's reasons only recommend.
    /// - Throws: `DigitizationError` where it cannot; who is refused gets red.
    public func decide(
        _ card: PlasticCard,
        _ reasons: Set<ReasonCode>
    ) throws(DigitizationError) -> DigitizationDecision.Colour {
        let codes = reasons.map(\.rawValue).sorted().joined(separator: " ")
        do throws(ProvisioningError) {
            return try simulation.perform(
                .tokenService,
                .issuerServer,
                "authorizeService",
                codes.isEmpty ? "" : "reasons \(codes)"
            ) { () throws(ProvisioningError) in
                decision ?? DigitizationDecision.Colour(reasons)
            }
        } catch {
            switch error {
            case .refused: return .red
            case .unreachable: throw .networkError
            default: throw .serverError
            }
        }
    }
}

/// Who may use the issuer's server, signed by it: three parts of Base64 with dots between, as in a JSON Web Token.
private struct AccessToken: Codable {
    var sub: String
    var iss: String
    var exp: Int64
    /// All consumers it is good for, `sub` among them.
    var consumers: [String]

    init(sub: String, iss: String, exp: Int64, consumers: [String]) {
        self.sub = sub
        self.iss = iss
        self.exp = exp
        self.consumers = consumers
    }

    init?(_ token: Data, signedWith secret: [UInt8]) {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, token.count <= 4_096,
            let signature = Data(base64Encoded: Data(parts[2])),
            let claims = Data(base64Encoded: Data(parts[1]))
        else { return nil }
        let signed = [UInt8](parts[0]) + [UInt8(ascii: ".")] + [UInt8](parts[1])
        let mac = Cryptography.hmac(signed, key: secret)
        guard Cryptography.areEqual(mac, [UInt8](signature)),
            let read = try? JSONDecoder().decode(AccessToken.self, from: claims)
        else { return nil }
        self = read
    }

    func signed(with secret: [UInt8]) -> Data {
        let header = Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8).base64EncodedString()
        guard let claims = try? JSONEncoder().encode(self) else {
            preconditionFailure("claims cannot be written as JSON")
        }
        let signed = "\(header).\(claims.base64EncodedString())"
        let signature = Data(Cryptography.hmac(Array(signed.utf8), key: secret))
        return Data("\(signed).\(signature.base64EncodedString())".utf8)
    }
}
