package import EMVData

/// Whether a transaction is too large, or too many went by offline, for the terminal to decide alone.
///
/// EMV Book 3, 10.6, without random selection, which needs chance.
package struct TerminalRiskManagement {
    /// Terminal Floor Limit (9F1B), in the smallest unit; nil when the terminal has none.
    var floorLimit: UInt32?
    /// What the same card paid here before, as far as the terminal's log goes back.
    var earlierAmount: UInt64

    /// Collects what the terminal knows.
    package init(floorLimit: UInt32?, earlierAmount: UInt64 = 0) {
        self.floorLimit = floorLimit
        self.earlierAmount = earlierAmount
    }

    /// The card's limits and counters.
    package struct Velocity {
        var lowerLimit: UInt8
        var upperLimit: UInt8
        var counter: UInt16?
        var lastOnlineCounter: UInt16?

        /// Collects the objects 9F14, 9F23, 9F36 and 9F13; the counters are nil when GET DATA did not give them.
        package init(
            lowerLimit: UInt8,
            upperLimit: UInt8,
            counter: UInt16?,
            lastOnlineCounter: UInt16?
        ) {
            self.lowerLimit = lowerLimit
            self.upperLimit = upperLimit
            self.counter = counter
            self.lastOnlineCounter = lastOnlineCounter
        }
    }

    /// Sets the bits that floor limit and velocity call for.
    /// - Parameters:
    ///   - amount: The amount, in the smallest unit.
    ///   - velocity: The card's limits and counters; nil when it has not both limits, so that nothing is counted.
    ///   - results: The results so far.
    package func apply(
        amount: UInt64,
        velocity: Velocity?,
        to results: inout TerminalVerificationResults
    ) {
        if let floorLimit,
            amount.addingReportingOverflow(earlierAmount).overflow
                || amount + earlierAmount >= UInt64(floorLimit)
        {
            results.floorLimitExceeded = true
        }
        guard let velocity else { return }
        if velocity.lastOnlineCounter == 0 { results.newCard = true }
        guard let counter = velocity.counter, let last = velocity.lastOnlineCounter, counter > last
        else {
            // Counters that are missing or make no sense count as both limits exceeded.
            results.lowerConsecutiveOfflineLimitExceeded = true
            results.upperConsecutiveOfflineLimitExceeded = true
            return
        }
        if counter - last > UInt16(velocity.lowerLimit) {
            results.lowerConsecutiveOfflineLimitExceeded = true
        }
        if counter - last > UInt16(velocity.upperLimit) {
            results.upperConsecutiveOfflineLimitExceeded = true
        }
    }
}
