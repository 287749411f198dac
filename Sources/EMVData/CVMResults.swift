#if !hasFeature(Embedded)
import Octets
#endif

/// Which cardholder verification method was used last, under which condition, and its result (9F34).
///
/// EMV Book 4, Annex A4.
public struct CVMResults: Hashable, Sendable {
    /// The method, with the "apply succeeding" bit as the rule had it.
    public var method: CVMCode
    /// The condition of the rule.
    public var condition: CVMCondition
    /// What came of it.
    public var result: Result

    /// What came of a method (byte 3).
    public struct Result: RawRepresentable, Hashable, Sendable {
        /// The byte.
        public var rawValue: UInt8
        /// Wraps any value.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Unknown, as for a signature or an online PIN (00).
        public static var unknown: Self { Self(rawValue: 0) }
        /// Failed (01).
        public static var failed: Self { Self(rawValue: 1) }
        /// Successful (02).
        public static var successful: Self { Self(rawValue: 2) }
    }

    /// Joins the three bytes.
    public init(_ method: CVMCode, _ condition: CVMCondition, _ result: Result) {
        self.method = method
        self.condition = condition
        self.result = result
    }

    /// No cardholder verification was performed (3F0000).
    public static var notPerformed: Self { Self(.notPerformed, .always, .unknown) }

    /// Reads the object in place; nil when it has not three bytes.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 3 else { return nil }
        self.init(
            CVMCode(rawValue: bytes[0]),
            CVMCondition(rawValue: bytes[1]),
            Result(rawValue: bytes[2])
        )
    }

    #if !hasFeature(Embedded)
    /// Reads the object; nil when it has not three bytes.
    public init?(bytes: [UInt8]) { self.init(bytes.span) }

    /// The object's three bytes.
    public var bytes: [UInt8] { [method.rawValue, condition.rawValue, result.rawValue] }
    #endif
}

#if !hasFeature(Embedded)
extension CVMResults {
    /// Method and result in words.
    var text: String {
        let what: String =
            switch method.method {
            case .fail: "fail CVM processing"
            // A contactless card takes no PIN: its device has verified the cardholder.
            case .plaintextOfflinePIN: "cardholder verified on the device"
            case .onlinePIN: "PIN checked online"
            case .encipheredOfflinePIN: "enciphered PIN checked by the card"
            case .signature: "signature"
            case .noCVM: "no CVM required"
            case .notPerformed: "no CVM performed"
            default: "method \([method.rawValue].hex)"
            }
        let how: String =
            switch result {
            case .failed: "failed"
            case .successful: "successful"
            default: "result unknown"
            }
        return "\(what), \(how)"
    }
}
#endif
