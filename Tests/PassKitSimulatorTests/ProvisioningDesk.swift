import EMVCrypto
import EMVData
import Emulation
import Foundation
import IssuerHost
import NFCWallet
import PassKitSimulator
import Profiles
import SecureStore
import Synchronization
import TerminalKernels
import TestSupport
import Testing
import TokenService
import Transport
import VirtualPOS

/// All parties of a provisioning, with a terminal at the end.
final class ProvisioningDesk: Sendable {
    let simulation: Simulation
    let clock: VirtualClock
    let connectivity = SimulatedConnectivity()
    let identity: ApplePayIdentity
    let issuer: SimulatedIssuerServer
    let bank: IssuerHost
    let tokens: TokenService
    let server: SimulatedApplePayServer
    let push: SimulatedPushChannel
    let makePhone: @Sendable (Storage) -> Device
    let phone: Device
    let watchDevice: Device
    let watch: SimulatedWatch
    let storage = DeviceStorage()
    let post = Post()
    let secrets = Secrets()
    let date = TestDate()

    /// A device with its wallet and field.
    struct Device: Sendable {
        let field: SoftwareField
        let wallet: Wallet
        let device: SimulatedDevice
    }

    /// The codes that came to the user.
    final class Post: Sendable {
        let codes = Mutex<[String]>([])
        var last: String? { codes.withLock { $0.last } }
    }

    /// The time of the servers, in seconds since 1970: 2026-11-30, 08:00 UTC.
    final class TestDate: Sendable {
        private let seconds = Mutex<Int64>(1_796_025_600)
        var now: Int64 { seconds.withLock { $0 } }
        func advance(by seconds: Int64) { self.seconds.withLock { $0 += seconds } }
    }

    /// Made once: RSA keys take their time.
    static let identity = ApplePayIdentity(now: 1_796_025_600)

    static let app = "com.example.issuer"
    static let group = "group.com.example.issuer"

    /// User A has a Visa card, user B a Mastercard card of another of the issuers and a Visa card.
    static let cards = [
        ("visa-a", "alice", "issuer-1", "4761739001010036", PKPaymentNetwork.visa),
        ("mc-b", "bob", "issuer-2", "5413330089600028", .masterCard),
        ("visa-b", "bob", "issuer-1", "4761739001010135", .visa),
    ]

    /// Where a test keeps what a phone keeps.
    struct Storage: Sendable {
        var keys: any PaymentKeyStore = MemoryKeyStore()
        var records: any WalletRecords = MemoryRecords()
        var passes: any PassRecords = MemoryPassRecords()
        var tokens: any TokenRecords = MemoryTokenRecords()
    }

    init(
        _ decision: DigitizationDecision.Colour? = nil,
        associated: [String] = ["com.example.*"],
        stores: Storage = Storage(),
        identity: ApplePayIdentity = ProvisioningDesk.identity
    ) throws {
        let clock = VirtualClock()
        self.clock = clock
        self.identity = identity
        simulation = Simulation(clock: clock, connectivity: connectivity)
        let now: @Sendable () -> Int64 = { [date] in date.now }
        issuer = try SimulatedIssuerServer(
            simulation,
            cards: Self.cards.map { cardID, consumer, issuerID, number, network in
                try SimulatedIssuerServer.Card(
                    cardID: cardID,
                    consumerID: consumer,
                    issuerID: issuerID,
                    number: #require(PrimaryAccountNumber(text: number)),
                    lastDay: #require(TransactionDate(text: "2030-12-31")),
                    cardholderName: "CARDHOLDER/\(consumer.uppercased())",
                    network: network
                )
            },
            trusting: ProvisioningDesk.identity.rootCertificate,
            now: now
        )
        issuer.decision = decision
        let accounts = try Self.cards.map { card in
            try Account(
                number: #require(PrimaryAccountNumber(text: card.3)),
                sequenceNumber: 0,
                lastDay: #require(TransactionDate(text: "2030-12-31")),
                availableMinorUnits: 100_000
            )
        }
        var rules = DigitizationRules { number in
            [UInt8](
                CardProfile.builtInJSON(number.text.hasPrefix("4") ? .visa : .mastercard).utf8
            )
        }
        rules.weigh = { [issuer] card, reasons throws(DigitizationError) in
            try issuer.decide(card, reasons)
        }
        rules.deliverCode = { [post] _, code in post.codes.withLock { $0.append(code) } }
        bank = IssuerHost(issuers: IssuerProfile.builtIn, accounts: accounts)
        tokens = TokenService(
            ranges: IssuerProfile.builtIn,
            host: bank,
            records: stores.tokens,
            rules: rules,
            now: now
        )
        push = SimulatedPushChannel(simulation)
        var settings = SimulatedApplePayServer.Settings()
        settings.associatedApplicationIdentifiers = associated
        server = SimulatedApplePayServer(
            simulation,
            identity: identity,
            tokens: tokens,
            issuer: issuer,
            push: push,
            settings: settings,
            now: now
        )
        makePhone = { [tokens, secrets] stores in
            Self.makeDevice("iPhone", tokens, stores, secrets, now)
        }
        phone = makePhone(stores)
        watchDevice = Self.makeDevice("Apple Watch", tokens, Storage(), secrets, now)
        watch = SimulatedWatch(watchDevice.device)
        watch.isPaired = false
    }

    private static func makeDevice(
        _ name: String,
        _ tokens: TokenService,
        _ stores: Storage,
        _ secrets: Secrets,
        _ now: @escaping @Sendable () -> Int64
    ) -> Device {
        let identifier = DeviceIdentifier(rawValue: name)
        let service = tokens.service(for: identifier)
        var configuration = Wallet.Configuration()
        configuration.now = now
        let field = SoftwareField()
        let wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: service,
            keys: KeyWitness(stores.keys, secrets),
            records: stores.records,
            configuration: configuration
        )
        return Device(
            field: field,
            wallet: wallet,
            device: SimulatedDevice(
                identifier: identifier,
                name: name,
                secureElement: SimulatedSecureElement(wallet, server: service),
                records: stores.passes
            )
        )
    }

    /// Starts Wallet anew, on the phone or on one that has its files.
    func makeHost(
        _ other: Device? = nil,
        authenticator: SimulatedAuthenticator = SimulatedAuthenticator()
    ) -> SimulatedWalletHost {
        SimulatedWalletHost(
            simulation,
            phone: (other ?? phone).device,
            watch: watch,
            server: server,
            storage: storage,
            authenticator: authenticator
        )
    }

    /// Starts the issuer's app.
    func makeApp(_ host: SimulatedWalletHost, _ bundle: String = app) -> AppProcess {
        AppProcess(
            .issuerApp,
            bundleIdentifier: bundle,
            entitlements: Entitlements(appGroups: [Self.group]),
            host: host,
            issuerServer: issuer,
            simulation: simulation
        )
    }

    func plastic(_ index: Int = 0) throws -> PlasticCard {
        try PlasticCard(
            number: #require(PrimaryAccountNumber(text: Self.cards[index].3)),
            lastDay: #require(TransactionDate(text: "2030-12-31"))
        )
    }

    // MARK: Paying

    /// What a payment came to: what the wallet said, and the terminal.
    struct Payment {
        var error: PaymentError?
        var report: TapReport?
    }

    /// Pays with a card of a device; nil for the default one.
    func pay(_ device: Device, with card: DigitalCard.ID? = nil) async throws -> Payment {
        var report: TapReport?
        // Where no card is shown the terminal waits in vain.
        let error = await hold(device, card) { report = try? tap(device) }
        return Payment(error: error, report: report)
    }

    /// What a reader that selects the payment system environment gets from a card; nil without a card.
    ///
    /// `event` is what happens between the begin of the payment and the reader's command.
    func directory(
        _ device: Device,
        of card: DigitalCard.ID? = nil,
        after event: () -> Void = {}
    ) async -> [UInt8]? {
        var answer: [UInt8]?
        _ = await hold(device, card) {
            event()
            var card = device.field.makeTransport()
            try? card.fieldOn()
            let name = [UInt8]("2PAY.SYS.DDF01".utf8)
            answer = try? card.transmit([0x00, 0xA4, 0x04, 0x00, 0x0E] + name + [0x00])
        }
        return answer
    }

    /// Begins a payment and holds the device to a reader.
    private func hold(
        _ device: Device,
        _ card: DigitalCard.ID?,
        _ read: () -> Void
    ) async -> PaymentError? {
        let session = ContactlessPaymentSession(wallet: device.wallet)
        var events = session.eventStream.makeAsyncIterator()
        var problem: PaymentError?
        session.startPayment(withDigitalCardID: card)
        waiting: while let event = await events.next() {
            switch event {
            case .authenticationRequired(let authentication): authentication.proceed()
            case .authenticationCompleted:
                session.startEmulation()
                break waiting
            case .errorEncountered(let error):
                problem = error
                break waiting
            default: break
            }
        }
        read()
        session.cancel()
        while let event = await events.next() {
            if case .errorEncountered(let error) = event, error != .cancelled {
                problem = problem ?? error
            }
        }
        return problem
    }

    private func tap(_ device: Device) throws -> TapReport {
        var environment = POSEnvironment(
            caKeys: TerminalConfiguration.builtIn.caKeys,
            unpredictableNumbers: [],
            generator: SeededGenerator(seed: 1)
        )
        let transaction = Transaction(
            amount: try #require(Amount(minorUnits: 1_234, currency: .eur)),
            amountOther: nil,
            type: .purchase,
            date: try #require(TransactionDate(text: "2026-11-30")),
            time: [0x12, 0x00, 0x00],
            sequenceCounter: 1
        )
        var card = device.field.makeTransport()
        return try POSTerminal(.builtIn).tap(
            transaction,
            over: &card,
            host: tokens,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous, presentCard: { $0 <= 1 })
        )
    }
}

/// An issuer's app that adds a card with the sheet.
final class SheetApp: PKAddPaymentPassViewControllerDelegate {
    let process: AppProcess
    let cardID: String
    let token: Data
    var pass: PKSecureElementPass?
    var error: PKAddPaymentPassError?
    /// Changes what the issuer's server has made.
    var tamper: (PKAddPaymentPassRequest) -> Void = { _ in }
    var challenges: [ProvisioningChallenge] = []
    /// Whether the app never answers.
    var isSilent = false

    init(_ process: AppProcess, _ index: Int = 0) throws {
        self.process = process
        let card = ProvisioningDesk.cards[index]
        cardID = card.0
        token = try process.issuerServer.logIn(consumerID: card.1, issuerID: card.2)
    }

    /// What is to be added.
    func configuration(
        _ scheme: PKEncryptionScheme = .ECC_V2
    ) throws
        -> PKAddPaymentPassRequestConfiguration
    {
        let card = try #require(
            process.issuerServer.cards(accessToken: token).first { $0.cardID == cardID }
        )
        let configuration = try #require(
            PKAddPaymentPassRequestConfiguration(encryptionScheme: scheme)
        )
        configuration.cardholderName = card.cardholderName
        configuration.primaryAccountSuffix = card.suffix
        configuration.localizedDescription = "Example card"
        configuration.primaryAccountIdentifier = card.primaryAccountIdentifier
        configuration.paymentNetwork = card.network
        return configuration
    }

    func add(
        _ host: SimulatedWalletHost,
        _ scheme: PKEncryptionScheme = .ECC_V2,
        toWatch: Bool = false,
        user: WalletUser = WalletUser()
    ) async throws {
        let configuration = try configuration(scheme)
        let sheet = process.run {
            PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: self)
        }
        pass = nil
        error = nil
        await host.present(try #require(sheet), of: process, toWatch: toWatch, user: user)
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
        challenges.append(challenge)
        guard !isSilent else { return }
        let response = try? process.callIssuer("encryptPass") { server throws(ProvisioningError) in
            try server.encryptPass(cardID, for: challenge, accessToken: token)
        }
        let request =
            response.flatMap { PKAddPaymentPassRequest(issuerResponse: $0) }
            ?? PKAddPaymentPassRequest()
        tamper(request)
        handler(request)
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
