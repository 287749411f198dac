public import CardEngine
public import EMVData
import Octets
public import Profiles
import Synchronization

/// The cards of one device, the keys they pay with, and the device around them.
public final class Wallet: Sendable {
    /// What an issuer or a test may set.
    public struct Configuration: Sendable {
        /// How long a session waits for its payment, counted from the last start of the emulation.
        public var sessionDuration: Duration = .seconds(60)
        /// How long an authentication is good for.
        public var authenticationValidity: Duration = .seconds(120)
        /// Whether the owner must authenticate, and readers are told that the device verified the cardholder.
        public var requiresAuthentication = true
        /// How many payment keys are reserved for a session, 1 to `Card.maximumReservedKeys`.
        ///
        /// One is enough for a payment; each further one allows for a tap that broke off after the card had
        /// spent its key.
        public var reservedKeyCount = 4
        /// At how many payments left, or fewer, more keys are to be fetched.
        public var replenishmentThreshold = 3
        /// For how many payments keys are fetched at a time.
        public var replenishmentCount = 10
        /// Where a card's random numbers come from: makes as many bytes as asked for.
        public var randomBytes: @Sendable (Int) -> [UInt8] = { count in
            var generator = SystemRandomNumberGenerator()
            // Eight bytes at a time, since each call goes to the system.
            let numbers = (0..<(count + 7) / 8).map { _ in generator.next() }
            return (0..<count).map { UInt8(truncatingIfNeeded: numbers[$0 / 8] >> ($0 % 8 * 8)) }
        }

        /// Which schemes the app is made for; cards of others do not pay.
        public var supportedSchemes: Set<Scheme> = Set(Scheme.allCases)
        /// Whether the device can be trusted: no debugger, no stranger's rights.
        public var isEnvironmentSafe: @Sendable () -> Bool = { true }
        /// The time of day, in seconds since 1970.
        public var now: @Sendable () -> Int64 = { WallClock.now }

        /// Takes the defaults.
        public init() {}
    }

    let field: any CardField
    let authenticator: any Authenticator
    let keys: any PaymentKeyStore
    let records: any WalletRecords
    let clock: any SessionClock
    let configuration: Configuration
    /// What decides who is told of readers; nil where every session is.
    public let system: NFCSystem?
    private let service: any CredentialService
    let state = Mutex(State())
    /// Payments that the store has not taken yet, the oldest first.
    let unrecorded = Mutex<[HistoryEntry]>([])

    struct State {
        /// The session that has the field.
        weak var session: ContactlessPaymentSession?
        /// All sessions there are.
        var sessions: [ObjectIdentifier: SessionReference] = [:]
        /// Whether the user sees another app; counts where there is no system to ask.
        var isInBackground = false
        /// The cards whose keys a wipe that was begun has still to drop; nil when none was.
        var cardsToForget: Set<DigitalCard.ID>?
        /// What makes the cards that the app makes itself.
        var makers: [DigitalCard.ID: @Sendable () -> Card] = [:]
        /// Cards that were made of what the server gave.
        var personalizations: [CardData: CardPersonalization] = [:]
    }

    /// A session, as long as it is there.
    struct SessionReference {
        weak var session: ContactlessPaymentSession?
    }

    /// Creates an empty wallet.
    /// - Parameters:
    ///   - field: The radio.
    ///   - authenticator: Who asks for face, finger or passcode.
    ///   - service: The server that makes payment keys.
    ///   - keys: Where they are kept.
    ///   - records: Where the cards and their payments are kept.
    ///   - system: What decides who is told of readers; without it every session is, as with an assertion.
    ///   - clock: The clock behind the time limits.
    ///   - configuration: What an issuer or a test may set.
    public init(
        field: any CardField,
        authenticator: any Authenticator,
        service: any CredentialService,
        keys: any PaymentKeyStore = MemoryKeyStore(),
        records: any WalletRecords = MemoryRecords(),
        system: NFCSystem? = nil,
        clock: any SessionClock = SystemSessionClock(),
        configuration: Configuration = Configuration()
    ) {
        precondition(1...Card.maximumReservedKeys ~= configuration.reservedKeyCount)
        self.field = field
        self.authenticator = authenticator
        self.service = service
        self.keys = keys
        self.records = records
        self.system = system
        self.clock = clock
        self.configuration = configuration
        system?.whenLeavingForeground { [weak self] in self?.endSessions() }
    }
}

// MARK: Cards

extension Wallet {
    /// The cards that are not retired, in the order they were added.
    /// - Throws: `WalletError.keyStore`.
    public var cards: [DigitalCard] {
        get throws(WalletError) { try contents.cards }
    }

    /// How many payment keys a session reserves.
    public var reservedKeyCount: Int { configuration.reservedKeyCount }

    /// The card that pays when none is named.
    /// - Throws: `WalletError.keyStore`.
    public var defaultCard: DigitalCard.ID? {
        get throws(WalletError) { try contents.defaultCard }
    }

    var contents: WalletContents {
        get throws(WalletError) {
            do throws(PaymentKeyStoreError) {
                return try records.contents()
            } catch {
                throw .keyStore(error)
            }
        }
    }

    /// Adds a card.
    /// - Parameters:
    ///   - card: The card; its identifier is not in the wallet yet.
    ///   - makeCard: Makes what answers readers, without payment keys; nil when that is among the card's contents, or the
    ///     card cannot pay contactless.
    /// - Throws: `WalletError.keyStore`.
    public func add(
        _ card: DigitalCard,
        makeCard: (@Sendable () -> Card)? = nil
    ) throws(WalletError) {
        precondition(card.state != .retired, "a retired card is not added")
        if let makeCard { state.withLock { $0.makers[card.id] = makeCard } }
        try update { contents in
            precondition(
                contents.index(of: card.id) == nil,
                "the wallet has a card of this identifier"
            )
            contents.insert(card)
        }
    }

    /// Adds a card that came from the server, and makes it the default one where there is none.
    /// - Returns: False when the wallet has it already.
    /// - Throws: `WalletError.keyStore`.
    func adopt(_ card: DigitalCard) throws(WalletError) -> Bool {
        try update { contents in
            guard contents.index(of: card.id) == nil else { return false }
            contents.insert(card)
            if contents.defaultCard == nil { contents.defaultCard = card.id }
            return true
        }
    }

    /// What the server knows the wallet by; made up when somebody asks for the first time, and kept from then on.
    /// - Throws: `WalletError.keyStore`.
    public var walletID: WalletID {
        get throws(WalletError) {
            if let known = try contents.walletID { return known }
            let digits = configuration.randomBytes(8).hex
            return try update { contents in
                let id = contents.walletID ?? WalletID(rawValue: "wallet-" + digits)
                contents.walletID = id
                return id
            }
        }
    }

    /// Makes a card the default.
    /// - Throws: `WalletError.unknownCard` or `.keyStore`.
    public func setDefaultCard(_ id: DigitalCard.ID) throws(WalletError) {
        let isKnown = try update { contents in
            guard contents.index(of: id) != nil else { return false }
            contents.defaultCard = id
            return true
        }
        guard isKnown else { throw .unknownCard }
    }

    /// Leaves the wallet without a default card.
    /// - Throws: `WalletError.keyStore`.
    public func unsetDefaultCard() throws(WalletError) { try update { $0.defaultCard = nil } }

    /// Changes whether a card may pay; a retired card leaves the wallet and takes its keys along.
    /// - Throws: `WalletError`.
    public func setState(
        _ next: DigitalCard.State,
        of id: DigitalCard.ID
    ) throws(WalletError) {
        guard let current = try cards.first(where: { $0.id == id })?.state else {
            throw .unknownCard
        }
        guard current.canBecome(next) else {
            throw .illegalTransition(from: current, to: next)
        }
        // Before the card: what is broken off here can then be done again, and leaves no key behind.
        if next == .retired { try forget([id]) }
        let problem = try update { contents -> WalletError? in
            guard let index = contents.index(of: id) else { return .unknownCard }
            let current = contents.cards[index].state
            guard current.canBecome(next) else {
                return .illegalTransition(from: current, to: next)
            }
            contents.cards[index].state = next
            if next == .retired { contents.retire(id) }
            return nil
        }
        if let problem { throw problem }
        if next == .retired { state.withLock { _ = $0.makers.removeValue(forKey: id) } }
        if next != .active { state.withLock(\.session)?.end(showing: id) }
    }

    /// Lets a card be good until another day, as its token is at the server.
    /// - Throws: `WalletError.unknownCard` or `.keyStore`.
    public func renew(
        _ id: DigitalCard.ID,
        until lastDay: TransactionDate
    ) throws(WalletError) {
        let isKnown = try update { contents in
            guard let index = contents.index(of: id) else { return false }
            contents.cards[index].contents?.lastDay = lastDay
            return true
        }
        guard isKnown else { throw .unknownCard }
    }

    /// Changes a card's state to that of the server; one that is in it, or retired and gone, is left as it is.
    /// - Parameters:
    ///   - id: The card.
    ///   - next: The server's state.
    ///   - expected: The state the card was seen in; it is left as it is where somebody else has changed it since.
    /// - Returns: Whether anything was changed.
    /// - Throws: `WalletError`.
    @discardableResult
    func bring(
        _ id: DigitalCard.ID,
        to next: DigitalCard.State,
        onlyFrom expected: DigitalCard.State? = nil
    ) throws(WalletError) -> Bool {
        guard let current = try cards.first(where: { $0.id == id })?.state else {
            guard next == .retired else { throw .unknownCard }
            return false
        }
        guard current != next, expected.map({ $0 == current }) ?? true else { return false }
        do throws(WalletError) {
            try setState(next, of: id)
        } catch {
            // Another program may have been faster.
            let now = try cards.first { $0.id == id }?.state ?? .retired
            guard now == next else { throw error }
            return false
        }
        return true
    }

    /// Drops every card and every key, as when what protected them is lost; the wallet must be enrolled anew.
    /// - Throws: `WalletError.keyStore` when something could not be dropped; nothing is paid or changed before it is.
    public func wipe() throws(WalletError) {
        state.withLock { $0.cardsToForget = $0.cardsToForget ?? [] }
        let known = Set(try contents.cards.map(\.id))
        let ids = state.withLock { state in
            let ids = known.union(state.cardsToForget ?? [])
            state.cardsToForget = ids
            return ids
        }
        var failure: WalletError?
        do throws(WalletError) {
            try forget(Array(ids))
        } catch {
            failure = error
        }
        try write { contents in
            // It is still the same wallet, which knows what it had.
            for card in contents.cards { contents.retire(card.id) }
            contents.isEnrolled = false
        }
        state.withLock { $0.makers = [:] }
        if let failure { throw failure }
        state.withLock { $0.cardsToForget = nil }
    }

    /// Drops what a wipe has left.
    /// - Throws: `WalletError.keyStore` when that is still not possible.
    func finishWipe() throws(WalletError) {
        if state.withLock({ $0.cardsToForget != nil }) { try wipe() }
    }

    /// Drops the payment keys of a card, which needs new ones.
    /// - Throws: `WalletError.keyStore`.
    public func dropKeys(of id: DigitalCard.ID) throws(WalletError) {
        do throws(PaymentKeyStoreError) {
            try keys.removeAll(of: id)
        } catch {
            throw .keyStore(error)
        }
    }

    /// Drops the keys and payments of cards that are no more.
    private func forget(_ ids: [DigitalCard.ID]) throws(WalletError) {
        var failure: PaymentKeyStoreError?
        for id in ids {
            do throws(PaymentKeyStoreError) {
                try keys.removeAll(of: id)
                try records.removeHistory(of: id)
            } catch {
                failure = error
            }
        }
        if let failure { throw .keyStore(failure) }
    }

    @discardableResult
    func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(WalletError) -> Value {
        try finishWipe()
        return try write(change)
    }

    private func write<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(WalletError) -> Value {
        do throws(PaymentKeyStoreError) {
            return try records.update(change)
        } catch {
            throw .keyStore(error)
        }
    }

    /// What a card paid, the last first: at most 10 payments of the last 30 days.
    /// - Throws: `WalletError.keyStore`.
    public func history(of id: DigitalCard.ID) throws(WalletError) -> [HistoryEntry] {
        // What the store still does not take is told all the same.
        try? recordPayments(of: id)
        let waiting = unrecorded.withLock { entries in entries.filter { $0.cardID == id } }
        do throws(PaymentKeyStoreError) {
            let stored = try records.history(of: id)
            return Array((waiting.reversed() + stored).prefix(HistoryEntry.maximumCount))
        } catch {
            throw .keyStore(error)
        }
    }
}

// MARK: Payment keys

extension Wallet {
    /// How many payments a card can still make.
    /// - Throws: `WalletError.keyStore`.
    public func paymentCount(of id: DigitalCard.ID) throws(WalletError) -> Int {
        do throws(PaymentKeyStoreError) {
            return try keys.count(of: id)
        } catch {
            throw .keyStore(error)
        }
    }

    /// Fetches payment keys from the server.
    /// - Parameters:
    ///   - id: The card.
    ///   - count: How many payments they are to be good for, at most.
    /// - Throws: `WalletError`.
    public func replenish(_ id: DigitalCard.ID, count: Int) throws(WalletError) {
        guard try contents.index(of: id) != nil else { throw .unknownCard }
        // Fetched before the store is written, which nobody else can while that lasts.
        let fetched = try fetch(id, count)
        var next = 0
        do throws(PaymentKeyStoreError) {
            try keys.add(to: id) {
                guard next < fetched.count else { return nil }
                next += 1
                return fetched[next - 1].takeIssued()
            }
        } catch {
            throw .keyStore(error)
        }
    }

    private func fetch(_ id: DigitalCard.ID, _ count: Int) throws(WalletError) -> [KeyBox] {
        let counter: UInt16
        do throws(PaymentKeyStoreError) {
            counter = try keys.highestCounter(of: id)
        } catch {
            throw .keyStore(error)
        }
        var fetched: [KeyBox] = []
        do throws(CredentialError) {
            try service.replenish(id, after: counter, count: count) { key in
                fetched.append(KeyBox(key))
            }
        } catch {
            throw .credentials(error)
        }
        return fetched
    }
}

/// Why a wallet cannot do what it was asked to.
public enum WalletError: Error, Hashable, Sendable {
    /// The wallet has no such card.
    case unknownCard
    /// A card does not change its state that way.
    case illegalTransition(from: DigitalCard.State, to: DigitalCard.State)
    /// The store of the cards and keys failed.
    case keyStore(PaymentKeyStoreError)
    /// The server made no keys.
    case credentials(CredentialError)
}
