/// A card as people describe it: what it holds and how it decides, but no key.
///
/// It is read from JSON (`init(json:)`) and becomes a card by `CardPersonalization`.
public struct CardProfile: Sendable {
    /// What the card is called, for people.
    public var name: String
    /// Whether the account numbers are published test numbers, which are printed whole.
    public var isPublic: Bool
    /// Identifier in anticollision, 4, 7 or 10 bytes (ISO 14443-3, 6.5.4).
    public var uid: [UInt8]
    /// Historical bytes of the Answer to Select, at most 15 (ISO 14443-4, 5.2.7).
    public var historicalBytes: [UInt8]
    /// The applications, one to four, in the order the directory lists them.
    public var applications: [ApplicationProfile]
    /// Issuers the profile brings along, for account numbers the built-in issuers do not cover.
    public var issuers: [IssuerProfile]
    /// What whoever reads the file should know of the card, one sentence each.
    public var notes: [String]

    /// Collects the parts; `CardPersonalization` checks how they fit together.
    public init(
        name: String,
        isPublic: Bool,
        uid: [UInt8],
        historicalBytes: [UInt8] = [],
        applications: [ApplicationProfile],
        issuers: [IssuerProfile] = [],
        notes: [String] = []
    ) {
        self.name = name
        self.isPublic = isPublic
        self.uid = uid
        self.historicalBytes = historicalBytes
        self.applications = applications
        self.issuers = issuers
        self.notes = notes
    }
}
