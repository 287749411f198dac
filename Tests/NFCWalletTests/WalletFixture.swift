import CardEngine
import EMVCrypto
public import NFCWallet
import Octets
import Synchronization
public import TestSupport
import Testing

extension ManualClock: SessionClock {
    /// Will call `action` when `delay` has passed.
    public func call(
        after delay: Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> any ScheduledCall {
        schedule(after: delay, action)
    }
}

extension ManualClock.Call: ScheduledCall {}

/// A server that makes keys which are good for tests only, or fails.
final class TestService: CredentialService {
    private let error = Mutex<CredentialError?>(nil)

    func fail(_ error: CredentialError) { self.error.withLock { $0 = error } }

    func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        if let error = error.withLock({ $0 }) { throw error }
        for number in 0..<count {
            let key = DoubleLengthKey(left: UInt64(number), right: 1)
            deliver(
                IssuedKey(
                    PaymentKey(
                        transactionCounter: counter + UInt16(number) + 1,
                        cryptogramKey: key
                    )
                )
            )
        }
    }
}

/// A key store that fails when it is told to.
final class FailingStore: PaymentKeyStore {
    private let store = MemoryKeyStore()
    private let isFailing = Mutex(false)

    private let reader = Mutex<(@Sendable () -> Void)?>(nil)

    func fail(_ isFailing: Bool = true) { self.isFailing.withLock { $0 = isFailing } }

    /// Does something, once, as soon as the spent counter was read.
    func whenSpentIsRead(_ action: @escaping @Sendable () -> Void) {
        reader.withLock { $0 = action }
    }

    private func check() throws(PaymentKeyStoreError) {
        if isFailing.withLock({ $0 }) { throw PaymentKeyStoreError() }
    }

    func count(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> Int {
        try check()
        return store.count(of: card)
    }

    func highestCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try check()
        return store.highestCounter(of: card)
    }

    func spentCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try check()
        let counter = store.spentCounter(of: card)
        let action = reader.withLock { $0.take() }
        action?()
        return counter
    }

    func terms(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> KeyTerms? {
        try check()
        return store.terms(of: card)
    }

    func add(
        to card: DigitalCard.ID,
        _ next: () -> IssuedKey?
    ) throws(PaymentKeyStoreError) {
        try check()
        store.add(to: card, next)
    }

    func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) throws(PaymentKeyStoreError) -> UInt64? {
        try check()
        return store.reserve(count, of: card, deliver: deliver)
    }

    func giveBack(
        to card: DigitalCard.ID,
        _ next: () -> PaymentKey?
    ) throws(PaymentKeyStoreError) {
        try check()
        store.giveBack(to: card, next)
    }

    func removeAll(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try check()
        store.removeAll(of: card)
    }
}

/// Records that fail when they are told to.
final class FailingRecords: WalletRecords {
    private let records = MemoryRecords()
    private let isFailing = Mutex(false)

    func enroll() { records.update { $0.isEnrolled = true } }

    func fail(_ isFailing: Bool = true) { self.isFailing.withLock { $0 = isFailing } }

    private func check() throws(PaymentKeyStoreError) {
        if isFailing.withLock({ $0 }) { throw PaymentKeyStoreError() }
    }

    func contents() throws(PaymentKeyStoreError) -> WalletContents {
        try check()
        return records.contents()
    }

    func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(PaymentKeyStoreError) -> Value {
        try check()
        return records.update(change)
    }

    func record(_ entry: HistoryEntry) throws(PaymentKeyStoreError) {
        try check()
        records.record(entry)
    }

    func history(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> [HistoryEntry] {
        try check()
        return records.history(of: card)
    }

    func removeHistory(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try check()
        records.removeHistory(of: card)
    }
}

/// A wallet with one Visa card, and everything around it in the test's hands.
struct WalletFixture {
    let field = TestField()
    let clock = ManualClock()
    let service = TestService()
    let store = FailingStore()
    let records = FailingRecords()
    let authenticator: SimulatedAuthenticator
    let system: NFCSystem?
    let wallet: Wallet

    /// The first card, which is the default one.
    static let visa = DigitalCard.ID(rawValue: "visa")
    /// The second card.
    static let other = DigitalCard.ID(rawValue: "other")

    init(
        _ result: AuthenticationResult? = .succeeded,
        keyCount: Int = 10,
        isDefaultPaymentApp: Bool? = nil,
        _ configure: (inout Wallet.Configuration) -> Void = { _ in }
    ) throws {
        authenticator = SimulatedAuthenticator(result)
        system = isDefaultPaymentApp.map { [clock] in
            NFCSystem(isDefaultPaymentApp: $0, clock: clock)
        }
        var configuration = Wallet.Configuration()
        configure(&configuration)
        wallet = Wallet(
            field: field,
            authenticator: authenticator,
            service: service,
            keys: store,
            records: records,
            system: system,
            clock: clock,
            configuration: configuration
        )
        for id in [Self.visa, Self.other] {
            try wallet.add(DigitalCard(id: id, label: "Test card")) { Card(image: visaImage()) }
            try wallet.replenish(id, count: keyCount)
        }
        try wallet.setDefaultCard(Self.visa)
    }

    /// A wallet in a file, with one Visa card; the reader never comes where no field is given.
    static func durable(
        _ store: WalletStore,
        records: (any WalletRecords)? = nil,
        field: TestField = TestField()
    ) throws -> Wallet {
        let wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: TestService(),
            keys: store,
            records: records ?? store,
            clock: ManualClock()
        )
        try wallet.add(DigitalCard(id: visa, label: "Test card")) { Card(image: visaImage()) }
        return wallet
    }

    /// A session that has come to `authenticationCompleted`, and its listener behind that event.
    func authenticatedSession() async throws -> (ContactlessPaymentSession, Listener) {
        let session = ContactlessPaymentSession(wallet: wallet)
        var listener = Listener(session)
        session.startPayment()
        try await listener.authentication().proceed()
        let event = await listener.next()
        try #require(event == "authenticationCompleted")
        return (session, listener)
    }

    /// A session whose card is shown, and its listener.
    func emulatingSession() async throws -> (ContactlessPaymentSession, Listener) {
        let (session, listener) = try await authenticatedSession()
        session.startEmulation()
        try #require(field.isPresenting)
        return (session, listener)
    }
}

/// A session whose Visa card is shown, and its listener.
func show(_ wallet: Wallet) async throws -> (ContactlessPaymentSession, Listener) {
    let session = ContactlessPaymentSession(wallet: wallet)
    var listener = Listener(session)
    session.startPayment(withDigitalCardID: WalletFixture.visa)
    try await listener.authentication().proceed()
    let event = await listener.next()
    try #require(event == "authenticationCompleted")
    session.startEmulation()
    return (session, listener)
}

/// Lets the Visa card pay 12.34 EUR, and waits until nothing of the session is left.
/// - Returns: What was told from the reader's coming on.
func pay(_ wallet: Wallet, in field: TestField) async throws -> [String] {
    let (session, events) = try await show(wallet)
    var listener = events
    field.fieldOn()
    _ = field.send(Command.selectVisa)
    _ = field.send(Command.pay)
    field.fieldOff()
    let told = await listener.rest()
    await session.settled()
    return told
}

/// Reads a session's events, one at a time.
struct Listener {
    private var iterator: AsyncStream<ContactlessPaymentSession.Event>.Iterator

    init(_ session: ContactlessPaymentSession) {
        iterator = session.eventStream.makeAsyncIterator()
    }

    /// The next event's name, with the error it carries; nil at the end.
    mutating func next() async -> String? { await iterator.next(isolation: #isolation)?.name }

    /// The next event, which asks for an authentication.
    mutating func authentication() async throws -> ContactlessPaymentSession.Authentication {
        let event = await iterator.next(isolation: #isolation)
        guard case .authenticationRequired(let authentication) = event else {
            throw UnexpectedEvent(name: event?.name)
        }
        return authentication
    }

    /// The next event, which tells of a payment.
    mutating func context() async throws -> TransactionContext {
        let event = await iterator.next(isolation: #isolation)
        guard case .transactionCompleted(let context) = event else {
            throw UnexpectedEvent(name: event?.name)
        }
        return context
    }

    /// All events up to the end.
    mutating func rest() async -> [String] {
        var names: [String] = []
        while let name = await next() { names.append(name) }
        return names
    }
}

struct UnexpectedEvent: Error {
    var name: String?
}

extension ContactlessPaymentSession.Event {
    /// The case's name, with the error it carries.
    var name: String {
        switch self {
        case .authenticationRequired: "authenticationRequired"
        case .authenticationCompleted: "authenticationCompleted"
        case .posConnected: "posConnected"
        case .posDisconnected: "posDisconnected"
        case .transactionCompleted: "transactionCompleted"
        case .errorEncountered(let error): "\(error)"
        }
    }
}

/// A Visa card that always goes online; its PDOL is 9F66, 9F02, 5F2A, 9A, 9C, 9F37.
/// - Parameters:
///   - consumerDeviceCVM: When it wants its user authenticated.
///   - applicationCount: How many applications it has, all alike.
/// - Returns: What the card is made of.
func visaImage(
    consumerDeviceCVM: CardApplication.ConsumerDeviceCVM = .always,
    applicationCount: Int = 1
) -> CardImage {
    var fields = TerminalFields()
    fields.transactionQualifiers = 0
    fields.amount = 4
    fields.currency = 10
    fields.date = 12
    fields.transactionType = 15
    fields.unpredictableNumber = 16
    let application = CardApplication(
        name: [0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10],
        selectionResponse: [0x6F, 0x00],
        processingDataCount: 20,
        interchangeProfile: 0,
        records: [],
        retrievableObjects: [],
        consumerDeviceCVM: consumerDeviceCVM,
        limits: CardLimits(
            offlineMinorUnits: nil,
            declineMinorUnits: 100_000,
            currency: 978,
            country: 0x0250,
            allowsOfflineAbroad: false
        ),
        cryptography: .qvsdc(
            QVSDCApplication(
                cryptogramVersion: .cvn17,
                derivationKeyIndex: 1,
                cryptogramFields: [.init(4..<10), .init(16..<20)],
                terminalFields: fields,
                responseObjects: [],
                fileLocator: [],
                transactionQualifiers: 0,
                acceptsOnlinePIN: false,
                acceptsSignature: false
            )
        )
    )
    return CardImage(
        uid: [1, 2, 3, 4],
        historicalBytes: [],
        directory: [0x6F, 0x00],
        applications: Array(repeating: application, count: applicationCount)
    )
}

/// What a terminal sends to a Visa card.
enum Command {
    static let selectEnvironment = bytes("00A404000E325041592E5359532E444446303100")
    static let selectVisa = bytes("00A4040007A000000003101000")
    static let selectMastercard = bytes("00A4040007A000000004101000")
    static let getCounter = bytes("80CA9F3600")
    /// 12.34 EUR on 2026-11-30.
    static let pay = bytes("80A80000168314360040000000000012340978261130 0012345678 00")
    /// 9.00 EUR on the same day.
    static let payNine = bytes("80A80000168314360040000000000009000978261130 0012345678 00")
    /// 1,000.01 EUR, which the card declines.
    static let payTooMuch = bytes("80A80000168314360040000000001000010978261130 0012345678 00")
    static let payWithoutData = bytes("80A8000002830000")

    private static func bytes(_ hex: String) -> [UInt8] { (try? [UInt8](hex: hex)) ?? [] }
}
