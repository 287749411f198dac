import Synchronization

/// Names one wallet to the server: an app on a device.
public struct WalletID: RawRepresentable, Hashable, Sendable {
    /// The identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The cards of a wallet, as a value.
public struct WalletContents: Hashable, Sendable {
    /// The cards that are not retired, in the order they were added.
    public var cards: [DigitalCard] = []
    /// The card that pays when none is named.
    public var defaultCard: DigitalCard.ID?
    /// Whether the wallet may get cards and keys.
    public var isEnrolled = false
    /// What the server knows the wallet by; nil before anybody has asked.
    public var walletID: WalletID?
    /// The cards that were retired last: they are gone, but still known as cards that pay no more.
    public internal(set) var retiredCards: [DigitalCard.ID] = []

    /// How many retired cards are remembered.
    static let maximumRetiredCount = 64

    /// Starts without cards.
    public init() {}

    func index(of id: DigitalCard.ID) -> Int? { cards.firstIndex { $0.id == id } }

    /// Takes a card in.
    mutating func insert(_ card: DigitalCard) {
        cards.append(card)
        retiredCards.removeAll { $0 == card.id }
    }

    /// Takes a card out for good.
    mutating func retire(_ id: DigitalCard.ID) {
        cards.removeAll { $0.id == id }
        if defaultCard == id { defaultCard = nil }
        retiredCards.removeAll { $0 == id }
        retiredCards.append(id)
        retiredCards.removeFirst(max(0, retiredCards.count - Self.maximumRetiredCount))
    }
}

/// Where a wallet keeps its cards and what they paid.
public protocol WalletRecords: AnyObject, Sendable {
    /// The cards at one moment.
    /// - Throws: `PaymentKeyStoreError`.
    func contents() throws(PaymentKeyStoreError) -> WalletContents
    /// Changes the cards, while nobody else does; what a card paid goes with it.
    /// - Throws: `PaymentKeyStoreError`; nothing is changed.
    func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(PaymentKeyStoreError) -> Value
    /// Puts down a payment; the card reserves nothing any more.
    ///
    /// One of a card that is not in the wallet any more is not kept.
    /// - Throws: `PaymentKeyStoreError`.
    func record(_ entry: HistoryEntry) throws(PaymentKeyStoreError)
    /// What a card paid, the last first: at most 10 payments of the last 30 days.
    /// - Throws: `PaymentKeyStoreError`.
    func history(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> [HistoryEntry]
    /// Forgets what a card paid.
    /// - Throws: `PaymentKeyStoreError`.
    func removeHistory(of card: DigitalCard.ID) throws(PaymentKeyStoreError)
}

/// Cards and payments in memory, for one run of a program.
public final class MemoryRecords: WalletRecords {
    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    private struct State {
        var contents = WalletContents()
        var history: [DigitalCard.ID: [HistoryEntry]] = [:]
    }

    /// Starts without cards.
    /// - Parameter now: The time, in seconds since 1970.
    public init(now: @escaping @Sendable () -> Int64 = { WallClock.now }) { self.now = now }

    /// The cards at one moment.
    public func contents() -> WalletContents { state.withLock { $0.contents } }

    /// Changes the cards, while nobody else does; what a card paid goes with it.
    public func update<Value: Sendable>(_ change: (inout WalletContents) -> Value) -> Value {
        state.withLock { state in
            defer {
                state.history = state.history.filter { state.contents.index(of: $0.key) != nil }
            }
            return change(&state.contents)
        }
    }

    /// Puts down a payment; one of a card that is not in the wallet any more is not kept.
    public func record(_ entry: HistoryEntry) {
        let now = now()
        state.withLock { state in
            guard state.contents.index(of: entry.cardID) != nil else { return }
            state.history[entry.cardID] = HistoryEntry.trim(
                state.history[entry.cardID, default: []] + [entry],
                now: now
            )
        }
    }

    /// What a card paid, the last first.
    public func history(of card: DigitalCard.ID) -> [HistoryEntry] {
        let now = now()
        let entries = state.withLock { $0.history[card, default: []] }
        return HistoryEntry.trim(entries, now: now).reversed()
    }

    /// Forgets what a card paid.
    public func removeHistory(of card: DigitalCard.ID) {
        state.withLock { _ = $0.history.removeValue(forKey: card) }
    }
}
