import CardEngine
import EMVCrypto
import EMVData
import Foundation
import IssuerHost
import NFCWallet
import Profiles
import SecureStore
import Synchronization
import TestSupport
import Testing
import TokenService

/// A server that can be cut off, and counts what it is asked for.
final class FlakyServer: CardService {
    let tokens: TokenService
    private let state = Mutex<(error: CredentialError?, requestCount: Int)>((nil, 0))

    init(_ tokens: TokenService) { self.tokens = tokens }

    func fail(_ error: CredentialError?) { state.withLock { $0.error = error } }
    var requestCount: Int { state.withLock(\.requestCount) }

    private func check() throws(CredentialError) {
        let error = state.withLock { state in
            state.requestCount += 1
            return state.error
        }
        if let error { throw error }
    }

    func enroll() throws(CredentialError) {
        try check()
        try tokens.enroll()
    }
    func checkEligibility(
        _ card: PlasticCard,
        for wallet: WalletID
    ) throws(DigitizationError) -> CardEligibility {
        try tokens.checkEligibility(card, for: wallet)
    }
    func digitize(_ eligibility: CardEligibility) throws(DigitizationError) -> DigitizationDecision
    {
        try tokens.digitize(eligibility)
    }
    func select(_ method: IDVMethod, for card: DigitalCard.ID) throws(DigitizationError) {
        try tokens.select(method, for: card)
    }
    func activate(_ card: DigitalCard.ID, code: String) throws(DigitizationError) {
        try tokens.activate(card, code: code)
    }
    func setState(_ state: DigitalCard.State, of card: DigitalCard.ID) throws(CredentialError) {
        try check()
        try tokens.setState(state, of: card)
    }
    func state(of card: DigitalCard.ID) throws(CredentialError) -> DigitalCard.State {
        try check()
        return try tokens.state(of: card)
    }
    func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        try check()
        try tokens.replenish(card, after: counter, count: count, deliver: deliver)
    }
}

/// A radio that nobody uses.
private final class NoField: CardField {
    func present(_ card: any EmulatedCard) {}
    func withdraw(_ card: any EmulatedCard) {}
}

/// An account, a token service and a wallet that has no card yet.
struct Provisioning {
    let tokens: TokenService
    let server: FlakyServer
    let wallet: Wallet
    let records = MemoryTokenRecords()
    let keys: MemoryKeyStore
    /// The time, in seconds since 1970: 2026-11-30, 08:00 UTC.
    let clock = Clock()
    /// The codes that came to the user.
    let post = Post()
    let scheme: Scheme

    final class Clock: Sendable {
        let seconds = Mutex<Int64>(1_796_025_600)
        func advance(by seconds: Int64) { self.seconds.withLock { $0 += seconds } }
    }

    final class Post: Sendable {
        let codes = Mutex<[(IDVMethod, String)]>([])
    }

    static let accounts: [Scheme: String] = [
        .visa: "4761730000000011", .mastercard: "5413330000000019",
    ]

    init(
        _ scheme: Scheme = .visa,
        colour: DigitizationDecision.Colour = .green,
        isEnrolled: Bool = true,
        policy: KeyPolicy = KeyPolicy()
    ) async throws {
        self.scheme = scheme
        let now: @Sendable () -> Int64 = { [clock] in clock.seconds.withLock { $0 } }
        let accounts = try Self.accounts.values.map { text in
            try Account(
                number: #require(PrimaryAccountNumber(text: text)),
                sequenceNumber: 0,
                lastDay: #require(TransactionDate(text: "2030-12-31")),
                availableMinorUnits: 100_000
            )
        }
        var rules = DigitizationRules { number in
            number.text.hasPrefix("4")
                ? [UInt8](CardProfile.builtInJSON(.visa).utf8)
                : [UInt8](CardProfile.builtInJSON(.mastercard).utf8)
        }
        rules.decide = { _ in colour }
        rules.deliverCode = { [post] method, code in
            post.codes.withLock { $0.append((method, code)) }
        }
        rules.verificationValue = { $0.text.hasPrefix("4") ? "123" : nil }
        tokens = TokenService(
            ranges: IssuerProfile.builtIn,
            host: IssuerHost(issuers: IssuerProfile.builtIn, accounts: accounts),
            records: records,
            rules: rules,
            policy: policy,
            now: now
        )
        server = FlakyServer(tokens)
        var configuration = Wallet.Configuration()
        configuration.now = now
        keys = MemoryKeyStore(now: now)
        wallet = Wallet(
            field: NoField(),
            authenticator: SimulatedAuthenticator(),
            service: server,
            keys: keys,
            records: MemoryRecords(now: now),
            configuration: configuration
        )
        guard isEnrolled else { return }
        for await _ in WalletSecureEnrollmentService(wallet: wallet, server: server).enroll() {}
    }

    var service: CardDigitizationService {
        CardDigitizationService(wallet: wallet, server: server)
    }

    func plastic() throws -> PlasticCard {
        try PlasticCard(
            number: #require(PrimaryAccountNumber(text: Self.accounts[scheme] ?? "")),
            lastDay: #require(TransactionDate(text: "2030-12-01")),
            verificationValue: "123"
        )
    }

    func digitize() throws -> CardDigitizationService.State {
        try service.digitizeCard(service.checkEligibility(plastic()), acceptsTerms: true)
    }

    /// The card of a green decision.
    func card() throws -> DigitalCard.ID {
        guard case .digitizationApproved(let id) = try digitize() else { throw NotApproved() }
        return id
    }

    struct NotApproved: Error {}
}

@Suite(.timeLimit(.minutes(5))) struct DigitizationTests {
    @Test func `green: the card is in the wallet, is the default one and has keys`() async throws {
        let desk = try await Provisioning()
        let id = try desk.card()
        let card = try #require(desk.wallet.cards.first)
        #expect(card.id == id && card.state == .active)
        #expect(try desk.wallet.defaultCard == id)
        #expect(try desk.wallet.paymentKeyInfo(of: id).numberOfPaymentsLeft == 10)
        let token = try #require(desk.tokens.token(of: id))
        #expect(token.status == .active)
        // The token is another number than the account, of the same range, and good by its check digit.
        #expect(token.number == card.contents?.number)
        #expect(token.number != token.account && token.account.text == "4761730000000011")
        #expect(token.number.hasValidCheckDigit)
    }

    @Test(arguments: [DigitizationDecision.Colour.yellow, .orange])
    func `yellow and orange: no key before the user has proved who he is`(
        _ colour: DigitizationDecision.Colour
    ) async throws {
        let desk = try await Provisioning(colour: colour)
        guard case .digitizationApprovedWithIDV(let id, let methods) = try desk.digitize() else {
            throw Provisioning.NotApproved()
        }
        #expect(
            methods
                == (colour == .yellow
                    ? [.otpBySMS, .otpByEmail, .customerService] : [.customerService])
        )
        #expect(try desk.wallet.cards.map(\.state) == [.inactive])
        #expect(try desk.wallet.paymentCount(of: id) == 0)
        #expect(throws: ReplenishmentError.serverError) {
            try ReplenishmentService(wallet: desk.wallet).replenish(digitalCardID: id)
        }
        if colour == .orange {
            #expect(throws: DigitizationError.clientError) {
                try desk.service.select(.otpBySMS, for: id)
            }
        }
        let pending = try desk.service.select(methods[0], for: id)
        #expect(pending.needsOTP == (colour == .yellow))
        let codes = desk.post.codes.withLock { $0 }
        #expect(codes.count == (colour == .yellow ? 1 : 0))
        try pending.activate(otp: codes.first?.1 ?? "")
        #expect(try desk.wallet.cards.map(\.state) == [.active])
        #expect(try desk.wallet.paymentCount(of: id) == 10)
        // The same answer once more, and another one.
        try pending.activate(otp: codes.first?.1 ?? "")
        #expect(throws: DigitizationError.unknownCardID) { try pending.activate(otp: "other") }
    }

    @Test func `three wrong codes, and the right one comes too late`() async throws {
        let desk = try await Provisioning(colour: .yellow)
        guard case .digitizationApprovedWithIDV(let id, _) = try desk.digitize() else {
            throw Provisioning.NotApproved()
        }
        var pending = try desk.service.select(.otpBySMS, for: id)
        for left in [2, 1, 0, 0] {
            #expect(throws: DigitizationError.invalidInput(attemptsLeft: left)) {
                try pending.activate(otp: "wrong")
            }
        }
        let code = try #require(desk.post.codes.withLock { $0.last?.1 })
        #expect(code.count == 6)
        #expect(throws: DigitizationError.invalidInput(attemptsLeft: 0)) {
            try pending.activate(otp: code)
        }
        #expect(try desk.wallet.cards.map(\.state) == [.inactive])
        // A new code is a new chance.
        pending = try desk.service.select(.otpByEmail, for: id)
        try pending.activate(otp: #require(desk.post.codes.withLock { $0.last?.1 }))
        #expect(try desk.wallet.cards.map(\.state) == [.active])
    }

    @Test func `a code that nobody asked for, and one that is too old, are told as such`()
        async throws
    {
        let desk = try await Provisioning(colour: .yellow)
        guard case .digitizationApprovedWithIDV(let id, _) = try desk.digitize() else {
            throw Provisioning.NotApproved()
        }
        #expect(throws: DigitizationError.codeNotRequested) {
            try desk.service.activate(id, code: "123456")
        }
        let pending = try desk.service.select(.otpBySMS, for: id)
        let code = try #require(desk.post.codes.withLock { $0.last?.1 })
        desk.clock.advance(by: 10 * 60)
        for code in [code, "wrong"] {
            #expect(throws: DigitizationError.codeExpired) { try pending.activate(otp: code) }
        }
        #expect(try desk.wallet.cards.map(\.state) == [.inactive])
        desk.clock.advance(by: -1)
        try pending.activate(otp: code)
        #expect(try desk.wallet.cards.map(\.state) == [.active])
    }

    @Test func `red: no token and no card`() async throws {
        let desk = try await Provisioning(colour: .red)
        #expect(try desk.digitize() == .digitizationDeclined)
        #expect(try desk.wallet.cards.isEmpty)
        #expect(desk.records.tokens().isEmpty)
    }

    @Test func `each refusal has its own error and leaves nothing`() async throws {
        let desk = try await Provisioning()
        var card = try desk.plastic()
        card.verificationValue = "124"
        #expect(throws: DigitizationError.incorrectCVV) { try desk.service.checkEligibility(card) }
        card = try desk.plastic()
        card.lastDay = try #require(TransactionDate(text: "2030-11-30"))
        #expect(throws: DigitizationError.incorrectCVV) { try desk.service.checkEligibility(card) }
        card.number = try #require(PrimaryAccountNumber(text: "4761739001010028"))
        #expect(throws: DigitizationError.fpanNotEligible) {
            try desk.service.checkEligibility(card)
        }
        card.number = try #require(PrimaryAccountNumber(text: "6011000990139424"))
        #expect(throws: DigitizationError.unknownBIN) { try desk.service.checkEligibility(card) }
        let eligibility = try desk.service.checkEligibility(desk.plastic())
        #expect(throws: DigitizationError.termsNotAccepted) {
            try desk.service.digitizeCard(eligibility, acceptsTerms: false)
        }
        #expect(try desk.wallet.cards.isEmpty)
        _ = try desk.service.digitizeCard(eligibility, acceptsTerms: true)
        #expect(throws: DigitizationError.clientError) {
            try desk.service.digitizeCard(eligibility, acceptsTerms: true)
        }
        #expect(throws: DigitizationError.cardAlreadyProvisionedInWallet) { try desk.digitize() }
        let stranger = try await Provisioning(isEnrolled: false)
        #expect(throws: DigitizationError.missingWalletSecureEnrollment) { try stranger.digitize() }
    }

    @Test func `enrolment tells how it goes, and fails without a server`() async throws {
        let desk = try await Provisioning(isEnrolled: false)
        let service = WalletSecureEnrollmentService(wallet: desk.wallet, server: desk.server)
        desk.server.fail(.networkError)
        var states: [WalletSecureEnrollmentService.State] = []
        for await state in service.enroll() { states.append(state) }
        #expect(states == [.started, .errorEncountered(.networkError)])
        #expect(!service.isEnrolled)
        desk.server.fail(nil)
        states = []
        for await state in service.enroll() { states.append(state) }
        #expect(states == [.started, .completed])
        #expect(service.isEnrolled)
        try desk.wallet.wipe()
        #expect(!service.isEnrolled)
    }

    @Test func `a deleted card's account gets another token`() async throws {
        let desk = try await Provisioning()
        let first = try desk.card()
        let number = try #require(desk.tokens.token(of: first)?.number)
        let manager = DigitalCardManager(wallet: desk.wallet, server: desk.server)
        try manager.delete(first)
        #expect(try desk.wallet.cards.isEmpty)
        #expect(try desk.wallet.defaultCard == nil)
        #expect(desk.tokens.token(of: first)?.status == .deleted)
        let second = try desk.card()
        #expect(desk.tokens.token(of: second)?.number != number)
    }

    @Test func `cards are suspended, resumed and deleted on both sides, or on none`() async throws {
        let desk = try await Provisioning()
        let id = try desk.card()
        let manager = DigitalCardManager(wallet: desk.wallet, server: desk.server)
        try manager.suspend(id)
        #expect(try desk.wallet.cards.first?.state == .suspended)
        #expect(desk.tokens.token(of: id)?.status == .suspended)
        #expect(throws: WalletError.illegalTransition(from: .suspended, to: .suspended)) {
            try manager.suspend(id)
        }
        try manager.resume(id)
        #expect(throws: WalletError.illegalTransition(from: .active, to: .active)) {
            try manager.resume(id)
        }
        desk.server.fail(.networkError)
        #expect(throws: WalletError.credentials(.networkError)) { try manager.delete(id) }
        #expect(try desk.wallet.cards.first?.state == .active)
        desk.server.fail(.unknownCard)
        #expect(throws: WalletError.credentials(.unknownCard)) { try manager.suspend(id) }
        try manager.delete(id)
        #expect(try desk.wallet.cards.isEmpty)
        #expect(throws: WalletError.unknownCard) {
            try manager.suspend(DigitalCard.ID(rawValue: "unknown"))
        }
    }

    @Test func `pushes may come twice and in any order`() async throws {
        let desk = try await Provisioning()
        let id = try desk.card()
        let manager = DigitalCardManager(wallet: desk.wallet, server: desk.server)
        let pushes: [WalletPush] = [
            .stateChanged(id, .suspended), .stateChanged(id, .suspended),
            .stateChanged(id, .active), .replenishmentNeeded(id), .replenishmentNeeded(id),
            .stateChanged(id, .retired), .stateChanged(id, .active), .replenishmentNeeded(id),
        ]
        for push in pushes { try manager.receive(push) }
        #expect(try desk.wallet.cards.isEmpty)
        #expect(desk.tokens.token(of: id)?.highestCounter == 30)
    }

    @Test(arguments: [(7, true), (6, false)])
    func `keys are fetched when three payments are left, and not before`(
        _ spent: Int,
        _ isFetched: Bool
    ) async throws {
        let desk = try await Provisioning(.mastercard)
        let id = try desk.card()
        desk.keys.reserve(spent, of: id) { _ in }
        let service = ReplenishmentService(wallet: desk.wallet)
        #expect(try desk.wallet.paymentKeyInfo(of: id).needsReplenishment == isFetched)
        #expect(try service.replenish(digitalCardID: id) == isFetched)
        let left = 10 - spent + (isFetched ? 10 : 0)
        #expect(try desk.wallet.paymentKeyInfo(of: id).numberOfPaymentsLeft == left)
    }

    @Test(arguments: [CredentialError.networkError, .serverError])
    func `without a server the card keeps its keys, and gets more when it is back`(
        _ error: CredentialError
    ) async throws {
        let desk = try await Provisioning(.mastercard)
        let id = try desk.card()
        desk.keys.reserve(8, of: id) { _ in }
        let service = ReplenishmentService(wallet: desk.wallet)
        let manager = DigitalCardManager(wallet: desk.wallet, server: desk.server)
        desk.server.fail(error)
        let told: ReplenishmentError = error == .networkError ? .networkError : .serverError
        #expect(throws: told) { try service.replenish(digitalCardID: id) }
        #expect(throws: told) { try manager.receive(.replenishmentNeeded(id)) }
        #expect(try desk.wallet.paymentKeyInfo(of: id).numberOfPaymentsLeft == 2)
        desk.server.fail(nil)
        #expect(try service.replenish(digitalCardID: id))
        #expect(try desk.wallet.paymentKeyInfo(of: id).numberOfPaymentsLeft == 12)
        // A push fetches keys however many are left.
        try manager.receive(.replenishmentNeeded(id))
        #expect(try desk.wallet.paymentKeyInfo(of: id).numberOfPaymentsLeft == 22)
    }

    @Test func `replenishment waits until few are left, unless it is forced`() async throws {
        let desk = try await Provisioning(.mastercard)
        let id = try desk.card()
        let service = ReplenishmentService(wallet: desk.wallet)
        let before = desk.server.requestCount
        #expect(try !service.replenish(digitalCardID: id))
        #expect(desk.server.requestCount == before)
        #expect(try service.replenish(digitalCardID: id, isForced: true))
        #expect(try desk.wallet.paymentKeyInfo(of: id).numberOfPaymentsLeft == 20)
        #expect(try desk.wallet.paymentKeyInfo(of: id).keyType == .singleUse)
        #expect(try desk.wallet.paymentKeyInfo(of: id).expiryDate == nil)
        for (error, told) in [
            (CredentialError.networkError, ReplenishmentError.networkError),
            (.serverError, .serverError), (.clientError, .clientError),
        ] {
            desk.server.fail(error)
            #expect(throws: told) { try service.replenish(digitalCardID: id, isForced: true) }
        }
        desk.server.fail(nil)
        #expect(throws: ReplenishmentError.clientError) {
            try service.replenish(digitalCardID: DigitalCard.ID(rawValue: "unknown"))
        }
        try desk.wallet.wipe()
        #expect(throws: ReplenishmentError.missingWalletSecureEnrollment) {
            try service.replenish(digitalCardID: id)
        }
        let unsafe = try await Provisioning(.mastercard)
        var configuration = Wallet.Configuration()
        configuration.isEnvironmentSafe = { false }
        let wallet = Wallet(
            field: NoField(),
            authenticator: SimulatedAuthenticator(),
            service: unsafe.server,
            configuration: configuration
        )
        #expect(throws: ReplenishmentError.deviceEnvironmentUnsafe) {
            try ReplenishmentService(wallet: wallet).replenish(digitalCardID: id)
        }
    }

    @Test func `a card gets keys as often as its issuer lets it, then it must be added anew`()
        async throws
    {
        var policy = KeyPolicy()
        policy.maximumReplenishmentCount = 3
        let desk = try await Provisioning(.mastercard, policy: policy)
        let id = try desk.card()
        let service = ReplenishmentService(wallet: desk.wallet)
        for _ in 2...3 { try service.replenish(digitalCardID: id, isForced: true) }
        #expect(throws: ReplenishmentError.serverError) {
            try service.replenish(digitalCardID: id, isForced: true)
        }
        #expect(throws: WalletError.credentials(.replenishmentLimitReached)) {
            try desk.wallet.replenish(id, count: 10)
        }
        #expect(try desk.wallet.paymentCount(of: id) == 30)
        #expect(desk.tokens.token(of: id)?.highestCounter == 30)
        try DigitalCardManager(wallet: desk.wallet, server: desk.server).delete(id)
        #expect(try desk.wallet.paymentCount(of: desk.card()) == 10)
    }

    @Test func `an account has a token in one wallet only`() async throws {
        let desk = try await Provisioning()
        let first = try desk.card()
        let other = Wallet(
            field: NoField(),
            authenticator: SimulatedAuthenticator(),
            service: desk.server
        )
        for await _ in WalletSecureEnrollmentService(wallet: other, server: desk.server).enroll() {}
        let service = CardDigitizationService(wallet: other, server: desk.server)
        #expect(throws: DigitizationError.cardAlreadyProvisionedInWallet) {
            try service.checkEligibility(desk.plastic())
        }
        // The other wallet is lost for good, or this one is.
        try desk.tokens.deleteTokens(ofWalletsOtherThan: desk.wallet.walletID)
        #expect(desk.tokens.token(of: first)?.status == .active)
        try desk.tokens.deleteTokens(ofWalletsOtherThan: other.walletID)
        #expect(desk.tokens.token(of: first)?.status == .deleted)
        let eligibility = try service.checkEligibility(desk.plastic())
        #expect(try other.cards.isEmpty)
        _ = try service.digitizeCard(eligibility, acceptsTerms: true)
        #expect(try other.cards.count == 1)
    }

    @Test func `a limited-use key has a count and an end`() async throws {
        var policy = KeyPolicy()
        policy.paymentCount = 4
        policy.lifetimeSeconds = 3_600
        let desk = try await Provisioning(policy: policy)
        let id = try desk.card()
        var info = try desk.wallet.paymentKeyInfo(of: id)
        #expect(info.numberOfPaymentsLeft == 4)
        #expect(info.keyType == .limitedUse)
        #expect(info.expiryDate == 1_796_029_200)
        #expect(!info.needsReplenishment)
        desk.clock.advance(by: 3_600)
        info = try desk.wallet.paymentKeyInfo(of: id)
        #expect(info.numberOfPaymentsLeft == 0 && info.needsReplenishment)
        #expect(try ReplenishmentService(wallet: desk.wallet).replenish(digitalCardID: id))
        #expect(try desk.wallet.paymentKeyInfo(of: id).numberOfPaymentsLeft == 4)
        #expect(desk.tokens.token(of: id)?.highestCounter == 8)
    }

    @Test func `what a token service has decided it knows when it is started again`() async throws {
        let folder = try ScratchFolder.make("tokens")
        defer { ScratchFolder.remove(folder) }
        let path = folder.appending(path: "tokens").path
        let desk = try await Provisioning()
        let id = try desk.card()
        let tokens = desk.records.tokens()
        try StoredTokenRecords(path: path).update { $0 = tokens }
        #expect(try StoredTokenRecords(path: path).tokens() == tokens)
        try StoredTokenRecords(path: path).update { $0[0].status = .suspended }
        let again = TokenService(
            ranges: IssuerProfile.builtIn,
            host: IssuerHost(issuers: IssuerProfile.builtIn, accounts: []),
            records: try StoredTokenRecords(path: path)
        )
        #expect(again.token(of: id)?.status == .suspended)
        #expect(throws: CredentialError.cardNotActive) {
            try again.replenish(id, after: 0, count: 1) { _ in }
        }
        try again.setStatus(.active, of: id)
        var counters: [UInt16] = []
        try again.replenish(id, after: 0, count: 2) { counters.append($0.key.transactionCounter) }
        #expect(counters == [11, 12])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        for text in [tokens[0].number.text, tokens[0].account.text] {
            #expect(!bytes.contains([UInt8](text.utf8)))
        }
    }
}
