import EMVCrypto
import EMVData
import IssuerHost
import NFCWallet
import Profiles
import SecureStore
import Synchronization
import TerminalKernels
import TestSupport
import TokenService
import Transport
import VirtualPOS

/// Pays from a wallet in a store, in turn with each kind of card, as often as one run may without a history forgetting any.
struct Payer {
    /// A card that pays.
    struct Card: Sendable {
        var id: DigitalCard.ID
        var scheme: Scheme
        /// The token it shows.
        var number: String
        /// The account behind it.
        var account: String
        /// Whether it has limited-use keys instead of single-use ones.
        var usesLimitedUseKeys = false

        fileprivate var application: ApplicationProfile {
            CardProfile.builtIn(scheme).applications[0]
        }

        fileprivate var version: ApplicationCryptogram {
            usesLimitedUseKeys ? .visaCVN43 : application.cryptogram
        }
    }

    /// The cards that pay.
    static let cards = [
        Card(
            id: DigitalCard.ID(rawValue: "visa-suk"),
            scheme: .visa,
            number: "4761739000000004",
            account: "4761730000000011"
        ),
        Card(
            id: DigitalCard.ID(rawValue: "visa-luk"),
            scheme: .visa,
            number: "4761739000000012",
            account: "4761730000000011",
            usesLimitedUseKeys: true
        ),
        Card(
            id: DigitalCard.ID(rawValue: "mastercard-suk"),
            scheme: .mastercard,
            number: "5413339000000002",
            account: "5413330000000019"
        ),
    ]

    /// Three of each card: with what the run before may have left behind, no history forgets one.
    static let paymentCount = 3 * cards.count
    /// What each payment is of, in cents.
    private static let minorUnits: UInt64 = 1_234
    /// How many payments a limited-use key's sum is enough for.
    private static let paymentsPerSum: UInt64 = 4

    private let wallet: Wallet
    private let tokens: TokenService
    private let field: JournalField
    /// Whether some payments cannot be put down.
    private let isForgetful: Bool

    /// Opens the wallet's store, and the server's beside it; makes them where there are none.
    /// - Parameters:
    ///   - path: The wallet's store.
    ///   - journal: Where the terminal writes what it has got.
    ///   - forgetting: The seed of what decides which payments cannot be put down; nil where each can.
    /// - Throws: What is wrong with a store.
    init(store path: String, journal: String, forgetting: UInt64?) throws {
        field = try JournalField(journal: journal)
        isForgetful = forgetting != nil
        let lastDay = Self.cards[0].application.expirationDate
        let accounts = Set(Self.cards.map(\.account)).compactMap(PrimaryAccountNumber.init(text:))
        var policy = KeyPolicy()
        policy.amountLimitMinorUnits = Self.minorUnits * Self.paymentsPerSum
        tokens = TokenService(
            ranges: IssuerProfile.builtIn,
            host: IssuerHost(
                issuers: IssuerProfile.builtIn,
                accounts: accounts.map { number in
                    Account(
                        number: number,
                        sequenceNumber: 0,
                        lastDay: lastDay,
                        availableMinorUnits: 1_000_000
                    )
                }
            ),
            records: try StoredTokenRecords(path: path + ".bank"),
            policy: policy
        )
        let store = try WalletStore(path: path)
        wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: tokens,
            keys: store,
            records: forgetting.map { ForgetfulRecords(store, seed: $0) as any WalletRecords }
                ?? store
        )
        for card in Self.cards { try take(card) }
    }

    /// Puts a card into the wallet, and its token into service, unless a run before has.
    private func take(_ card: Card) throws {
        guard let number = PrimaryAccountNumber(text: card.number),
            let account = PrimaryAccountNumber(text: card.account)
        else { fail("\(card.id.rawValue) has no number") }
        let lastDay = card.application.expirationDate
        if tokens.token(of: card.id) == nil {
            try tokens.issue(
                Token(
                    number: number,
                    sequenceNumber: 1,
                    lastDay: lastDay,
                    version: card.version,
                    account: account,
                    card: card.id
                )
            )
        }
        guard try !wallet.cards.contains(where: { $0.id == card.id }) else { return }
        let contents = CardData(
            profile: [UInt8](CardProfile.builtInJSON(card.scheme).utf8),
            number: number,
            sequenceNumber: 1,
            lastDay: lastDay,
            usesLimitedUseKeys: card.usesLimitedUseKeys
        )
        try wallet.add(DigitalCard(id: card.id, label: card.id.rawValue, contents: contents))
    }

    func pay() async throws {
        let terminal = try POSTerminal(.builtIn)
        for number in 1...Self.paymentCount {
            let card = Self.cards[number % Self.cards.count]
            if try wallet.paymentCount(of: card.id) < wallet.reservedKeyCount {
                try wallet.replenish(card.id, count: 10)
            }
            field.name(card.id.rawValue)
            let session = ContactlessPaymentSession(wallet: wallet)
            session.startPayment(withDigitalCardID: card.id)
            for await event in session.eventStream {
                switch event {
                case .authenticationRequired(let authentication): authentication.proceed()
                case .authenticationCompleted:
                    session.startEmulation()
                    // Nothing is paid before what was paid is put down.
                    if isForgetful, !session.isShowingCard { break }
                    try tap(terminal, number)
                    session.cancel()
                case .errorEncountered(.keychainError) where isForgetful: break
                case .errorEncountered(let error): fail("the session ended with \(error)")
                case .posConnected, .posDisconnected, .transactionCompleted: break
                }
            }
            await session.settled()
        }
    }

    private func tap(_ terminal: POSTerminal, _ number: Int) throws {
        guard let date = TransactionDate(text: "2026-11-30"),
            let amount = Amount(minorUnits: Self.minorUnits, currency: .eur)
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

/// A wallet's records that cannot put down every fourth payment or so, as on a disk that is full now and then.
private final class ForgetfulRecords: WalletRecords {
    private let base: WalletStore
    private let generator: Mutex<SeededGenerator>

    init(_ base: WalletStore, seed: UInt64) {
        self.base = base
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func record(_ entry: HistoryEntry) throws(PaymentKeyStoreError) {
        let isForgotten = generator.withLock { Int.random(in: 0..<4, using: &$0) == 0 }
        guard !isForgotten else { throw PaymentKeyStoreError(.diskFull) }
        try base.record(entry)
    }

    func contents() throws(PaymentKeyStoreError) -> WalletContents { try base.contents() }
    func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(PaymentKeyStoreError) -> Value {
        try base.update(change)
    }
    func history(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> [HistoryEntry] {
        try base.history(of: card)
    }
    func removeHistory(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try base.removeHistory(of: card)
    }
}
