public import EMVData

/// What pre-processing found out about one combination before a card is there (EMV Book B, 3.1.1).
public struct EntryPointIndicators: Hashable, Sendable {
    /// Status Check Requested.
    public var isStatusCheckRequested = false
    /// Contactless Application Not Allowed.
    public var isNotAllowed = false
    /// Zero Amount.
    public var isZeroAmount = false
    /// Reader CVM Required Limit Exceeded.
    public var isCVMLimitExceeded = false
    /// Reader Contactless Floor Limit Exceeded, by whichever floor limit there is.
    public var isFloorLimitExceeded = false
    /// Terminal Transaction Qualifiers (9F66) for this transaction; nil when none are configured.
    public var terminalTransactionQualifiers: TerminalTransactionQualifiers?

    /// Nothing found out, as for a combination without limits and qualifiers.
    public init() {}

    /// Runs pre-processing for `combination`.
    init(
        _ combination: Combination,
        amount: Amount,
        floorLimitComparison: ReaderConfiguration.FloorLimitComparison
    ) {
        let limits = combination.limits
        let value = amount.minorUnits

        // 3.1.1.2
        var qualifiers = combination.terminalTransactionQualifiers
        qualifiers?.requiresOnlineCryptogram = false
        qualifiers?.requiresCVM = false

        // 3.1.1.3 and 3.1.1.4
        isStatusCheckRequested = combination.supportsStatusCheck && value == amount.currency.oneUnit
        if value == 0 {
            if combination.allowsZeroAmount == false {
                isNotAllowed = true
            } else {
                isZeroAmount = true
            }
        }

        // 3.1.1.5
        if let limit = limits.transaction, value >= limit { isNotAllowed = true }

        // 3.1.1.6 and 3.1.1.7
        if let limit = limits.floor ?? limits.terminalFloor {
            switch floorLimitComparison {
            case .over: isFloorLimitExceeded = value > limit
            case .atOrOver: isFloorLimitExceeded = value >= limit
            }
        }

        // 3.1.1.8
        if let limit = limits.cvm { isCVMLimitExceeded = value >= limit }

        // 3.1.1.9 to 3.1.1.12
        if let configured = qualifiers {
            if isFloorLimitExceeded || isStatusCheckRequested {
                qualifiers?.requiresOnlineCryptogram = true
            }
            if isZeroAmount {
                if configured.isOfflineOnly {
                    isNotAllowed = true
                } else {
                    qualifiers?.requiresOnlineCryptogram = true
                }
            }
            if isCVMLimitExceeded { qualifiers?.requiresCVM = true }
        }
        terminalTransactionQualifiers = qualifiers
    }
}

extension Currency {
    /// One unit of the currency in its smallest unit, 100 for EUR.
    fileprivate var oneUnit: UInt64 { (0..<exponent).reduce(1) { unit, _ in unit * 10 } }
}
