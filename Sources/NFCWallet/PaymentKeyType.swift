/// How often a payment key is good.
public enum PaymentKeyType: String, Hashable, Sendable, Codable {
    /// A single-use key (SUK): one payment, no other limit.
    case singleUse = "SUK"
    /// A limited-use key (LUK): some payments, within a sum and a time.
    case limitedUse = "LUK"
}

/// What a payment key is good for beside its one counter.
public struct KeyTerms: Hashable, Sendable {
    /// How often the key is good.
    public var type: PaymentKeyType
    /// The counter of the first payment the same key is good for; that of the key itself for a single-use key.
    public var firstCounter: UInt16
    /// When the key is good no more, in seconds since 1970; nil when it stays good.
    public var expirySeconds: Int64?
    /// What all payments of the key may come to, in the smallest unit of whatever currency; nil for no limit.
    public var amountLimitMinorUnits: UInt64?

    /// The terms of a single-use key.
    public static func singleUse(_ counter: UInt16) -> Self {
        Self(type: .singleUse, firstCounter: counter)
    }

    /// The terms of a limited-use key.
    public static func limitedUse(
        from firstCounter: UInt16,
        expirySeconds: Int64?,
        amountLimitMinorUnits: UInt64?
    ) -> Self {
        Self(
            type: .limitedUse,
            firstCounter: firstCounter,
            expirySeconds: expirySeconds,
            amountLimitMinorUnits: amountLimitMinorUnits
        )
    }

    init(
        type: PaymentKeyType,
        firstCounter: UInt16,
        expirySeconds: Int64? = nil,
        amountLimitMinorUnits: UInt64? = nil
    ) {
        self.type = type
        self.firstCounter = firstCounter
        self.expirySeconds = expirySeconds
        self.amountLimitMinorUnits = amountLimitMinorUnits
    }

    /// Whether the key is good no more.
    func isExpired(at seconds: Int64) -> Bool { expirySeconds.map { seconds >= $0 } ?? false }
}
