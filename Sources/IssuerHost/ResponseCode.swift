/// What an issuer says to a request: two characters, as in ISO 8583's DE 39 and in 8A.
public struct ResponseCode: RawRepresentable, Hashable, Sendable {
    /// The two characters.
    public var rawValue: String
    /// Wraps any code, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Approved (00).
    public static var approved: Self { Self(rawValue: "00") }
    /// Do not honour (05).
    public static var doNotHonour: Self { Self(rawValue: "05") }
    /// Invalid card number (14).
    public static var invalidCardNumber: Self { Self(rawValue: "14") }
    /// Format error (30).
    public static var formatError: Self { Self(rawValue: "30") }
    /// Lost card (41).
    public static var lostCard: Self { Self(rawValue: "41") }
    /// Stolen card (43).
    public static var stolenCard: Self { Self(rawValue: "43") }
    /// Not sufficient funds (51).
    public static var insufficientFunds: Self { Self(rawValue: "51") }
    /// Expired card (54).
    public static var expiredCard: Self { Self(rawValue: "54") }
    /// Transaction not permitted to cardholder (57).
    public static var notPermitted: Self { Self(rawValue: "57") }
    /// Exceeds amount limit (61).
    public static var exceedsAmountLimit: Self { Self(rawValue: "61") }
    /// Restricted card (62).
    public static var restrictedCard: Self { Self(rawValue: "62") }
    /// Security violation (63): a counter that has been used before.
    public static var securityViolation: Self { Self(rawValue: "63") }
    /// The system has failed (96).
    public static var systemMalfunction: Self { Self(rawValue: "96") }
    /// The cryptogram does not verify (82).
    public static var wrongCryptogram: Self { Self(rawValue: "82") }
}

/// A response code with the reason in words.
public struct Decision: Hashable, Sendable {
    /// The code.
    public var code: ResponseCode
    /// Why, for people.
    public var reason: String

    /// Joins code and reason.
    public init(_ code: ResponseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Whether it approves.
    public var isApproved: Bool { code == .approved }
}
