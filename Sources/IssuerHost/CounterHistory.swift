/// Which transaction counters of a card have been seen: the highest one, and those not far below it.
///
/// Requests may arrive out of order, so a counter below the highest is good once. Of one that lies too far below
/// nobody knows any more whether it was seen, so it is refused.
public struct CounterHistory: Hashable, Sendable, Codable {
    /// How many counters, from the highest down, are remembered one by one.
    static let windowCount = 64

    private var highest: UInt16?
    /// Bit n stands for the counter n below the highest.
    private var seen: UInt64 = 0

    /// Starts with no counter seen.
    public init() {}

    /// Why a counter is refused.
    public enum Refusal: Hashable, Sendable {
        /// It has been seen.
        case repeated
        /// It lies too far below the highest one.
        case tooOld(highest: UInt16)

        /// What is answered to a request with the counter.
        public func decision(on counter: UInt16) -> Decision {
            switch self {
            case .repeated:
                Decision(.securityViolation, "counter \(counter) was used before")
            case .tooOld(let highest):
                Decision(
                    .securityViolation,
                    "counter \(counter) lies far below \(highest), which was used before"
                )
            }
        }
    }

    /// Remembers a counter; returns why not when it is refused.
    public mutating func record(_ counter: UInt16) -> Refusal? {
        guard let highest else {
            self.highest = counter
            seen = 1
            return nil
        }
        if counter > highest {
            // A shift by the width or more gives zero.
            seen = seen << (counter - highest) | 1
            self.highest = counter
            return nil
        }
        let distance = highest - counter
        guard distance < Self.windowCount else { return .tooOld(highest: highest) }
        let bit: UInt64 = 1 << UInt64(distance)
        guard seen & bit == 0 else { return .repeated }
        seen |= bit
        return nil
    }
}
