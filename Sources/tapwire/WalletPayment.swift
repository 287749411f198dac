import CommandLineKit
import EMVData
import Emulation
import IssuerHost
import NFCWallet
import Profiles
import Synchronization
import TerminalKernels
import TokenService
import Transport
import VirtualPOS

/// Card, wallet and issuer of one run, made from a card profile.
struct WalletPayment {
    /// What paid, for people.
    let cardName: String
    /// Whether the card's numbers are published test numbers.
    let isPublic: Bool
    private let field = SoftwareField()
    private let wallet: Wallet
    private let tokens: TokenService

    /// How much the account behind the card has, in the smallest unit of any currency.
    private static let availableMinorUnits: UInt64 = 1_000_000
    /// The card in the wallet.
    private static let card = DigitalCard.ID(rawValue: "card")

    /// Personalises the card, issues its token and fetches payment keys.
    /// - Parameters:
    ///   - profile: The card.
    ///   - usesDeviceCVM: Whether the user authenticates on the device.
    ///   - seed: What random numbers follow from; nil for the system's.
    /// - Throws: `ProfilesError` when the profile cannot be personalised, `CommandFailure` when it cannot pay.
    init(_ profile: CardProfile, usesDeviceCVM: Bool, seed: UInt64?) throws {
        cardName = profile.name
        isPublic = profile.isPublic
        let personalization = try CardPersonalization(profile)
        let application = profile.applications[0]
        let account = Account(
            number: application.pan.accountBehind,
            sequenceNumber: 0,
            lastDay: application.expirationDate,
            availableMinorUnits: Self.availableMinorUnits
        )
        let host = IssuerHost(issuers: personalization.issuers, accounts: [account])
        tokens = TokenService(ranges: personalization.issuers, host: host)
        var configuration = Wallet.Configuration()
        configuration.requiresAuthentication = usesDeviceCVM
        if let seed {
            // Not the terminal's numbers, which follow from the seed itself.
            let generator = Mutex(SeededGenerator(seed: ~seed))
            configuration.randomBytes = { count in
                generator.withLock { generator in
                    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                }
            }
        }
        wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: tokens,
            configuration: configuration
        )
        wallet.add(DigitalCard(id: Self.card, label: application.label)) {
            personalization.makeCard()
        }
        do {
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
        } catch {
            throw CommandFailure(.internalFault, "the wallet cannot take the card: \(error)")
        }
    }

    /// Lets the user pay at a terminal.
    func pay(
        _ transaction: Transaction,
        at terminal: POSTerminal,
        _ environment: POSEnvironment
    ) async throws -> TapRun {
        let session = ContactlessPaymentSession(wallet: wallet)
        var events = session.eventStream.makeAsyncIterator()
        var told: [String] = []
        session.startPayment()
        // Everything up to the reader's field follows from calls made here, so nothing is waited for.
        preparation: while let event = await events.next() {
            told.append(event.text)
            switch event {
            case .authenticationRequired(let authentication): authentication.proceed()
            case .authenticationCompleted:
                session.startEmulation()
                break preparation
            default: break
            }
        }
        var environment = environment
        var card = field.makeTransport()
        let report = try terminal.tap(
            transaction,
            over: &card,
            host: tokens,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous)
        )
        session.cancel()
        while let event = await events.next() { told.append(event.text) }
        return TapRun(
            report: report,
            cardName: cardName,
            isPublic: isPublic,
            walletEvents: told
        )
    }
}

extension PrimaryAccountNumber {
    /// The account this number stands for: the next one of the same issuer.
    fileprivate var accountBehind: PrimaryAccountNumber {
        var digits = self.digits
        for index in digits.indices.dropLast().reversed() where index >= 8 {
            digits[index] = (digits[index] + 1) % 10
            if digits[index] != 0 { break }
        }
        for check in 0...9 as ClosedRange<UInt8> {
            digits[digits.count - 1] = check
            if let number = PrimaryAccountNumber(digits: digits), number.hasValidCheckDigit {
                return number
            }
        }
        return self
    }
}

extension ContactlessPaymentSession.Event {
    /// The event, for people.
    fileprivate var text: String {
        switch self {
        case .authenticationRequired: "authenticationRequired"
        case .authenticationCompleted: "authenticationCompleted"
        case .posConnected: "posConnected"
        case .posDisconnected: "posDisconnected"
        case .transactionCompleted(let context):
            switch context.status {
            case .requestedOnline: "transactionCompleted (asked for the issuer)"
            case .approvedOffline: "transactionCompleted (approved offline)"
            case .declined: "transactionCompleted (declined)"
            }
        case .errorEncountered(let error): "errorEncountered (\(error))"
        }
    }
}
