/// A card in the wallet.
public struct DigitalCard: Hashable, Sendable, Identifiable {
    /// Names one digital card of the wallet.
    public struct ID: RawRepresentable, Hashable, Sendable {
        /// The identifier.
        public var rawValue: String
        /// Wraps an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Whether a card may pay.
    public enum State: Int, Hashable, Sendable {
        /// Not told yet.
        case unknown = 0
        /// It may pay.
        case active = 1
        /// It may not pay for now.
        case suspended = 2
        /// It will never pay again; its keys are gone.
        case retired = 3
        /// It waits to be activated.
        case inactive = 4

        /// Whether a card in this state may change to `next`.
        ///
        /// Inactive cards are activated, active and suspended ones take turns, and every card may be retired.
        public func canBecome(_ next: State) -> Bool {
            switch (self, next) {
            case (.unknown, .unknown), (.retired, _), (_, .unknown): false
            case (.unknown, _), (_, .retired): true
            case (.inactive, .active), (.active, .suspended), (.suspended, .active): true
            default: false
            }
        }
    }

    /// The identifier.
    public let id: ID
    /// What the card is called, for people.
    public var label: String
    /// Whether it may pay.
    public internal(set) var state: State
    /// What it answers readers with; nil when the app makes that, or the card cannot pay contactless.
    public internal(set) var contents: CardData?

    /// Describes a card; `Wallet.setState` changes its state later.
    public init(id: ID, label: String, state: State = .active, contents: CardData? = nil) {
        self.id = id
        self.label = label
        self.state = state
        self.contents = contents
    }
}
