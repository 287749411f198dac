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
    /// The method in words.
    ///
    /// A contactless kernel sends no PIN to the card: with it, a PIN that the card has verified was verified on the
    /// cardholder's device (EMV Book C-2, CVM.9).
    /// - Parameter kernel: The contactless kernel of the transaction; nil when none is known.
    /// - Returns: The words.
    public func methodText(in kernel: KernelIdentifier?) -> String {
        switch method.method {
        case .fail: "fail CVM processing"
        case .plaintextOfflinePIN where kernel != nil: "cardholder verified on the device"
        case .plaintextOfflinePIN: "plaintext PIN checked by the card"
        case .onlinePIN: "PIN checked online"
        case .plaintextOfflinePINAndSignature: "plaintext PIN checked by the card, and signature"
        case .encipheredOfflinePIN: "enciphered PIN checked by the card"
        case .encipheredOfflinePINAndSignature: "enciphered PIN checked by the card, and signature"
        case .signature: "signature"
        case .noCVM: "no CVM required"
        case .notPerformed: "no CVM performed"
        default: "method \([method.rawValue].hex)"
        }
    }

    /// Method and result in words.
    func text(in kernel: KernelIdentifier?) -> String {
        let how: String =
            switch result {
            case .failed: "failed"
            case .successful: "successful"
            default: "result unknown"
            }
        return "\(methodText(in: kernel)), \(how)"
    }
}
#endif
