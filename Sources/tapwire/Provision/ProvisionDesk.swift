import CommandLineKit
import D1
import EMVData
import Foundation
import NFCWallet
import PassKitSimulator
import Profiles
import SecureStore
import Synchronization
import TokenService

/// All parties of a provisioning around a wallet in a file.
struct ProvisionDesk {
    let scenario: ProvisionScenario
    let simulation: Simulation
    /// The account whose card it is.
    let number: PrimaryAccountNumber
    /// The wallet as the user named it; nil for the usual one.
    private let place: String?
    private let stored: StoredWallet
    /// The devices' files, for what is wrong with them.
    private let files: [(wallet: StoredWallet, passes: StoredPassRecords)]
    let host: SimulatedWalletHost
    let server: SimulatedApplePayServer
    let push: SimulatedPushChannel
    private let issuer: SimulatedIssuerServer
    private let codes: Codes
    private let lastDay: TransactionDate

    /// The last code that came to the user.
    private final class Codes: Sendable {
        let last = Mutex<String?>(nil)
    }

    private static let bundle = "com.example.tapwire"
    private static let group = "group.com.example.tapwire"
    private static let consumer = "consumer-1"
    private static let issuerID = "issuer-1"
    private static let cardID = "card-1"
    private static let cardholder = "TAPWIRE/TEST"

    /// Opens the wallet and starts the parties.
    /// - Throws: `CommandFailure`.
    init(_ scenario: ProvisionScenario, path: String, place: String?) throws {
        self.place = place
        self.scenario = scenario
        guard let number = StoredWallet.account(scenario.scheme, scenario.account) else {
            throw CommandFailure(.internalFault, "the test bank has no such account")
        }
        self.number = number
        lastDay = StoredWallet.lastDay(scenario.scheme)
        let connectivity = SimulatedConnectivity(isOnline: scenario.isOnline)
        simulation = Simulation(
            clock: VirtualClock(following: SystemSessionClock()),
            connectivity: connectivity
        )
        // What is delayed on the simulation's clock ages nonces, tokens and codes as well.
        let (clock, start, startSeconds) = (simulation.clock, simulation.clock.now, WallClock.now)
        let now: @Sendable () -> Int64 = {
            startSeconds + (clock.now - start).components.seconds
        }
        let identity = ApplePayIdentity(now: startSeconds)
        issuer = SimulatedIssuerServer(
            simulation,
            cards: [
                SimulatedIssuerServer.Card(
                    cardID: Self.cardID,
                    consumerID: Self.consumer,
                    issuerID: Self.issuerID,
                    number: number,
                    lastDay: lastDay,
                    cardholderName: Self.cardholder,
                    network: scenario.scheme == .visa ? .visa : .masterCard
                )
            ],
            trusting: identity.rootCertificate,
            now: now
        )
        issuer.decision = scenario.decision
        codes = Codes()
        var settings = StoredWallet.Settings()
        settings.weigh = { [issuer] card, reasons throws(DigitizationError) in
            try issuer.decide(card, reasons)
        }
        settings.now = now
        settings.deliverCode = { [codes] _, code in codes.last.withLock { $0 = code } }
        settings.makesFile = true
        stored = try StoredWallet(path: path, settings)
        let records = try stored.passes()
        var serverSettings = SimulatedApplePayServer.Settings()
        do throws(SecureStoreError) {
            serverSettings.secret = try records.secret()
        } catch {
            throw CommandFailure(error, path + ".passes")
        }
        serverSettings.associatedApplicationIdentifiers = [Self.bundle + "*"]
        push = SimulatedPushChannel(simulation)
        server = SimulatedApplePayServer(
            simulation,
            identity: identity,
            tokens: stored.tokens,
            issuer: issuer,
            push: push,
            settings: serverSettings,
            now: now
        )
        var watch: SimulatedWatch?
        var files = [(stored, records)]
        if scenario.watchState != .notPaired {
            let stored = try StoredWallet(path: StoredWallet.watchPath(of: path), settings)
            let records = try stored.passes()
            files.append((stored, records))
            watch = SimulatedWatch(Self.device("Apple Watch", stored, records))
            watch?.isReachable = scenario.watchState == .paired
        }
        self.files = files
        host = SimulatedWalletHost(
            simulation,
            phone: Self.device("iPhone", stored, records),
            watch: watch,
            server: server,
            authenticator: SimulatedAuthenticator(scenario.authentication.result)
        )
        for step in scenario.steps {
            simulation.script(step.party, step.call, step.behaviour)
        }
    }

    private static func device(
        _ name: String,
        _ stored: StoredWallet,
        _ records: StoredPassRecords
    ) -> SimulatedDevice {
        SimulatedDevice(
            identifier: stored.device,
            name: name,
            secureElement: SimulatedSecureElement(stored.wallet, server: stored.server),
            records: records
        )
    }

    /// What is done, in one line.
    var headline: String {
        let scheme = scenario.scheme == .visa ? "Visa" : "Mastercard"
        let way =
            switch scenario.route {
            case .manual: "typed into Wallet"
            case .inApp: "from the issuer's app, \(encryptionName)"
            case .walletExtension: "through the issuer's Wallet extension, ECC_V2"
            }
        let device = isForWatch ? ", to the watch" : ""
        return "\(scheme) test account \(number.masked), \(way)\(device)"
    }

    /// Whether the card is for the watch.
    var isForWatch: Bool { scenario.device == .watch }

    private var encryptionName: String {
        scenario.encryption == .RSA_V2 ? "RSA_V2" : "ECC_V2"
    }

    /// Takes the route.
    func run() async -> ProvisionOutcome {
        let log = ErrorLog()
        var user = WalletUser()
        user.choose = { [isForWatch] offers in offers.first { $0.isForWatch == isForWatch } }
        user.reasons = scenario.reasons
        user.acceptsTerms = { [scenario] _ in scenario.acceptsTerms }
        var discovery: IssuerDiscovery?
        var result: Result<PKSecureElementPass, ProvisioningError>
        do throws(ProvisioningError) {
            switch scenario.route {
            case .manual:
                result = .success(
                    try host.add(
                        PlasticCard(number: number, lastDay: lastDay),
                        cardholderName: Self.cardholder,
                        toWatch: isForWatch,
                        user: user
                    )
                )
            case .inApp: result = try await addInApp(user)
            case .walletExtension:
                let application = install(log)
                let found = await host.discover(application)
                discovery = found
                result = .success(try await host.add(from: application, found, user: user))
            }
            if scenario.isActivated, case .success(let pass) = result {
                result = .success(try activate(pass))
            }
            if case .success(let pass) = result { result = .success(try happen(to: pass)) }
        } catch {
            result = .failure(cause(of: error))
        }
        // Something may have failed after the card was there; another program may have added one meanwhile.
        let added = host.passes(onWatch: isForWatch).first {
            server.hasMade(DigitalCard.ID(rawValue: $0.deviceAccountIdentifier))
        }
        return ProvisionOutcome(
            result: result,
            added: added,
            discovery: discovery,
            errors: log.errors
        )
    }

    /// What is behind an error that only says that the extension offered nothing.
    private func cause(of error: ProvisioningError) -> ProvisioningError {
        let calls = simulation.exchanges
        let isUnexplained =
            switch error {
            case .noCards, .noRequest: true
            // Without the terms nobody has asked the user: nothing for this device was offered.
            case .cancelled: !calls.contains { $0.to == .user && $0.name == "terms" }
            default: false
            }
        guard scenario.route == .walletExtension, isUnexplained else { return error }
        let failure = calls.last {
            $0.from == .handlerExtension && $0.to == .issuerServer && $0.error != nil
        }
        if let failure = failure?.error { return failure }
        return hasPass ? .alreadyOnDevice : error
    }

    /// Whether the device has a pass of the account.
    private var hasPass: Bool {
        host.passes(onWatch: isForWatch).contains {
            $0.passActivationState != .deactivated
                && $0.primaryAccountNumberSuffix == number.text.suffix(4)
        }
    }

    private func makeApp() -> AppProcess {
        AppProcess(
            .issuerApp,
            bundleIdentifier: Self.bundle,
            entitlements: entitlements(of: .issuerApp),
            host: host,
            issuerServer: issuer,
            simulation: simulation
        )
    }

    // MARK: In-app

    private func addInApp(
        _ user: WalletUser
    ) async throws(ProvisioningError) -> Result<PKSecureElementPass, ProvisioningError> {
        let process = makeApp()
        let token = try process.callIssuer("logIn") { server throws(ProvisioningError) in
            try server.logIn(consumerID: Self.consumer, issuerID: Self.issuerID)
        }
        let cards = try process.callIssuer("cards") { server throws(ProvisioningError) in
            try server.cards(accessToken: token)
        }
        guard let card = cards.first,
            let configuration = PKAddPaymentPassRequestConfiguration(
                encryptionScheme: scenario.encryption
            )
        else { throw .unknownPass }
        configuration.cardholderName = card.cardholderName
        configuration.primaryAccountSuffix = card.suffix
        configuration.localizedDescription = "Tapwire test card"
        configuration.primaryAccountIdentifier = card.primaryAccountIdentifier
        configuration.paymentNetwork = card.network
        let app = SheetDelegate(process, cardID: card.cardID, token: token)
        let sheet = process.run {
            PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: app)
        }
        guard let sheet else { throw .missingEntitlement }
        await host.present(sheet, of: process, toWatch: isForWatch, user: user)
        if let pass = app.pass { return .success(pass) }
        return .failure(app.error?.cause ?? .cancelled)
    }

    // MARK: Extension

    /// Starts the issuer's app once, and tells what Wallet knows about it then.
    private func install(_ log: ErrorLog) -> IssuerApplication {
        if scenario.isConfigured { configure(makeApp(), log) }
        return IssuerApplication(
            bundleIdentifier: Self.bundle,
            entitlements: entitlements(of: .issuerApp),
            extensionEntitlements: entitlements(of: .handlerExtension),
            authorizationEntitlements: entitlements(of: .authorizationExtension),
            issuerServer: issuer,
            makeHandler: { ReportingHandler(log) },
            makeAuthorization: { LoginView(log) },
            useAuthorization: { ($0 as? LoginView)?.logIn(Self.consumer, Self.issuerID) }
        )
    }

    private func entitlements(of process: ProvisionScenario.Process) -> Entitlements {
        let lacksGroup = scenario.processesWithoutGroup.contains(process)
        return Entitlements(appGroups: lacksGroup ? [] : [Self.group])
    }

    private func configure(_ process: AppProcess, _ log: ErrorLog) {
        D1Task(issuerID: Self.issuerID, in: process).configure([
            ConfigParams.coreConfig(consumerID: Self.consumer), ConfigParams.cardConfig(),
            ConfigParams.walletExtensionConfig(
                cardParamsList: [
                    ConfigParams.CardParams(
                        cardID: Self.cardID,
                        cardArt: CardArt([]),
                        productTitle: "Tapwire test card",
                        last4: String(number.text.suffix(4))
                    )
                ],
                appGroupID: Self.group
            ),
        ]) { errors in
            for error in errors ?? [] { log.append(error) }
        }
    }

    // MARK: Activation

    /// Has a code sent to the user and types it in.
    private func activate(
        _ pass: PKSecureElementPass
    ) throws(ProvisioningError) -> PKSecureElementPass {
        guard pass.passActivationState == .requiresActivation,
            let method = host.activationMethods(of: pass).first
        else { return pass }
        try host.sendCode(for: pass, by: method)
        try host.activate(pass, code: codes.last.withLock { $0 } ?? "")
        return current(pass)
    }

    /// The pass as it is now.
    func current(_ pass: PKSecureElementPass) -> PKSecureElementPass {
        host.passes(onWatch: pass.isRemotePass).first { $0.serialNumber == pass.serialNumber }
            ?? pass
    }

    /// How the user activates a pass, behind `tapwire wallet activate CARD`.
    func activationWay(_ pass: PKSecureElementPass) -> String {
        host.activationMethods(of: pass).contains(.otpBySMS) ? "" : " --by issuer"
    }

    /// What may be done with the card next, behind `tapwire wallet`; nil where nothing can.
    func next(_ pass: PKSecureElementPass) -> String? {
        let card = pass.deviceAccountIdentifier
        return switch pass.passActivationState {
        case .activated: "pay \(card) --amount 12.34"
        case .requiresActivation: "activate \(card)\(activationWay(pass))"
        case .suspended: "resume \(card)"
        case .activating, .deactivated: nil
        }
    }

    /// What parties were to do and did not come to, each in a few words.
    var unusedSteps: [String] {
        var counts: [String: Int] = [:]
        return scenario.steps.reversed().compactMap { step -> String? in
            let words = "\(step.party.rawValue) was not asked \(step.call)"
            counts[words, default: 0] += 1
            let isUnused =
                counts[words, default: 0] <= simulation.scriptedCount(step.party, step.call)
            return isUnused ? "\(step.path): \(words)" : nil
        }.reversed()
    }

    /// The pass of the account that waits for the user to prove who he is; nil where none does.
    var waitingPass: PKSecureElementPass? {
        host.passes(onWatch: isForWatch).first {
            $0.passActivationState == .requiresActivation
                && $0.primaryAccountNumberSuffix == number.text.suffix(4)
        }
    }

    /// Which file is at fault where a party only said that its store failed; nil where none is.
    func storeFailure(_ error: ProvisioningError) -> CommandFailure? {
        switch error {
        case .store, .digitization(.store), .digitization(.serverError):
            files.lazy.compactMap { wallet, passes in
                wallet.storeFailure
                    ?? passes.lastFailure.map { CommandFailure($0, wallet.path + ".passes") }
            }.first
        default: nil
        }
    }

    /// A command that goes on with the card, in the same wallet.
    func command(_ words: String) -> String {
        let watchPath = isForWatch ? StoredWallet.watchPath(of: stored.path) : nil
        guard let place = watchPath ?? place else { return "tapwire wallet \(words)" }
        let isPlain = place.allSatisfy { $0.isLetter || $0.isNumber || "/._-+".contains($0) }
        let shown = Markup.shown(place)
        let quoted = "'" + shown.replacing("'", with: "'\\''") + "'"
        return "tapwire wallet \(words) --wallet \(isPlain ? shown : quoted)"
    }

    // MARK: Time

    /// A duration for people.
    static func time(_ duration: Duration) -> String {
        duration <= .zero ? "0 ms" : BenchText.time(UInt64(duration / .nanoseconds(1)))
    }

    static func microseconds(_ duration: Duration) -> Int64 {
        Int64((duration / .microseconds(1)).rounded())
    }
}

/// What the SDK reported.
final class ErrorLog: Sendable {
    private let state = Mutex<[D1Error]>([])
    var errors: [D1Error] { state.withLock { $0 } }
    func append(_ error: D1Error) { state.withLock { $0.append(error) } }
}

/// The issuer's extension without a user interface.
private final class ReportingHandler: D1IssuerProvisioningExtensionHandler {
    private let log: ErrorLog

    init(_ log: ErrorLog) {
        self.log = log
        super.init()
    }

    override func errorEncountered(_ error: D1Error) { log.append(error) }
}

/// The issuer's extension that authenticates the user.
private final class LoginView: D1IssuerProvisioningExtensionAuthorizationProviding {
    var completionHandler: ((PKIssuerProvisioningExtensionAuthorizationResult) -> Void)?
    private let log: ErrorLog

    init(_ log: ErrorLog) { self.log = log }

    func logIn(_ consumerID: String, _ issuerID: String) {
        let authentication = Mutex(AuthenticationResult.cancelled)
        AppProcess.current?.authenticate { result in authentication.withLock { $0 = result } }
        guard authentication.withLock({ $0 }) == .succeeded, let process = AppProcess.current
        else {
            completionHandler?(.canceled)
            return
        }
        var token = try? process.callIssuer("logIn") { server throws(ProvisioningError) in
            try server.logIn(consumerID: consumerID, issuerID: issuerID)
        }
        login(&token) { error in
            if let error { log.append(error) }
            completionHandler?(error == nil ? .authorized : .canceled)
        }
    }
}

/// The issuer's app while its sheet is shown.
private final class SheetDelegate: PKAddPaymentPassViewControllerDelegate {
    private let process: AppProcess
    private let cardID: String
    private let token: Data
    private(set) var pass: PKSecureElementPass?
    private(set) var error: PKAddPaymentPassError?

    init(_ process: AppProcess, cardID: String, token: Data) {
        self.process = process
        self.cardID = cardID
        self.token = token
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        generateRequestWithCertificateChain certificates: [Data],
        nonce: Data,
        nonceSignature: Data,
        completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        let challenge = ProvisioningChallenge(
            certificates: certificates,
            nonce: nonce,
            nonceSignature: nonceSignature
        )
        let response = try? process.callIssuer("encryptPass") { server throws(ProvisioningError) in
            try server.encryptPass(cardID, for: challenge, accessToken: token)
        }
        handler(
            response.flatMap { PKAddPaymentPassRequest(issuerResponse: $0) }
                ?? PKAddPaymentPassRequest()
        )
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        didFinishAdding pass: PKSecureElementPass?,
        error: (any Error)?
    ) {
        self.pass = pass
        self.error = error as? PKAddPaymentPassError
    }
}
