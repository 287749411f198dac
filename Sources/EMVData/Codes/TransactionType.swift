/// What a transaction is for, the first two digits of ISO 8583's processing code (9C).
public struct TransactionType: RawRepresentable, Hashable, Sendable {
    /// The two digits in one byte.
    public var rawValue: UInt8
    /// Wraps any type, known or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Purchase of goods or services (00).
    public static var purchase: Self { Self(rawValue: 0x00) }
    /// Cash withdrawal (01).
    public static var cash: Self { Self(rawValue: 0x01) }
    /// Purchase with cashback (09).
    public static var cashback: Self { Self(rawValue: 0x09) }
    /// Cash paid out by an attendant (17).
    public static var manualCash: Self { Self(rawValue: 0x17) }
    /// Refund (20).
    public static var refund: Self { Self(rawValue: 0x20) }
    /// Balance inquiry (30).
    public static var inquiry: Self { Self(rawValue: 0x30) }
}
