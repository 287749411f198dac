/// What is to be said about the picture of a card.
public struct CardArtFinding: Hashable, Sendable {
    /// Whether it matters.
    public enum Weight: String, Hashable, Sendable {
        /// The picture is refused for it.
        case error
        /// It works, but should be otherwise.
        case warning
        /// It is as it should be.
        case note
    }

    /// Whether it matters.
    public let weight: Weight
    /// One sentence: what is found, and what to do.
    public let sentence: String
}

extension [CardArtFinding] {
    /// Whether the picture keeps the rules.
    public var isAccepted: Bool { !contains { $0.weight == .error } }
}
