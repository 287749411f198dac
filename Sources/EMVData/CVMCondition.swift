#if !hasFeature(Embedded)
import Octets
#endif

/// When a CVM rule applies: its second byte.
///
/// EMV Book 3, Annex C3, Table 44.
public struct CVMCondition: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public var rawValue: UInt8
    /// Wraps any condition, known or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Always (00).
    public static var always: Self { Self(rawValue: 0x00) }
    /// If unattended cash (01).
    public static var unattendedCash: Self { Self(rawValue: 0x01) }
    /// If not unattended cash, not manual cash and not purchase with cashback (02).
    public static var notCashOrCashback: Self { Self(rawValue: 0x02) }
    /// If the terminal supports the CVM (03).
    public static var terminalSupportsCVM: Self { Self(rawValue: 0x03) }
    /// If manual cash (04).
    public static var manualCash: Self { Self(rawValue: 0x04) }
    /// If purchase with cashback (05).
    public static var cashback: Self { Self(rawValue: 0x05) }
    /// If the transaction is in the application currency and under X (06).
    public static var underX: Self { Self(rawValue: 0x06) }
    /// If the transaction is in the application currency and over X (07).
    public static var overX: Self { Self(rawValue: 0x07) }
    /// If the transaction is in the application currency and under Y (08).
    public static var underY: Self { Self(rawValue: 0x08) }
    /// If the transaction is in the application currency and over Y (09).
    public static var overY: Self { Self(rawValue: 0x09) }
}

#if !hasFeature(Embedded)
extension CVMCondition: CustomStringConvertible {
    /// The condition in words.
    public var description: String {
        switch self {
        case .always: "always"
        case .unattendedCash: "if unattended cash"
        case .notCashOrCashback: "if not unattended cash, manual cash or cashback"
        case .terminalSupportsCVM: "if the terminal supports the CVM"
        case .manualCash: "if manual cash"
        case .cashback: "if purchase with cashback"
        case .underX: "if in the application currency and under X"
        case .overX: "if in the application currency and over X"
        case .underY: "if in the application currency and under Y"
        case .overY: "if in the application currency and over Y"
        default: "on condition \([rawValue].hex)"
        }
    }
}
#endif
