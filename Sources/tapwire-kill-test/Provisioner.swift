import EMVData
import IssuerHost
import NFCWallet
import Profiles
import SecureStore
import Synchronization
import TokenService

/// Adds, activates, suspends, resumes, replenishes and deletes cards, each at the server and in the wallet.
struct Provisioner {
    private let wallet: Wallet
    private let tokens: TokenService
    private let records: StoredTokenRecords
    private let post = Post()

    /// The codes that came to the user.
    private final class Post: Sendable {
        private let code = Mutex("")
        var last: String {
            get { code.withLock { $0 } }
            set { code.withLock { $0 = newValue } }
        }
    }

    private static let accounts = ["4761730000000011", "5413330000000019"]
        .compactMap { PrimaryAccountNumber(text: $0) }

    /// Opens the wallet's store, and the server's beside it; makes them where there are none.
    init(store path: String) throws {
        let application = CardProfile.builtIn(.visa).applications[0]
        let accounts = Self.accounts.map { number in
            Account(
                number: number,
                sequenceNumber: 0,
                lastDay: application.expirationDate,
                availableMinorUnits: 1_000_000
            )
        }
        var rules = DigitizationRules { number in
            let scheme = Scheme.allCases.first { scheme in
                CardProfile.builtIn(scheme).applications[0].pan.text.prefix(6)
                    == number.text.prefix(6)
            }
            return scheme.map { [UInt8](CardProfile.builtInJSON($0).utf8) }
        }
        rules.decide = { _ in .yellow }
        rules.deliverCode = { [post] _, code in post.last = code }
        records = try StoredTokenRecords(path: path + ".bank")
        tokens = TokenService(
            ranges: IssuerProfile.builtIn,
            host: IssuerHost(issuers: IssuerProfile.builtIn, accounts: accounts),
            records: records,
            rules: rules
        )
        let store = try WalletStore(path: path)
        wallet = Wallet(
            field: NoField(),
            authenticator: SimulatedAuthenticator(),
            service: tokens,
            keys: store,
            records: store
        )
    }

    private var manager: DigitalCardManager { DigitalCardManager(wallet: wallet, server: tokens) }

    /// Takes each account's card through its life, from wherever the run before has left it.
    func run() async throws {
        for await state in WalletSecureEnrollmentService(wallet: wallet, server: tokens).enroll() {
            if case .errorEncountered(let error) = state { fail("not enrolled: \(error)") }
        }
        try manager.synchronize()
        for account in Self.accounts {
            let card = try card(of: account)
            if try state(of: card) == .suspended { try manager.resume(card) }
            if try state(of: card) == .inactive { try activate(card) }
            try ReplenishmentService(wallet: wallet).replenish(digitalCardID: card, isForced: true)
            try manager.suspend(card)
            try manager.resume(card)
            try manager.delete(card)
        }
    }

    /// The account's card; added where the wallet has none.
    private func card(of account: PrimaryAccountNumber) throws -> DigitalCard.ID {
        let isOurs = { (card: DigitalCard) in
            card.contents?.number.text.prefix(6) == account.text.prefix(6)
        }
        if let card = try wallet.cards.first(where: isOurs) { return card.id }
        let service = CardDigitizationService(wallet: wallet, server: tokens)
        let lastDay = CardProfile.builtIn(.visa).applications[0].expirationDate
        let plastic = PlasticCard(number: account, lastDay: lastDay)
        switch try service.digitizeCard(service.checkEligibility(plastic), acceptsTerms: true) {
        case .digitizationApproved(let id), .digitizationApprovedWithIDV(let id, _): return id
        case .digitizationDeclined: fail("a card was declined")
        }
    }

    private func activate(_ card: DigitalCard.ID) throws {
        let service = CardDigitizationService(wallet: wallet, server: tokens)
        try service.select(.otpBySMS, for: card).activate(otp: post.last)
    }

    private func state(of card: DigitalCard.ID) throws -> DigitalCard.State? {
        try wallet.cards.first { $0.id == card }?.state
    }

    /// Looks whether wallet and server agree once the wallet has been opened, and each account can have its card.
    /// - Returns: How many cards were in another state than at the server.
    func check() throws -> Int {
        let count = try manager.synchronize().count
        for card in try wallet.cards where try tokens.state(of: card.id) != card.state {
            fail("\(card.label) is \(card.state) in the wallet, and not at the server")
        }
        let live = try records.tokens().filter { $0.status != .deleted }
        guard Set(live.map(\.account)).count == live.count else {
            fail("an account has two tokens")
        }
        guard try wallet.isEnrolled else { return count }
        for account in Self.accounts {
            let card = try card(of: account)
            guard tokens.token(of: card)?.account == account else {
                fail("the wallet's card is not the account's")
            }
        }
        return count
    }
}

/// A radio that nobody uses.
private final class NoField: CardField {
    func present(_ card: any EmulatedCard) {}
    func withdraw(_ card: any EmulatedCard) {}
}
