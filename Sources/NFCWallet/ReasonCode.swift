/// Why a card is looked at twice before it gets into a wallet, as wallet providers report it to Mastercard's token service.
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

    /// What the codes mean, in their order.
    public static let meanings: [(code: ReasonCode, meaning: String)] = [
        ("01", "the wallet account was new when the service began"),
        ("02", "the wallet account is at most 40 days old"),
        ("03", "wallet and card have been together for less than 20 days"),
        ("04", "the account's settings changed in the last 20 days"),
        ("05", "suspicious activity"),
        ("06", "nothing was done with the account for a year"),
        ("07", "the device has suspended cards"),
        ("08", "the device was in lost mode in the last 7 days"),
        ("09", "more than three attempts in 72 hours"),
        ("0A", "more than five cards in 24 hours"),
        ("0B", "cards of more than two names"),
        ("0C", "the device's score is below 3"),
        ("0D", "the account's score is below 4"),
        ("0E", "the device is outside the account's home country"),
        ("0F", "the provider's rules could not be asked"),
        ("0G", "high risk of fraud"),
        ("0H", "the telephone number's score is below 3"),
    ].map { (ReasonCode(rawValue: $0.0), $0.1) }
}

extension ReasonCode: CustomStringConvertible {
    /// The code and what it means.
    public var description: String {
        let meaning = Self.meanings.first { $0.code == self }?.meaning
        return meaning.map { "\(rawValue), \($0)" } ?? rawValue
    }
}

extension DigitizationDecision.Colour {
    /// What is usually decided on reasons: green on none, orange on 0G, yellow on any other.
    public init(_ reasons: Set<ReasonCode>) {
        self = reasons.contains(.highRisk) ? .orange : reasons.isEmpty ? .green : .yellow
    }
}
