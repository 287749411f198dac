#if !hasFeature(Embedded)
import Octets
#endif

/// A cardholder verification method and what to do when it fails: the first byte of a CVM rule.
///
/// EMV Book 3, Annex C3, Table 43.
public struct CVMCode: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public var rawValue: UInt8
    /// Wraps any code, known or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Fail cardholder verification (00).
    public static var fail: Self { Self(rawValue: 0x00) }
    /// Plaintext PIN verified by the card (01).
    public static var plaintextOfflinePIN: Self { Self(rawValue: 0x01) }
    /// Enciphered PIN verified online (02).
    public static var onlinePIN: Self { Self(rawValue: 0x02) }
    /// Plaintext PIN verified by the card, and signature (03).
    public static var plaintextOfflinePINAndSignature: Self { Self(rawValue: 0x03) }
    /// Enciphered PIN verified by the card (04).
    public static var encipheredOfflinePIN: Self { Self(rawValue: 0x04) }
    /// Enciphered PIN verified by the card, and signature (05).
    public static var encipheredOfflinePINAndSignature: Self { Self(rawValue: 0x05) }
    /// Signature on paper (1E).
    public static var signature: Self { Self(rawValue: 0x1E) }
    /// No CVM required (1F).
    public static var noCVM: Self { Self(rawValue: 0x1F) }
    /// No CVM was performed; only in CVM Results (3F).
    public static var notPerformed: Self { Self(rawValue: 0x3F) }

    /// Whether the next rule applies when this method is unsuccessful (bit 7).
    public var appliesSucceedingRuleIfUnsuccessful: Bool {
        get { rawValue & 0x40 != 0 }
        set { rawValue = newValue ? rawValue | 0x40 : rawValue & ~0x40 }
    }

    /// The method alone, without what to do when it fails (bits 6 to 1).
    public var method: CVMCode { CVMCode(rawValue: rawValue & 0x3F) }
}

#if !hasFeature(Embedded)
extension CVMCode: CustomStringConvertible {
    /// The method in words, and what follows when it fails.
    public var description: String {
        let follows = appliesSucceedingRuleIfUnsuccessful ? ", else the next rule" : ", else fail"
        return switch method {
        case .fail: "fail cardholder verification"
        case .plaintextOfflinePIN: "plaintext PIN verified by the card" + follows
        case .onlinePIN: "enciphered PIN verified online" + follows
        case .plaintextOfflinePINAndSignature:
            "plaintext PIN verified by the card and signature" + follows
        case .encipheredOfflinePIN: "enciphered PIN verified by the card" + follows
        case .encipheredOfflinePINAndSignature:
            "enciphered PIN verified by the card and signature" + follows
        case .signature: "signature" + follows
        case .noCVM: "no CVM required" + follows
        case .notPerformed: "no CVM performed"
        default: "method \([method.rawValue].hex)" + follows
        }
    }
}
#endif
