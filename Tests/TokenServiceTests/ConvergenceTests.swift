import CardEngine
import EMVData
import IssuerHost
import NFCWallet
import Profiles
import SecureStore
import Synchronization
import Testing
import TokenService

/// How long a program lives: so many more writes, then nothing it does has any effect.
private final class Lifetime: Sendable {
    private let writesLeft = Mutex<Int?>(nil)

    /// Begins to count; nil for a program that nobody kills.
    func end(after writes: Int?) { writesLeft.withLock { $0 = writes } }

    var hasEnded: Bool { writesLeft.withLock { $0.map { $0 < 0 } ?? false } }

    /// Whether a write still takes place.
    func write() -> Bool {
        writesLeft.withLock { left in
            if let count = left, count >= 0 { left = count - 1 }
            return left.map { $0 >= 0 } ?? true
        }
    }
}

/// The wallet's cards, as long as the program lives.
private final class MortalRecords: WalletRecords {
    private let records = MemoryRecords()
    private let lifetime: Lifetime

    init(_ lifetime: Lifetime) { self.lifetime = lifetime }

    private func check(_ isAlive: Bool) throws(PaymentKeyStoreError) {
        if !isAlive { throw PaymentKeyStoreError() }
    }

    func contents() throws(PaymentKeyStoreError) -> WalletContents {
        try check(!lifetime.hasEnded)
        return records.contents()
    }
    func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(PaymentKeyStoreError) -> Value {
        try check(lifetime.write())
        return records.update(change)
    }
    func record(_ entry: HistoryEntry) throws(PaymentKeyStoreError) {
        try check(lifetime.write())
        records.record(entry)
    }
    func history(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> [HistoryEntry] {
        try check(!lifetime.hasEnded)
        return records.history(of: card)
    }
    func removeHistory(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try check(lifetime.write())
        records.removeHistory(of: card)
    }
}

/// The wallet's keys, as long as the program lives.
private final class MortalKeys: PaymentKeyStore {
    private let keys = MemoryKeyStore()
    private let lifetime: Lifetime

    init(_ lifetime: Lifetime) { self.lifetime = lifetime }

    private func check(_ isAlive: Bool) throws(PaymentKeyStoreError) {
        if !isAlive { throw PaymentKeyStoreError() }
    }

    func count(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> Int {
        try check(!lifetime.hasEnded)
        return keys.count(of: card)
    }
    func terms(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> KeyTerms? {
        try check(!lifetime.hasEnded)
        return keys.terms(of: card)
    }
    func highestCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try check(!lifetime.hasEnded)
        return keys.highestCounter(of: card)
    }
    func spentCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try check(!lifetime.hasEnded)
        return keys.spentCounter(of: card)
    }
    func add(
        to card: DigitalCard.ID,
        _ next: () -> IssuedKey?
    ) throws(PaymentKeyStoreError) {
        try check(lifetime.write())
        keys.add(to: card, next)
    }
    func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) throws(PaymentKeyStoreError) -> UInt64? {
        try check(lifetime.write())
        return keys.reserve(count, of: card, deliver: deliver)
    }
    func giveBack(
        to card: DigitalCard.ID,
        _ next: () -> PaymentKey?
    ) throws(PaymentKeyStoreError) {
        try check(lifetime.write())
        keys.giveBack(to: card, next)
    }
    func removeAll(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try check(lifetime.write())
        keys.removeAll(of: card)
    }
}

/// The server's tokens, which it writes only as long as somebody asks it to.
private final class MortalTokens: TokenRecords {
    private let records = MemoryTokenRecords()
    private let lifetime: Lifetime

    init(_ lifetime: Lifetime) { self.lifetime = lifetime }

    func tokens() throws(SecureStoreError) -> [Token] {
        guard !lifetime.hasEnded else { throw .diskFull }
        return records.tokens()
    }
    func update<Value: Sendable>(
        _ change: (inout [Token]) -> Value
    ) throws(SecureStoreError) -> Value {
        guard lifetime.write() else { throw .diskFull }
        return records.update(change)
    }
}

/// A radio that nobody uses.
private final class NoField: CardField {
    func present(_ card: any EmulatedCard) {}
    func withdraw(_ card: any EmulatedCard) {}
}

/// What is done at the server and in the wallet.
private enum Operation: String, CaseIterable, CustomTestStringConvertible {
    case add, addYellow, activate, suspend, resume, delete, replenish

    var testDescription: String { rawValue }
}

/// A wallet and its server, in programs that are killed and started again.
private final class MortalDesk {
    let lifetime = Lifetime()
    private let records: MortalRecords
    private let keys: MortalKeys
    private let tokenRecords: MortalTokens
    private let post = Post()
    private let colour: DigitizationDecision.Colour
    private(set) var wallet: Wallet
    private(set) var tokens: TokenService

    static let account = "5413330000000019"

    /// The codes that came to the user.
    private final class Post: Sendable {
        let codes = Mutex<[String]>([])
    }

    init(_ colour: DigitizationDecision.Colour) throws {
        self.colour = colour
        records = MortalRecords(lifetime)
        keys = MortalKeys(lifetime)
        tokenRecords = MortalTokens(lifetime)
        (wallet, tokens) = try Self.start(colour, records, keys, tokenRecords, post)
    }

    /// Starts the program anew: what was in memory only is gone.
    func startAnew() throws {
        lifetime.end(after: nil)
        (wallet, tokens) = try Self.start(colour, records, keys, tokenRecords, post)
    }

    private static func start(
        _ colour: DigitizationDecision.Colour,
        _ records: MortalRecords,
        _ keys: MortalKeys,
        _ tokenRecords: MortalTokens,
        _ post: Post
    ) throws -> (Wallet, TokenService) {
        let account = try Account(
            number: #require(PrimaryAccountNumber(text: account)),
            sequenceNumber: 0,
            lastDay: #require(TransactionDate(text: "2030-12-31")),
            availableMinorUnits: 100_000
        )
        var rules = DigitizationRules { _ in [UInt8](CardProfile.builtInJSON(.mastercard).utf8) }
        rules.decide = { _ in colour }
        rules.deliverCode = { _, code in post.codes.withLock { $0.append(code) } }
        let tokens = TokenService(
            ranges: IssuerProfile.builtIn,
            host: IssuerHost(issuers: IssuerProfile.builtIn, accounts: [account]),
            records: tokenRecords,
            rules: rules
        )
        let wallet = Wallet(
            field: NoField(),
            authenticator: SimulatedAuthenticator(),
            service: tokens,
            keys: keys,
            records: records
        )
        return (wallet, tokens)
    }

    var manager: DigitalCardManager { DigitalCardManager(wallet: wallet, server: tokens) }

    private var service: CardDigitizationService {
        CardDigitizationService(wallet: wallet, server: tokens)
    }

    /// The only card; nil when there is none.
    var card: DigitalCard? { get throws { try wallet.cards.first } }

    /// The server's state of the only token that is not deleted; nil when there is none.
    var serverState: DigitalCard.State? {
        get throws {
            let live = try tokenRecords.tokens().filter { $0.status != .deleted }
            #expect(live.count <= 1, "an account has two tokens")
            return try live.first.map { try tokens.state(of: $0.card) }
        }
    }

    /// Enrols the wallet, and brings the card as far as an operation needs it.
    func prepare(_ operation: Operation) async throws -> DigitalCard.ID? {
        for await _ in WalletSecureEnrollmentService(wallet: wallet, server: tokens).enroll() {}
        guard operation != .add, operation != .addYellow else { return nil }
        try perform(.add, nil)
        let id = try #require(try card).id
        if operation == .activate { _ = try service.select(.otpBySMS, for: id) }
        if operation == .resume { try manager.suspend(id) }
        return id
    }

    func perform(_ operation: Operation, _ id: DigitalCard.ID?) throws {
        if operation == .add || operation == .addYellow {
            let plastic = try PlasticCard(
                number: #require(PrimaryAccountNumber(text: Self.account)),
                lastDay: #require(TransactionDate(text: "2030-12-31"))
            )
            let eligibility = try service.checkEligibility(plastic)
            _ = try service.digitizeCard(eligibility, acceptsTerms: true)
            return
        }
        let id = try #require(id)
        switch operation {
        case .add, .addYellow: break
        case .activate: try service.activate(id, code: #require(post.codes.withLock { $0.last }))
        case .suspend: try manager.suspend(id)
        case .resume: try manager.resume(id)
        case .delete: try manager.delete(id)
        case .replenish: try wallet.replenish(id, count: 10)
        }
    }

    /// Whether an error says that the operation was done before.
    static func isDone(_ operation: Operation, _ error: any Error) -> Bool {
        switch operation {
        case .add, .addYellow:
            error as? DigitizationError == .cardAlreadyProvisionedInWallet
        case .suspend:
            error as? WalletError == .illegalTransition(from: .suspended, to: .suspended)
        case .resume: error as? WalletError == .illegalTransition(from: .active, to: .active)
        case .delete: error as? WalletError == .unknownCard
        case .activate, .replenish: false
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct ConvergenceTests {
    /// What the card is to be in the end; nil for gone.
    private func target(_ operation: Operation) -> DigitalCard.State? {
        switch operation {
        case .addYellow: .inactive
        case .suspend: .suspended
        case .delete: nil
        case .add, .activate, .resume, .replenish: .active
        }
    }

    @Test(arguments: Operation.allCases, [false, true])
    private func `what is broken off between server and wallet is finished`(
        _ operation: Operation,
        _ isSynchronized: Bool
    ) async throws {
        let isYellow = operation == .addYellow || operation == .activate
        var deaths = 0
        for writes in 0... {
            try #require(writes < 20, "the operation never ends")
            let desk = try MortalDesk(isYellow ? .yellow : .green)
            let id = try await desk.prepare(operation)
            desk.lifetime.end(after: writes)
            try? desk.perform(operation, id)
            let isKilled = desk.lifetime.hasEnded
            try desk.startAnew()

            if isSynchronized {
                let before = try desk.card
                let changed = try desk.manager.synchronize()
                let after = try desk.card
                // What the wallet has is what the server says, and nothing is told that did not happen.
                if let after { #expect(after.state == (try desk.serverState)) }
                #expect(changed.count == (before?.state == after?.state ? 0 : 1))
                #expect(try desk.manager.synchronize().isEmpty)
            }
            do {
                try desk.perform(operation, id)
            } catch {
                #expect(MortalDesk.isDone(operation, error), "after \(writes) writes: \(error)")
            }
            #expect(try desk.card?.state == target(operation), "after \(writes) writes")
            #expect(try desk.serverState == target(operation), "after \(writes) writes")
            if let card = try desk.card {
                #expect(try desk.wallet.defaultCard == card.id)
                if card.state == .active {
                    try ReplenishmentService(wallet: desk.wallet).replenish(digitalCardID: card.id)
                    #expect(try desk.wallet.paymentCount(of: card.id) >= 10)
                }
            } else {
                #expect(try desk.wallet.defaultCard == nil)
                #expect(try desk.wallet.paymentCount(of: #require(id)) == 0)
            }
            guard isKilled else { break }
            deaths += 1
        }
        #expect(deaths >= 2, "the operation writes in two places")
    }

    @Test func `a program that starts up never takes back what another one is doing`() async throws
    {
        let desk = try MortalDesk(.green)
        _ = try await desk.prepare(.suspend)
        let id = try #require(try desk.card).id
        // The other program has told the server, and is about to tell the wallet.
        try desk.tokens.setState(.suspended, of: id)
        #expect(try desk.manager.synchronize().map(\.state) == [.suspended])
        #expect(try desk.card?.state == .suspended)
        // A server that knows nothing of the card changes nothing.
        let stranger = TokenService(
            ranges: [],
            host: IssuerHost(issuers: [], accounts: [])
        )
        let manager = DigitalCardManager(wallet: desk.wallet, server: stranger)
        #expect(try manager.synchronize().isEmpty)
        #expect(try desk.card?.state == .suspended)
    }
}
