/// Who operates a terminal, whether somebody attends it, and how it reaches the issuer (9F35).
///
/// The tens digit names the operator, the units digit the rest. EMV Book 4, Annex A1.
public struct TerminalType: RawRepresentable, Hashable, Sendable {
    /// The two digits in one byte, 22 for a merchant's attended terminal that can go online.
    public var rawValue: UInt8
    /// Wraps any type, known or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Attended by a merchant, offline with online capability (22).
    public static var attendedMerchant: Self { Self(rawValue: 0x22) }

    /// Who is responsible for the terminal.
    public enum Operator: Hashable, Sendable {
        /// A financial institution (1x).
        case financialInstitution
        /// A merchant (2x).
        case merchant
        /// The cardholder (3x).
        case cardholder
    }

    /// Who is responsible for the terminal; nil for a reserved value.
    public var `operator`: Operator? {
        switch rawValue >> 4 {
        case 1: .financialInstitution
        case 2: .merchant
        case 3: .cardholder
        default: nil
        }
    }

    /// Whether every transaction goes online (x1, x4).
    public var isOnlineOnly: Bool { units == 1 || units == 4 }
    /// Whether no transaction goes online (x3, x6).
    public var isOfflineOnly: Bool { units == 3 || units == 6 }
    /// Whether it decides between offline and online (x2, x5).
    public var isOfflineWithOnlineCapability: Bool { units == 2 || units == 5 }
    /// Whether somebody attends it (x1 to x3).
    public var isAttended: Bool { 1...3 ~= units }
    /// Whether nobody attends it (x4 to x6).
    public var isUnattended: Bool { 4...6 ~= units }

    /// Whether it dispenses cash as an ATM: 14, 15 or 16 with cash among its capabilities.
    public func isATM(_ capabilities: AdditionalTerminalCapabilities) -> Bool {
        0x14...0x16 ~= rawValue && capabilities.supportsCash
    }

    private var units: UInt8 { rawValue & 0x0F }
}
