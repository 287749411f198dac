public import EMVData
public import Profiles

/// What a digital card answers readers with, as the server gave it; it has no payment keys.
public struct CardData: Hashable, Sendable {
    /// The card's profile as JSON text, in which the token is not yet.
    public var profile: [UInt8]
    /// The token: the number the card shows to terminals.
    public var number: PrimaryAccountNumber
    /// The PAN sequence number (5F34) the card shows, 0x12 for 12.
    public var sequenceNumber: UInt8
    /// The last day the card is good for.
    public var lastDay: TransactionDate
    /// Whether a Visa card makes its cryptograms with limited-use keys (CVN 43), whatever its profile says.
    public var usesLimitedUseKeys: Bool

    /// Collects the parts.
    public init(
        profile: [UInt8],
        number: PrimaryAccountNumber,
        sequenceNumber: UInt8,
        lastDay: TransactionDate,
        usesLimitedUseKeys: Bool = false
    ) {
        self.profile = profile
        self.number = number
        self.sequenceNumber = sequenceNumber
        self.lastDay = lastDay
        self.usesLimitedUseKeys = usesLimitedUseKeys
    }

    /// Makes a card that shows the token, in its first application.
    /// - Throws: `ProfilesError` for what cannot be personalised.
    public func personalization() throws(ProfilesError) -> CardPersonalization {
        var profile = try CardProfile(json: profile)
        guard !profile.applications.isEmpty else {
            throw ProfilesError("applications", "must be 1 to 4, not 0")
        }
        profile.applications[0].pan = number
        profile.applications[0].panSequenceNumber = sequenceNumber
        profile.applications[0].expirationDate = lastDay
        if usesLimitedUseKeys, case .visa(var visa) = profile.applications[0].details {
            visa.cryptogramVersion = 43
            profile.applications[0].details = .visa(visa)
        }
        return try CardPersonalization(profile)
    }
}

extension CardData: CustomStringConvertible, CustomReflectable {
    /// The token, masked.
    public var description: String { number.masked }
    /// Nothing: what is in here is not dumped.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
