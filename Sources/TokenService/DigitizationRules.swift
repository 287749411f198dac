public import EMVData
public import NFCWallet

/// What an issuer may set about cards that get into wallets.
public struct DigitizationRules: Sendable {
    /// Decides on a card whose account is in order.
    public var decide: @Sendable (PlasticCard) -> DigitizationDecision.Colour = { _ in .green }
    /// Decides on a card in view of the reasons to look at it twice, or fails to.
    public typealias Weighing =
        @Sendable (PlasticCard, Set<ReasonCode>) throws(DigitizationError) ->
        DigitizationDecision.Colour

    /// Decides on a card in view of the reasons to look at it twice; nil where they do not matter.
    public var weigh: Weighing?
    /// The three digits on the back of an account's card; nil where they are not checked.
    public var verificationValue: @Sendable (PrimaryAccountNumber) -> String? = { _ in nil }
    /// The profile of the cards of an account, as JSON text; nil for an account that does not take part.
    public var profile: @Sendable (PrimaryAccountNumber) -> [UInt8]?
    /// Whether Visa cards get limited-use keys; others, and all without it, get single-use keys.
    public var usesLimitedUseKeys = true
    /// The ways to find out who the user is; orange leaves the issuer's own people.
    public var methods: [IDVMethod] = [.otpBySMS, .otpByEmail, .customerService]
    /// How long a code is good, in seconds.
    public var codeLifetimeSeconds: Int64 = 10 * 60
    /// Brings a code to the user.
    public var deliverCode: @Sendable (IDVMethod, String) -> Void = { _, _ in }
    /// Makes a code, and names of cards and requests, out of nothing anybody can guess.
    public var random: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
    /// What the user has to accept.
    public var termsAndConditions = "This card is for tests and pays nothing."

    /// Takes the defaults but for the profiles.
    public init(profile: @escaping @Sendable (PrimaryAccountNumber) -> [UInt8]?) {
        self.profile = profile
    }
}
