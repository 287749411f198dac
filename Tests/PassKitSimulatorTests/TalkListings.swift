import Foundation
import PassKitSimulator

// The calls of PassKit that the provisioning talk goes through, in its order, with PassKit's names and argument labels.
// What is Apple's alone is replaced: `CGImage` by `CardArt`, presenting a view controller by `SimulatedWalletHost`,
// `WCSession` by `PairedDevice`, notifications by `PKPassLibrary.changes`.

/// In-app provisioning: configuration, sheet and delegate.
final class TalkApp: PKAddPaymentPassViewControllerDelegate {
    private let backend: TalkBackend
    private(set) var pass: PKPaymentPass?
    private(set) var error: (any Error)?

    init(_ backend: TalkBackend) { self.backend = backend }

    /// What the sheet shows; the scheme and the network are agreed with the token service.
    func makeConfiguration(_ card: TalkCard) -> PKAddPaymentPassRequestConfiguration? {
        guard
            let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2)
        else { return nil }
        configuration.paymentNetwork = .visa
        configuration.style = .payment
        configuration.cardholderName = card.cardholderName
        configuration.primaryAccountSuffix = card.suffix
        configuration.localizedDescription = "Example card"
        configuration.cardDetails = [PKLabeledValue(label: "Kind", value: "Prepaid")]
        configuration.primaryAccountIdentifier = card.primaryAccountIdentifier
        return configuration
    }

    func makeSheet(_ card: TalkCard) -> PKAddPaymentPassViewController? {
        guard PKAddPaymentPassViewController.canAddPaymentPass(),
            let configuration = makeConfiguration(card)
        else { return nil }
        return PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: self)
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        generateRequestWithCertificateChain certificates: [Data],
        nonce: Data,
        nonceSignature: Data,
        completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        let request = PKAddPaymentPassRequest()
        if let response = backend.encrypt(certificates, nonce, nonceSignature) {
            request.encryptedPassData = response.encryptedPassData
            request.activationData = response.activationData
            request.ephemeralPublicKey = response.ephemeralPublicKey
        }
        handler(request)
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        didFinishAdding pass: PKPaymentPass?,
        error: (any Error)?
    ) {
        self.pass = pass
        self.error = error
    }

    /// What the issuer's app shows beside a card: the state of its pass on the phone and on the watch.
    func states(
        _ card: TalkCard
    ) -> (
        phone: PKSecureElementPass.PassActivationState?,
        watch: PKSecureElementPass.PassActivationState?
    ) {
        let library = PKPassLibrary()
        let onPhone = library.passes(of: .secureElement)
            .compactMap { $0.secureElementPass }
            .first { $0.primaryAccountIdentifier == card.primaryAccountIdentifier }
        let onWatch = library.remoteSecureElementPasses
            .first { $0.primaryAccountIdentifier == card.primaryAccountIdentifier }
        return (onPhone?.passActivationState, onWatch?.passActivationState)
    }

    /// Whether the button is shown.
    func showsButton(_ state: PKSecureElementPass.PassActivationState?) -> Bool {
        switch state {
        case nil, .deactivated, .requiresActivation: true
        case .activated, .activating, .suspended: false
        }
    }

    /// Whether some device has not got the card yet.
    func canAdd(_ card: TalkCard) -> Bool {
        guard let identifier = card.primaryAccountIdentifier else { return true }
        return PKPassLibrary().canAddSecureElementPass(primaryAccountIdentifier: identifier)
    }
}

/// The Wallet extension, written against PassKit alone.
final class TalkHandler: PKIssuerProvisioningExtensionHandler {
    private let backend: TalkBackend

    init(_ backend: TalkBackend) {
        self.backend = backend
        super.init()
    }

    override func status(completion: @escaping (PKIssuerProvisioningExtensionStatus) -> Void) {
        let status = PKIssuerProvisioningExtensionStatus()
        status.passEntriesAvailable = true
        status.remotePassEntriesAvailable = true
        status.requiresAuthentication = true
        completion(status)
    }

    override func passEntries(
        completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void
    ) {
        completion(entries())
    }

    override func remotePassEntries(
        completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void
    ) {
        completion(entries())
    }

    private func entries() -> [PKIssuerProvisioningExtensionPassEntry] {
        guard let card = backend.card, let configuration = TalkApp(backend).makeConfiguration(card),
            let entry = PKIssuerProvisioningExtensionPaymentPassEntry(
                identifier: "visa-a",
                title: "Example card",
                art: CardArt([]),
                addRequestConfiguration: configuration
            )
        else { return [] }
        return [entry]
    }

    override func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String,
        configuration: PKAddPaymentPassRequestConfiguration,
        certificateChain certificates: [Data],
        nonce: Data,
        nonceSignature: Data,
        completionHandler completion: @escaping (PKAddPaymentPassRequest?) -> Void
    ) {
        completion(backend.encrypt(certificates, nonce, nonceSignature))
    }
}

/// The extension that authenticates the user, written against PassKit alone.
final class TalkAuthorization: PKIssuerProvisioningExtensionAuthorizationProviding {
    var completionHandler: ((PKIssuerProvisioningExtensionAuthorizationResult) -> Void)?

    func authenticate() { completionHandler?(.authorized) }
}

/// A card, as the issuer's app knows it.
struct TalkCard {
    var cardholderName: String
    var suffix: String
    var primaryAccountIdentifier: String?
}

/// What stands for the issuer's server.
struct TalkBackend: Sendable {
    let server: any IssuerServer
    let token: Data

    var card: TalkCard? {
        (try? server.cards(accessToken: token))?.first.map {
            TalkCard(
                cardholderName: $0.cardholderName,
                suffix: $0.suffix,
                primaryAccountIdentifier: $0.primaryAccountIdentifier
            )
        }
    }

    func encrypt(
        _ certificates: [Data],
        _ nonce: Data,
        _ nonceSignature: Data
    ) -> PKAddPaymentPassRequest? {
        let challenge = ProvisioningChallenge(
            certificates: certificates,
            nonce: nonce,
            nonceSignature: nonceSignature
        )
        let response = try? server.encryptPass("visa-a", for: challenge, accessToken: token)
        return response.flatMap { PKAddPaymentPassRequest(issuerResponse: $0) }
    }
}
