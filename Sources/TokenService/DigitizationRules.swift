public import EMVData
public import NFCWallet

/// Why a token service looks at a card twice, as wallet providers report it.
public struct ReasonCode: RawRepresentable, Hashable, Sendable {
    /// Two characters, such as `0G`.
    public var rawValue: String
    /// Wraps any code, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Suspicious activity (05).
    public static var suspicious: Self { Self(rawValue: "05") }
    /// More than three attempts in 72 hours (09).
    public static var manyAttempts: Self { Self(rawValue: "09") }
    /// The device is outside the account's home country (0E).
    public static var outsideHomeCountry: Self { Self(rawValue: "0E") }
    /// High risk of fraud (0G).
    public static var highRisk: Self { Self(rawValue: "0G") }
}

extension DigitizationDecision.Colour {
    /// What is usually decided on reasons: green on none, orange on 0G, yellow on any other.
    public init(_ reasons: Set<ReasonCode>) {
        self = reasons.contains(.highRisk) ? .orange : reasons.isEmpty ? .green : .yellow
    }
}

/// What an issuer may set about cards that get into wallets.
public struct DigitizationRules: Sendable {
    /// Decides on a card whose account is in order.
    public var decide: @Sendable (PlasticCard) -> DigitizationDecision.Colour = { _ in .green }
    /// The three digits on the back of an account's card; nil where they are not checked.
    public var verificationValue: @Sendable (PrimaryAccountNumber) -> String? = { _ in nil }
    /// The profile of the cards of an account, as JSON text; nil for an account that does not take part.
    public var profile: @Sendable (PrimaryAccountNumber) -> [UInt8]?
    /// Whether Visa cards get limited-use keys; others, and all without it, get single-use keys.
    public var usesLimitedUseKeys = true
    /// The ways to find out who the user is; orange leaves the issuer's own people.
    public var methods: [IDVMethod] = [.otpBySMS, .otpByEmail, .customerService]
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
