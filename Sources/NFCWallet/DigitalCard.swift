/// A card in the wallet.
public struct DigitalCard: Hashable, Sendable, Identifiable {
    /// Names one digital card of the wallet.
    public struct ID: RawRepresentable, Hashable, Sendable {
        /// The identifier.
        public var rawValue: String
        /// Wraps an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The identifier.
    public let id: ID
}
