import BERTLV
import EMVData
import Emulation
import IssuerHost
import NFCWallet
import Profiles
import TerminalKernels
import TestSupport
import Testing
import TokenService
import Transport
import VirtualPOS

/// A card in a wallet, a terminal and an issuer on one desk; everything is as built in until a test changes it.
struct Desk {
    var profile: CardProfile
    var configuration = TerminalConfiguration.builtIn
    var usesDeviceCVM = true
    var date = "2026-11-30"
    /// Changes what the card answers on its way to the terminal.
    var tamper: @Sendable (_ command: [UInt8], _ response: [UInt8]) -> [UInt8] = { $1 }
    /// How often the card is presented.
    var presentations = 1

    init(_ scheme: Scheme) { profile = .builtIn(scheme) }

    /// The first application of the card.
    var application: ApplicationProfile {
        get { profile.applications[0] }
        set { profile.applications[0] = newValue }
    }

    /// Changes every combination of the terminal.
    mutating func configure(_ change: (inout TerminalConfiguration.Combination) -> Void) {
        for index in configuration.combinations.indices {
            change(&configuration.combinations[index])
        }
    }

    /// Sets a data object of every combination of the terminal.
    mutating func set(_ tag: BERTLV.Tag, _ value: [UInt8]) {
        configure { combination in
            combination.dataObjects.removeAll { $0.tag == tag }
            combination.dataObjects.append(DataObject(tag, value))
        }
    }

    /// The issuer's side of the desk.
    func makeTokens(
        policy: KeyPolicy = KeyPolicy(),
        availableMinorUnits: UInt64 = 100_000
    ) throws -> TokenService {
        let issuers = try CardPersonalization(profile).issuers
        let number = try #require(PrimaryAccountNumber(text: "5555555555554444"))
        let account = Account(
            number: number,
            sequenceNumber: 0,
            lastDay: application.expirationDate,
            availableMinorUnits: availableMinorUnits
        )
        let tokens = TokenService(
            ranges: issuers,
            host: IssuerHost(issuers: issuers, accounts: [account]),
            policy: policy
        )
        try tokens.issue(
            Token(
                number: application.pan,
                sequenceNumber: application.panSequenceNumber,
                lastDay: application.expirationDate,
                version: application.cryptogram,
                account: number,
                card: DigitalCard.ID(rawValue: "card")
            )
        )
        return tokens
    }

    func transaction(
        _ minorUnits: UInt64,
        _ type: TransactionType = .purchase,
        other: UInt64? = nil
    ) throws -> Transaction {
        Transaction(
            amount: try #require(Amount(minorUnits: minorUnits, currency: .eur)),
            amountOther: other.flatMap { Amount(minorUnits: $0, currency: .eur) },
            type: type,
            date: try #require(TransactionDate(text: date)),
            time: [0x12, 0x00, 0x00],
            sequenceCounter: 1
        )
    }

    /// Makes one payment.
    func pay(
        _ minorUnits: UInt64,
        _ type: TransactionType = .purchase,
        other: UInt64? = nil,
        tokens given: TokenService? = nil
    ) async throws -> TapReport {
        let tokens = try given ?? makeTokens()
        let field = SoftwareField()
        let wallet = try makeWallet(field, tokens)
        return try await pay(minorUnits, type, other: other, with: wallet, in: field, tokens)
    }

    /// A wallet with the card, as its default one, and keys for eight payments.
    func makeWallet(_ field: SoftwareField, _ tokens: TokenService) throws -> Wallet {
        let personalization = try CardPersonalization(profile)
        let id = DigitalCard.ID(rawValue: "card")
        var configuration = Wallet.Configuration()
        configuration.requiresAuthentication = usesDeviceCVM
        let wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: tokens,
            configuration: configuration
        )
        try wallet.add(DigitalCard(id: id, label: "card")) { personalization.makeCard() }
        try wallet.setDefaultCard(id)
        try wallet.replenish(id, count: 8)
        return wallet
    }

    /// Makes one payment with a wallet.
    func pay(
        _ minorUnits: UInt64,
        _ type: TransactionType = .purchase,
        other: UInt64? = nil,
        with wallet: Wallet,
        in field: SoftwareField,
        _ tokens: TokenService
    ) async throws -> TapReport {
        let session = ContactlessPaymentSession(wallet: wallet)
        _ = await session.startAndShowCard()
        var card = TamperingTransport(base: field.makeTransport(), tamper: tamper)
        let report = try tap(try transaction(minorUnits, type, other: other), &card, tokens)
        session.cancel()
        await session.settled()
        return report
    }

    /// Taps whatever card there is.
    func tap(
        _ transaction: Transaction,
        _ card: inout some Transport & ~Copyable,
        _ host: (any AuthorizationHost)?,
        unpredictableNumbers: [UInt32] = []
    ) throws -> TapReport {
        var environment = POSEnvironment(
            caKeys: configuration.caKeys,
            unpredictableNumbers: unpredictableNumbers,
            generator: SeededGenerator(seed: 1)
        )
        return try POSTerminal(configuration).tap(
            transaction,
            over: &card,
            host: host,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(
                clock: .continuous,
                presentCard: { [presentations] in $0 <= presentations }
            )
        )
    }
}

/// A transport that changes responses.
struct TamperingTransport<Base: Transport & ~Copyable>: Transport, ~Copyable {
    var base: Base
    let tamper: (_ command: [UInt8], _ response: [UInt8]) -> [UInt8]

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        tamper(command, try base.transmit(command))
    }
    mutating func fieldOn() throws(TransportError) { try base.fieldOn() }
    mutating func fieldOff() { base.fieldOff() }
}

/// Flips the last bit of the value of an object, wherever it first stands in a response.
func damage(_ tag: BERTLV.Tag) -> @Sendable ([UInt8], [UInt8]) -> [UInt8] {
    { _, response in
        guard let objects = try? TLV.parse(Array(response.dropLast(2))),
            let found = TLV.first(tag, in: objects), let last = found.value.last
        else { return response }
        var bytes = response
        let encoded = found.encoded
        for start in bytes.indices where bytes[start...].starts(with: encoded) {
            bytes[start + encoded.count - 1] = last ^ 1
            break
        }
        return bytes
    }
}

extension TapReport {
    /// The messages shown, in order.
    var messages: [UserInterfaceRequest.Message] {
        events.compactMap { event in
            if case .message(let request) = event { request.message } else { nil }
        }
    }

    /// The outcomes, in order.
    var statuses: [Outcome.Status] {
        events.compactMap { event in
            if case .outcome(let outcome) = event { outcome.status } else { nil }
        }
    }

    /// Terminal Verification Results (95) as the kernel left them.
    var verificationResults: TerminalVerificationResults? {
        attempt?.report.dataObjects[.terminalVerificationResults]
            .flatMap(TerminalVerificationResults.init(bytes:))
    }

    /// What the card gave (9F27).
    var cryptogramKind: CryptogramKind? {
        attempt?.report.dataObjects[.cryptogramInformationData]
            .flatMap(CryptogramInformationData.init(bytes:))?.kind
    }

    /// Card Transaction Qualifiers (9F6C).
    var cardQualifiers: CardTransactionQualifiers? {
        attempt?.report.dataObjects[.cardTransactionQualifiers]
            .flatMap(CardTransactionQualifiers.init(bytes:))
    }
}
