#if !hasFeature(Embedded)

/// How an authorisation ended, two characters (8A; DE 39 of ISO 8583).
///
/// EMV Book 4, Annex A6, has those of the terminal, Y1 to Z3; the others are ISO 8583's.
public struct AuthorisationResponseCode: RawRepresentable, Hashable, Sendable {
    /// The two characters.
    public var rawValue: String
    /// Wraps any code, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads the value of 8A; nil when it is not two letters or digits.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 2, bytes.allSatisfy({ Self.isLetterOrDigit($0) }) else { return nil }
        rawValue = String(decoding: bytes, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & ~0x20
    }

    /// The code in words; nil for one that is not among the common ones.
    public var meaning: String? { Self.meanings[rawValue] }

    private static let meanings: [String: String] = [
        "00": "approved", "01": "refer to issuer", "02": "refer to issuer, special condition",
        "03": "invalid merchant", "04": "pick up card", "05": "do not honour", "06": "error",
        "07": "pick up card, special condition", "08": "honour with identification",
        "10": "approved for a part of the amount", "11": "approved (VIP)",
        "12": "invalid transaction", "13": "invalid amount", "14": "invalid card number",
        "15": "no such issuer", "19": "enter again", "25": "record not found",
        "30": "format error", "33": "expired card, pick up", "34": "suspected fraud, pick up",
        "38": "PIN tries exceeded, pick up", "41": "lost card", "43": "stolen card",
        "51": "not sufficient funds", "54": "expired card", "55": "incorrect PIN",
        "57": "not permitted to the cardholder", "58": "not permitted to the terminal",
        "59": "suspected fraud", "61": "exceeds the withdrawal limit", "62": "restricted card",
        "63": "security violation", "65": "exceeds the number of withdrawals",
        "68": "response too late", "70": "PIN required", "75": "PIN tries exceeded",
        "91": "issuer unavailable", "94": "duplicate", "96": "system malfunction",
        "Y1": "offline approved", "Y2": "approved after referral",
        "Y3": "unable to go online, offline approved", "Z1": "offline declined",
        "Z2": "declined after referral", "Z3": "unable to go online, offline declined",
    ]
}

#endif
