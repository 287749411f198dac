#if !hasFeature(Embedded)

/// Where and how a card may be used, the three digits behind the expiry on its tracks (5F30, 57).
///
/// ISO/IEC 7813, 6.2.4.
public struct ServiceCode: Hashable, Sendable {
    /// The three digits.
    public let digits: [UInt8]

    /// Wraps digits; nil when there are not three of them.
    public init?(digits: [UInt8]) {
        guard digits.count == 3, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        self.digits = digits
    }

    /// Where the card is good, and whether it has a chip.
    private var interchange: String? {
        switch digits[0] {
        case 1: "international"
        case 2: "international, with chip"
        case 5: "national"
        case 6: "national, with chip"
        case 7: "by bilateral agreement only"
        case 9: "test"
        default: nil
        }
    }

    /// Who authorises.
    private var authorisation: String? {
        switch digits[1] {
        case 0: "normal authorisation"
        case 2: "authorisation by the issuer"
        case 4: "authorisation by the issuer unless agreed otherwise"
        default: nil
        }
    }

    /// What the card may be used for.
    private var services: String? {
        switch digits[2] {
        case 0: "no restrictions, PIN required"
        case 1: "no restrictions"
        case 2: "goods and services only"
        case 3: "ATM only, PIN required"
        case 4: "cash only"
        case 5: "goods and services only, PIN required"
        case 6: "no restrictions, PIN where there is a PIN pad"
        case 7: "goods and services only, PIN where there is a PIN pad"
        default: nil
        }
    }
}

extension ServiceCode: CustomStringConvertible {
    /// What the digits say in words; reserved ones are passed over.
    public var description: String {
        [interchange, authorisation, services].compactMap(\.self).joined(separator: "; ")
    }
}

#endif
