import EMVData
import IssuerHost
import NFCWallet
import Profiles
import TerminalKernels
import TokenService
import Transport
import VirtualPOS

/// Pays from a wallet in a store, as often as one run may without its history forgetting any.
struct Payer {
    /// The card that pays.
    static let card = DigitalCard.ID(rawValue: "kill test")
    /// One less than the history keeps, for what the run before may have left behind.
    static let paymentCount = HistoryEntry.maximumCount - 1

    private let wallet: Wallet
    private let tokens: TokenService
    private let field: JournalField

    init(store path: String, journal: String) throws {
        field = try JournalField(journal: journal)
        let profile = CardProfile.builtIn(.visa)
        let application = profile.applications[0]
        let issuers = try CardPersonalization(profile).issuers
        let account = Account(
            number: application.pan,
            sequenceNumber: application.panSequenceNumber,
            lastDay: application.expirationDate,
            availableMinorUnits: 1_000_000
        )
        tokens = TokenService(
            ranges: issuers,
            host: IssuerHost(issuers: issuers, accounts: [account])
        )
        try tokens.issue(
            Token(
                number: application.pan,
                sequenceNumber: application.panSequenceNumber,
                lastDay: application.expirationDate,
                version: application.cryptogram,
                account: application.pan,
                card: Self.card
            )
        )
        let store = try WalletStore(path: path)
        wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: tokens,
            keys: store,
            records: store
        )
        if try wallet.cards.isEmpty {
            let contents = CardData(
                profile: [UInt8](CardProfile.builtInJSON(.visa).utf8),
                number: application.pan,
                sequenceNumber: application.panSequenceNumber,
                lastDay: application.expirationDate
            )
            try wallet.add(DigitalCard(id: Self.card, label: "Visa", contents: contents))
        }
    }

    func pay() async throws {
        let terminal = try POSTerminal(.builtIn)
        for number in 1...Self.paymentCount {
            if try wallet.paymentCount(of: Self.card) < wallet.reservedKeyCount {
                try wallet.replenish(Self.card, count: 10)
            }
            let session = ContactlessPaymentSession(wallet: wallet)
            session.startPayment(withDigitalCardID: Self.card)
            for await event in session.eventStream {
                switch event {
                case .authenticationRequired(let authentication): authentication.proceed()
                case .authenticationCompleted:
                    session.startEmulation()
                    try tap(terminal, number)
                    session.cancel()
                case .errorEncountered(let error): fail("the session ended with \(error)")
                case .posConnected, .posDisconnected, .transactionCompleted: break
                }
            }
            await session.settled()
        }
    }

    private func tap(_ terminal: POSTerminal, _ number: Int) throws {
        guard let date = TransactionDate(text: "2026-11-30"),
            let amount = Amount(minorUnits: 1_234, currency: .eur)
        else { preconditionFailure("a day and an amount") }
        var environment = POSEnvironment(caKeys: TerminalConfiguration.builtIn.caKeys)
        var reader = field.makeTransport()
        let report = try terminal.tap(
            Transaction(
                amount: amount,
                type: .purchase,
                date: date,
                time: [0x12, 0x00, 0x00],
                sequenceCounter: UInt32(number)
            ),
            over: &reader,
            host: tokens,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous)
        )
        guard report.result == .approvedOnline else {
            fail("the payment ended as \(report.result)")
        }
    }
}
