import CardArtCheck
import D1
import EMVData
import Emulation
import Foundation
import NFCWallet
import PassKitSimulator

/// What comes to the servers and the SDK from outside when a card is added; all of it is refused.
///
/// The first byte says which part of a good message is replaced.
func fuzzProvisioning(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let data = Data(bytes.dropFirst())
    let parties = FuzzedParties.shared
    let device = DeviceReport(device: DeviceIdentifier(rawValue: "fuzz"), cards: [])
    switch kind % 8 {
    case 0:
        let request = PKAddPaymentPassRequest(issuerResponse: data)
        guard let request else { return }
        refuse(.encrypted(PassRequest(request), .ECC_V2), device)
        refuse(.encrypted(PassRequest(request), .RSA_V2), device)
    case 1, 2, 3:
        let request = parties.makeRequest()
        if kind % 8 == 1 { request.encryptedPassData = data }
        if kind % 8 == 2 { request.ephemeralPublicKey = data }
        if kind % 8 == 3 { request.activationData = data }
        refuse(.encrypted(PassRequest(request), .ECC_V2), device)
    case 4, 5:
        var challenge = parties.challenge
        challenge.certificates = kind % 8 == 4 ? [data] : [data, challenge.certificates[1]]
        let answer = try? parties.issuer.encryptPass(
            FuzzedParties.cardID,
            for: challenge,
            accessToken: parties.token
        )
        precondition(answer == nil, "a certificate of nobody was accepted")
    case 6:
        precondition(
            data == parties.token || (try? parties.issuer.cards(accessToken: data)) == nil,
            "a token of nobody was accepted"
        )
    default:
        var token: Data? = data
        parties.app.run { LoginTarget().login(&token) { _ in } }
        precondition(token == nil)
    }
}

/// A picture of a card: whatever it is, there is something to say about it.
func fuzzCardArt(_ bytes: [UInt8]) {
    let findings = CardArtRules.findings(in: bytes)
    precondition(!findings.isEmpty)
    precondition(findings.allSatisfy { $0.sentence.hasSuffix(".") && $0.sentence.count < 400 })
}

private func refuse(_ card: CardSubmission, _ device: DeviceReport) {
    let check = try? FuzzedParties.shared.server.checkCard(card, from: device)
    precondition(check == nil, "a request that was changed was accepted")
}

private final class LoginTarget: D1IssuerProvisioningExtensionAuthorizationProviding {
    var completionHandler: ((PKIssuerProvisioningExtensionAuthorizationResult) -> Void)?
}

/// Servers with one card, and an app that has put it down for its extensions.
private final class FuzzedParties: Sendable {
    static let shared = FuzzedParties()
    static let cardID = "card"

    let issuer: SimulatedIssuerServer
    let server: SimulatedApplePayServer
    let app: AppProcess
    let token: Data
    let challenge: ProvisioningChallenge
    private let request: PassRequest

    private init() {
        let simulation = Simulation()
        let identity = ApplePayIdentity(now: WallClock.now)
        guard let number = PrimaryAccountNumber(text: "4761739001010036"),
            let lastDay = TransactionDate(text: "2030-12-31")
        else { fatalError("the account is none") }
        issuer = SimulatedIssuerServer(
            simulation,
            cards: [
                SimulatedIssuerServer.Card(
                    cardID: Self.cardID,
                    consumerID: "consumer",
                    issuerID: "issuer",
                    number: number,
                    lastDay: lastDay,
                    cardholderName: "FUZZ",
                    network: .visa
                )
            ],
            trusting: identity.rootCertificate
        )
        let tokens = NoTokens()
        server = SimulatedApplePayServer(
            simulation,
            identity: identity,
            tokens: tokens,
            issuer: issuer,
            push: SimulatedPushChannel(simulation)
        )
        let phone = SimulatedDevice(
            identifier: DeviceIdentifier(rawValue: "fuzz"),
            name: "phone",
            secureElement: SimulatedSecureElement(
                Wallet(
                    field: SoftwareField(),
                    authenticator: SimulatedAuthenticator(),
                    service: tokens
                ),
                server: tokens
            )
        )
        let group = "group.fuzz"
        app = AppProcess(
            .issuerApp,
            bundleIdentifier: "fuzz",
            entitlements: Entitlements(appGroups: [group]),
            host: SimulatedWalletHost(simulation, phone: phone, server: server),
            issuerServer: issuer,
            simulation: simulation
        )
        D1Task(issuerID: "issuer", in: app).configure([
            .coreConfig(consumerID: "consumer"),
            .walletExtensionConfig(
                cardParamsList: [
                    ConfigParams.CardParams(
                        cardID: Self.cardID,
                        cardArt: CardArt([]),
                        productTitle: "Card"
                    )
                ],
                appGroupID: group
            ),
        ]) { _ in }
        challenge = server.challenge(.ECC_V2, for: phone.identifier)
        guard let token = try? issuer.logIn(consumerID: "consumer", issuerID: "issuer"),
            let response = try? issuer.encryptPass(
                Self.cardID,
                for: challenge,
                accessToken: token
            ),
            let request = PKAddPaymentPassRequest(issuerResponse: response)
        else { fatalError("the issuer makes no request") }
        self.token = token
        self.request = PassRequest(request)
    }

    /// A good request; its nonce is used up when it is first accepted.
    func makeRequest() -> PKAddPaymentPassRequest {
        let copy = PKAddPaymentPassRequest()
        copy.encryptedPassData = request.encryptedPassData
        copy.activationData = request.activationData
        copy.ephemeralPublicKey = request.ephemeralPublicKey
        return copy
    }
}

/// A token service that takes no card.
private final class NoTokens: TokenServiceProvider, CardService {
    func service(for device: DeviceIdentifier, reasons: Set<ReasonCode>) -> any CardService { self }
    func dropTokens(
        of account: PrimaryAccountNumber,
        on device: DeviceIdentifier,
        except cards: Set<DigitalCard.ID>
    ) throws(DigitizationError) {}
    func replaceAccount(
        of card: DigitalCard.ID,
        by account: PrimaryAccountNumber
    ) throws(CredentialError) -> [DigitalCard.ID] {
        throw .unknownCard
    }
    func renew(_ card: DigitalCard.ID, until lastDay: TransactionDate) throws(CredentialError) {
        throw .unknownCard
    }
    func revokeKeys(of card: DigitalCard.ID) throws(CredentialError) { throw .unknownCard }
    func nextEventNumber(
        of card: DigitalCard.ID,
        notBelow start: Int64
    ) throws(CredentialError) -> Int64 {
        throw .unknownCard
    }
    func firstNumber(of account: PrimaryAccountNumber) -> PrimaryAccountNumber { account }
    func enroll() throws(CredentialError) {}
    func checkEligibility(
        _ card: PlasticCard,
        for wallet: WalletID
    ) throws(DigitizationError) -> CardEligibility {
        throw .fpanNotEligible
    }
    func digitize(_ eligibility: CardEligibility) throws(DigitizationError) -> DigitizationDecision
    {
        throw .clientError
    }
    func select(_ method: IDVMethod, for card: DigitalCard.ID) throws(DigitizationError) {
        throw .clientError
    }
    func activate(_ card: DigitalCard.ID, code: String) throws(DigitizationError) {
        throw .clientError
    }
    func setState(_ state: DigitalCard.State, of card: DigitalCard.ID) throws(CredentialError) {
        throw .clientError
    }
    func state(of card: DigitalCard.ID) throws(CredentialError) -> DigitalCard.State {
        throw .unknownCard
    }
    func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        throw .unknownCard
    }
}
