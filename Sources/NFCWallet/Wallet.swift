public import CardEngine
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
        /// Where a card's random numbers come from: makes as many bytes as asked for.
        public var randomBytes: @Sendable (Int) -> [UInt8] = { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
        }

        /// Takes the defaults.
        public init() {}
    }

    let field: any CardField
    let authenticator: any Authenticator
    let keys: any PaymentKeyStore
    let clock: any SessionClock
    let configuration: Configuration
    private let service: any CredentialService
    let state = Mutex(State())

    struct State {
        var cards: [Entry] = []
        var defaultCard: DigitalCard.ID?
        /// The session that has the field.
        weak var session: ContactlessPaymentSession?

        func index(of id: DigitalCard.ID) -> Int? { cards.firstIndex { $0.card.id == id } }
    }

    struct Entry {
        var card: DigitalCard
        var makeCard: (@Sendable () -> Card)?
    }

    /// Creates an empty wallet.
    /// - Parameters:
    ///   - field: The radio.
    ///   - authenticator: Who asks for face, finger or passcode.
    ///   - service: The server that makes payment keys.
    ///   - keys: Where they are kept.
    ///   - clock: The clock behind the time limits.
    ///   - configuration: What an issuer or a test may set.
    public init(
        field: any CardField,
        authenticator: any Authenticator,
        service: any CredentialService,
        keys: any PaymentKeyStore = MemoryKeyStore(),
        clock: any SessionClock = SystemSessionClock(),
        configuration: Configuration = Configuration()
    ) {
        precondition(1...Card.maximumReservedKeys ~= configuration.reservedKeyCount)
        self.field = field
        self.authenticator = authenticator
        self.service = service
        self.keys = keys
        self.clock = clock
        self.configuration = configuration
    }
}

// MARK: Cards

extension Wallet {
    /// The cards that are not retired, in the order they were added.
    public var cards: [DigitalCard] { state.withLock { $0.cards.map(\.card) } }

    /// How many payment keys a session reserves.
    public var reservedKeyCount: Int { configuration.reservedKeyCount }

    /// The card that pays when none is named.
    public var defaultCard: DigitalCard.ID? { state.withLock { $0.defaultCard } }

    /// Adds a card.
    /// - Parameters:
    ///   - card: The card; its identifier is not in the wallet yet.
    ///   - makeCard: Makes what answers readers, without payment keys; nil when the card cannot pay contactless.
    public func add(_ card: DigitalCard, makeCard: (@Sendable () -> Card)?) {
        state.withLock { state in
            precondition(
                state.index(of: card.id) == nil,
                "the wallet has a card of this identifier"
            )
            precondition(card.state != .retired, "a retired card is not added")
            state.cards.append(Entry(card: card, makeCard: makeCard))
        }
    }

    /// Makes a card the default.
    /// - Throws: `WalletError.unknownCard`.
    public func setDefaultCard(_ id: DigitalCard.ID) throws(WalletError) {
        let isKnown = state.withLock { state in
            guard state.index(of: id) != nil else { return false }
            state.defaultCard = id
            return true
        }
        guard isKnown else { throw .unknownCard }
    }

    /// Leaves the wallet without a default card.
    public func unsetDefaultCard() { state.withLock { $0.defaultCard = nil } }

    /// Changes whether a card may pay; a retired card leaves the wallet and takes its keys along.
    /// - Throws: `WalletError`.
    public func setState(
        _ next: DigitalCard.State,
        of id: DigitalCard.ID
    ) throws(WalletError) {
        let problem = state.withLock { state -> WalletError? in
            guard let index = state.index(of: id) else { return .unknownCard }
            let current = state.cards[index].card.state
            guard current.canBecome(next) else {
                return .illegalTransition(from: current, to: next)
            }
            state.cards[index].card.state = next
            guard next == .retired else { return nil }
            state.cards.remove(at: index)
            if state.defaultCard == id { state.defaultCard = nil }
            return nil
        }
        if let problem { throw problem }
        guard next == .retired else { return }
        do throws(PaymentKeyStoreError) {
            try keys.removeAll(of: id)
        } catch {
            throw .keyStore
        }
    }

    /// Drops every card and every key, as when what protected them is lost.
    /// - Throws: `WalletError.keyStore` when keys could not be dropped.
    public func wipe() throws(WalletError) {
        let removed = state.withLock { state in
            let removed = state.cards.map(\.card.id)
            state.cards = []
            state.defaultCard = nil
            return removed
        }
        var isClean = true
        for id in removed {
            do throws(PaymentKeyStoreError) { try keys.removeAll(of: id) } catch { isClean = false }
        }
        guard isClean else { throw .keyStore }
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
            throw .keyStore
        }
    }

    /// Fetches payment keys from the server.
    /// - Parameters:
    ///   - id: The card.
    ///   - count: How many keys at most.
    /// - Throws: `WalletError`.
    public func replenish(_ id: DigitalCard.ID, count: Int) throws(WalletError) {
        guard state.withLock({ $0.index(of: id) }) != nil else { throw .unknownCard }
        let counter: UInt16
        do throws(PaymentKeyStoreError) {
            counter = try keys.highestCounter(of: id)
        } catch {
            throw .keyStore
        }
        var isStored = true
        do throws(CredentialError) {
            try service.replenish(id, after: counter, count: count) { key in
                do throws(PaymentKeyStoreError) {
                    try keys.add(key, for: id)
                } catch {
                    isStored = false
                }
            }
        } catch {
            throw .credentials(error)
        }
        guard isStored else { throw .keyStore }
    }
}

/// Why a wallet cannot do what it was asked to.
public enum WalletError: Error, Hashable, Sendable {
    /// The wallet has no such card.
    case unknownCard
    /// A card does not change its state that way.
    case illegalTransition(from: DigitalCard.State, to: DigitalCard.State)
    /// The store of the keys failed.
    case keyStore
    /// The server made no keys.
    case credentials(CredentialError)
}
