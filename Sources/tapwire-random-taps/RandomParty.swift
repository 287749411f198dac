import BERTLV
import EMVCrypto
import EMVData
import Emulation
import IssuerHost
import NFCWallet
import Profiles
import Synchronization
import TerminalKernels
import TestSupport
import TokenService
import Transport
import VirtualPOS

/// A card with its wallet and issuer, and the terminal it pays at, all made up.
struct RandomParty {
    /// Whose card it is.
    let scheme: Scheme
    /// The issuer's master key for application cryptograms, which an outsider needs to check them.
    let masterKey: [UInt8]
    /// How the card's key comes from it.
    let derivation: MasterKeyDerivation
    /// The keys of the terminal.
    let authorities: [CAPublicKey]

    private let field = SoftwareField()
    private let wallet: Wallet
    private let tokens: TokenService
    private let configuration: TerminalConfiguration

    private static let card = DigitalCard.ID(rawValue: "card")

    /// Makes one up.
    init(_ generator: inout SeededGenerator) throws {
        let profile = RandomProfile(&generator)
        scheme = profile.scheme
        masterKey = profile.masterKey
        derivation = profile.derivation
        configuration = Self.terminal(&generator)
        authorities = configuration.caKeys

        let personalization = try CardPersonalization(profile.card)
        let application = profile.card.applications[0]
        let account = Account(
            number: profile.account,
            sequenceNumber: 0,
            lastDay: application.expirationDate,
            availableMinorUnits: UInt64.random(in: 0...2_000_000, using: &generator)
        )
        let host = IssuerHost(issuers: personalization.issuers, accounts: [account])
        tokens = TokenService(ranges: personalization.issuers, host: host)

        var settings = Wallet.Configuration()
        settings.requiresAuthentication = Bool.random(using: &generator)
        let random = Mutex(SeededGenerator(seed: generator.next()))
        settings.randomBytes = { count in
            random.withLock { random in
                (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            }
        }
        wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: tokens,
            configuration: settings
        )
        try wallet.add(DigitalCard(id: Self.card, label: application.label)) {
            personalization.makeCard()
        }
        try tokens.issue(
            Token(
                number: application.pan,
                sequenceNumber: application.panSequenceNumber,
                lastDay: application.expirationDate,
                version: application.cryptogram,
                account: account.number,
                card: Self.card
            )
        )
        try wallet.setDefaultCard(Self.card)
        try wallet.replenish(Self.card, count: 8)
    }

    /// The built-in terminal somewhere else.
    private static func terminal(_ generator: inout SeededGenerator) -> TerminalConfiguration {
        var configuration = TerminalConfiguration.builtIn
        let types: [UInt8] = [0x21, 0x22, 0x22, 0x25, 0x26]
        configuration.terminalType = types.randomElement(using: &generator) ?? 0x22
        configuration.country = [276, 276, 56, 826, 840].randomElement(using: &generator) ?? 276
        for index in configuration.combinations.indices {
            let floor = UInt64.random(in: 0...5000, using: &generator)
            configuration.combinations[index].floorLimitMinorUnits = floor
            let cvm = UInt64.random(in: 0...10000, using: &generator)
            configuration.combinations[index].cvmLimitMinorUnits = cvm
        }
        return configuration
    }

    /// Lets the wallet pay a random amount at the terminal.
    func pay(_ generator: inout SeededGenerator) async throws -> TapReport {
        let session = ContactlessPaymentSession(wallet: wallet)
        var events = session.eventStream.makeAsyncIterator()
        session.startPayment()
        preparation: while let event = await events.next() {
            switch event {
            case .authenticationRequired(let authentication): authentication.proceed()
            case .authenticationCompleted:
                session.startEmulation()
                break preparation
            default: break
            }
        }
        var environment = POSEnvironment(
            caKeys: configuration.caKeys,
            generator: SeededGenerator(seed: generator.next())
        )
        var card = field.makeTransport()
        let report = try POSTerminal(configuration).tap(
            try Self.transaction(&generator),
            over: &card,
            host: tokens,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous)
        )
        session.cancel()
        while await events.next() != nil {}
        return report
    }

    private static func transaction(_ generator: inout SeededGenerator) throws -> Transaction {
        let currencies: [Currency] = [.eur, .eur, .usd, .gbp]
        let types: [TransactionType] = [.purchase, .purchase, .purchase, .refund, .cash, .cashback]
        let type = types.randomElement(using: &generator) ?? .purchase
        let currency = currencies.randomElement(using: &generator) ?? .eur
        let limit: UInt64 = [1000, 10000, 1_200_000].randomElement(using: &generator) ?? 1000
        let minorUnits = UInt64.random(in: 0...limit, using: &generator)
        let amount = Amount(minorUnits: minorUnits, currency: currency)
        let other = Amount(minorUnits: minorUnits / 2, currency: currency)
        let date = TransactionDate(
            year: Int.random(in: 2024...2034, using: &generator),
            month: Int.random(in: 1...12, using: &generator),
            day: Int.random(in: 1...28, using: &generator)
        )
        guard let amount, let date else { preconditionFailure("every number drawn is in range") }
        return Transaction(
            amount: amount,
            amountOther: type == .cashback ? other : nil,
            type: type,
            date: date,
            time: [0x12, 0x34, 0x56],
            sequenceCounter: UInt32.random(in: 1...99_999_999, using: &generator)
        )
    }
}
