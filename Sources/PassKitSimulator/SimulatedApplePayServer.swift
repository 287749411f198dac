public import EMVData
import Foundation
public import NFCWallet
import SecureStore
import Synchronization

/// An Apple Pay server with a certificate chain of its own, before a token service.
public final class SimulatedApplePayServer: ApplePayServer {
    /// What may be set about it.
    public struct Settings: Sendable {
        /// How long a nonce is good, in seconds.
        public var nonceLifetimeSeconds: Int64 = 5 * 60
        /// The apps that see passes, as the token service has them; a `*` at the end stands for anything.
        public var associatedApplicationIdentifiers = ["*"]
        /// What the names of accounts are derived from, 32 bytes; the same names need the same.
        public var secret: [UInt8] = []

        /// Takes the defaults: each server has another secret.
        public init() {}
    }

    private let simulation: Simulation
    private let identity: ApplePayIdentity
    private let tokens: any TokenServiceProvider
    private let issuer: any IssuerServer
    private let push: any PushChannel
    private let settings: Settings
    private let now: @Sendable () -> Int64
    /// Held from a change of a token to the number of its event: a later change has a higher one.
    private let order = NSRecursiveLock()
    private let state = Mutex(State())

    private struct Nonce {
        var device: DeviceIdentifier
        var scheme: PKEncryptionScheme
        var endSeconds: Int64
        var isUsed = false
    }

    private struct Request {
        var eligibility: CardEligibility
        var account: PrimaryAccountNumber
        var report: DeviceReport
    }

    private struct State {
        var nonces: [Data: Nonce] = [:]
        var requests: [String: Request] = [:]
        var served: [DigitalCard.ID: DeviceIdentifier] = [:]
    }

    /// Starts a server.
    public init(
        _ simulation: Simulation,
        identity: ApplePayIdentity,
        tokens: any TokenServiceProvider,
        issuer: any IssuerServer,
        push: any PushChannel,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Int64 = { WallClock.now }
    ) {
        var settings = settings
        if settings.secret.isEmpty { settings.secret = randomBytes(32) }
        self.simulation = simulation
        self.identity = identity
        self.tokens = tokens
        self.issuer = issuer
        self.push = push
        self.settings = settings
        self.now = now
    }

    /// What the user has to type in, beside the account number.
    public func requiredFields() -> [String] {
        ["cardholderName", "expirationDate", "securityCode"]
    }

    /// Sends what a card is encrypted for.
    public func challenge(
        _ scheme: PKEncryptionScheme,
        for device: DeviceIdentifier
    ) -> ProvisioningChallenge {
        let nonce = randomBytes(32)
        let now = now()
        state.withLock { state in
            // What was too old long ago need not be known to be so.
            state.nonces = state.nonces.filter { $0.value.endSeconds + 86_400 > now }
            state.nonces[Data(nonce)] = Nonce(
                device: device,
                scheme: scheme,
                endSeconds: now + settings.nonceLifetimeSeconds
            )
        }
        return ProvisioningChallenge(
            certificates: identity.chain(scheme).map { Data($0) },
            nonce: Data(nonce),
            nonceSignature: Data(identity.key(scheme).sign(signedBytes(nonce, device)))
        )
    }

    private func signedBytes(_ nonce: [UInt8], _ device: DeviceIdentifier) -> [UInt8] {
        nonce + Array(device.rawValue.utf8)
    }

    // MARK: Check card

    /// Finds out whether a card may be added.
    /// - Throws: `ProvisioningError`.
    public func checkCard(
        _ card: CardSubmission,
        from device: DeviceReport
    ) throws(ProvisioningError) -> CardCheck {
        let plastic: PlasticCard
        switch card {
        case .typed(let typed, _): plastic = typed
        case .encrypted(let request, let scheme):
            do throws(PassDataError) {
                plastic = try open(request, scheme, device.device)
            } catch {
                throw .request(error)
            }
        }
        let service = tokens.service(for: device.device, reasons: device.reasons)
        let eligibility = try ask("checkEligibility") { () throws(DigitizationError) in
            try tokens.dropTokens(of: plastic.number, on: device.device, except: device.cards)
            let wallet = WalletID(rawValue: device.device.rawValue)
            let eligibility = try service.checkEligibility(plastic, for: wallet)
            // Whatever token is left has a card on the device.
            guard eligibility.existingCard == nil else { throw .cardAlreadyProvisionedInWallet }
            return eligibility
        }
        state.withLock {
            $0.requests[eligibility.requestID] = Request(
                eligibility: eligibility,
                account: plastic.number,
                report: device
            )
        }
        return CardCheck(
            requestID: eligibility.requestID,
            termsAndConditions: eligibility.termsAndConditions,
            recommendation: DigitizationDecision.Colour(device.reasons)
        )
    }

    /// Decrypts a request and checks all that is in it; the nonce is used up by the first genuine one.
    private func open(
        _ request: PassRequest,
        _ scheme: PKEncryptionScheme,
        _ device: DeviceIdentifier
    ) throws(PassDataError) -> PlasticCard {
        let data = try Self.decrypt(request, scheme, identity)
        let key = identity.key(scheme)
        guard key.verifies(data.nonceSignature, of: signedBytes(data.nonce, device)) else {
            throw .wrongNonceSignature
        }
        let now = now()
        let problem = state.withLock { state -> PassDataError? in
            let name = Data(data.nonce)
            guard let nonce = state.nonces[name], nonce.device == device, nonce.scheme == scheme
            else { return .unknownNonce }
            guard !nonce.isUsed else { return .replayedNonce }
            guard nonce.endSeconds > now else { return .expiredNonce }
            state.nonces[name]?.isUsed = true
            return nil
        }
        if let problem { throw problem }
        guard let activationData = request.activationData,
            issuer.isGenuine(activationData, for: data.number)
        else { throw .wrongActivationData }
        return PlasticCard(number: data.number, lastDay: data.lastDay)
    }

    /// Decrypts a request; what is in it is not checked yet.
    static func decrypt(
        _ request: PassRequest,
        _ scheme: PKEncryptionScheme,
        _ identity: ApplePayIdentity
    ) throws(PassDataError) -> PassData {
        guard let encrypted = request.encryptedPassData, request.activationData != nil else {
            throw .incomplete
        }
        guard encrypted.count <= PassData.maximumByteCount + AES256GCM.tagByteCount else {
            throw .undecipherable
        }
        switch scheme {
        case .ECC_V2 where request.ephemeralPublicKey == nil: throw .incomplete
        case .RSA_V2 where request.wrappedKey == nil: throw .incomplete
        case .ECC_V2, .RSA_V2: break
        default: throw .wrongScheme
        }
        let sealed = PassDataCipher.Sealed(
            encryptedPassData: [UInt8](encrypted),
            ephemeralPublicKey: request.ephemeralPublicKey.map { [UInt8]($0) },
            wrappedKey: request.wrappedKey.map { [UInt8]($0) }
        )
        guard var message = PassDataCipher.open(sealed, with: identity.key(scheme)) else {
            throw .undecipherable
        }
        defer { Cryptography.cleanse(&message) }
        guard let data = PassData(parsing: message) else { throw .malformedPassData }
        return data
    }

    /// Calls the token service.
    private func ask<Value>(
        _ name: String,
        _ detail: String = "",
        _ body: () throws(DigitizationError) -> Value
    ) throws(ProvisioningError) -> Value {
        try simulation.perform(.applePayServer, .tokenService, name, detail) {
            () throws(ProvisioningError) in
            do throws(DigitizationError) { return try body() } catch { throw .digitization(error) }
        }
    }

    // MARK: Link and provision

    /// Has a token made for a card that was checked.
    /// - Throws: `ProvisioningError`; `.declined` for red.
    public func linkAndProvision(
        _ requestID: String,
        acceptsTerms: Bool
    ) throws(ProvisioningError) -> ProvisionedCard {
        guard let request = state.withLock({ $0.requests.removeValue(forKey: requestID) }) else {
            throw .refused(.applePayServer, reason: "no such request")
        }
        guard acceptsTerms else { throw .cancelled }
        let report = request.report
        let service = tokens.service(for: report.device, reasons: report.reasons)
        let decision = try ask("digitize") { () throws(DigitizationError) in
            try service.digitize(request.eligibility)
        }
        guard decision.colour != .red, let card = decision.card else { throw .declined }
        let name = name(of: request.account)
        state.withLock { $0.served[card.id] = report.device }
        issuer.accountIsKnown(request.account, as: name)
        tell(card.id, .tokenCreated)
        return ProvisionedCard(
            card: card,
            colour: decision.colour,
            methods: decision.methods,
            primaryAccountIdentifier: name,
            primaryAccountSuffix: String(request.account.text.suffix(4)),
            associatedApplicationIdentifiers: settings.associatedApplicationIdentifiers
        )
    }

    /// What an account is called in wallets, which stays when its cards are replaced.
    private func name(of account: PrimaryAccountNumber) -> String {
        let number = tokens.firstNumber(of: account)
        return Cryptography.hmac(Array(number.text.utf8), key: settings.secret)
            .prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether this server had the token of a card made, since it was started.
    public func hasMade(_ card: DigitalCard.ID) -> Bool {
        state.withLock { $0.served[card] != nil }
    }

    /// Tells a device what happened to a token.
    public func tell(_ card: DigitalCard.ID, _ change: TokenLifecycleEvent.Change) {
        // Where the token is kept, so that a server that is started anew goes on with higher numbers.
        let time = now() * 1_000
        let number = (try? tokens.nextEventNumber(of: card, notBelow: time)) ?? time
        push.send(TokenLifecycleEvent(number: number, card: card, change: change))
    }

    // MARK: Later

    /// Has the issuer send the user a code, or ask him.
    /// - Throws: `ProvisioningError`.
    public func sendCode(
        _ method: IDVMethod,
        for card: DigitalCard.ID
    ) throws(ProvisioningError) {
        try ask("selectMethod", method.rawValue) { () throws(DigitizationError) in
            try service(of: card).select(method, for: card)
        }
    }

    /// Checks the code that came to the user.
    /// - Throws: `ProvisioningError`.
    public func activate(
        _ card: DigitalCard.ID,
        code: String
    ) throws(ProvisioningError) {
        order.lock()
        defer { order.unlock() }
        try ask("activate") { () throws(DigitizationError) in
            try service(of: card).activate(card, code: code)
        }
        tell(card, .tokenActivated)
    }

    private func service(of card: DigitalCard.ID) -> any CardService {
        let device = state.withLock { $0.served[card] }
        return tokens.service(for: device ?? DeviceIdentifier(rawValue: ""), reasons: [])
    }

    /// Suspends, resumes or deletes a token, as its issuer asks, and tells the device.
    /// - Throws: `ProvisioningError`.
    public func setState(
        _ next: DigitalCard.State,
        of card: DigitalCard.ID
    ) throws(ProvisioningError) {
        let change: TokenLifecycleEvent.Change =
            switch next {
            case .suspended: .tokenSuspended
            case .retired: .tokenDeleted
            default: .tokenResumed
            }
        try self.change(change) { () throws(CredentialError) in
            try service(of: card).setState(next, of: card)
            return [card]
        }
    }

    /// Gives the account behind a card another number, as when its issuer has replaced the plastic card, and tells the devices.
    /// - Throws: `ProvisioningError`.
    public func replaceAccount(
        of card: DigitalCard.ID,
        by account: PrimaryAccountNumber
    ) throws(ProvisioningError) {
        let suffix = String(account.text.suffix(4))
        try change(
            .cardReplaced(suffix: suffix),
            "the account has a card in a wallet already, or is none that pays"
        ) { () throws(CredentialError) in
            try tokens.replaceAccount(of: card, by: account)
        }
        issuer.accountIsKnown(account, as: name(of: account))
    }

    /// Lets a token be good until another day, as its issuer asks, and tells the device.
    /// - Throws: `ProvisioningError`.
    public func renew(
        _ card: DigitalCard.ID,
        until lastDay: TransactionDate
    ) throws(ProvisioningError) {
        try change(.expiryRenewed(lastDay), "the card begins after \(lastDay)") {
            () throws(CredentialError) in
            try tokens.renew(card, until: lastDay)
            return [card]
        }
    }

    /// Lets the payment keys of a token be good no more, and has its device drop them and fetch new ones.
    /// - Throws: `ProvisioningError`.
    public func revokeKeys(of card: DigitalCard.ID) throws(ProvisioningError) {
        try change(.keysRevoked) { () throws(CredentialError) in
            try tokens.revokeKeys(of: card)
            return [card]
        }
    }

    /// Has the token service change tokens, and tells the devices of the cards that it names.
    /// - Parameters:
    ///   - change: What changes.
    ///   - mistake: What was asked wrongly where the token service says so.
    ///   - body: Calls the token service.
    /// - Throws: `ProvisioningError`.
    private func change(
        _ change: TokenLifecycleEvent.Change,
        _ mistake: String? = nil,
        _ body: () throws(CredentialError) -> [DigitalCard.ID]
    ) throws(ProvisioningError) {
        order.lock()
        defer { order.unlock() }
        let cards = try simulation.perform(.issuerServer, .tokenService, change.name) {
            () throws(ProvisioningError) in
            do throws(CredentialError) {
                return try body()
            } catch {
                let known = error == .clientError ? mistake : nil
                throw .refused(.tokenService, reason: known ?? "\(error)")
            }
        }
        for card in cards { tell(card, change) }
    }
}
