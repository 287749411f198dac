import Foundation

/// How many times one thing takes as long as another, and what chance alone can make of that.
public struct Ratio: Hashable, Sendable {
    /// The ratio.
    public var value: Double
    /// What holds the true ratio unless something rarer than the given chance has happened; nil where there are too few
    /// blocks to say.
    public var interval: ClosedRange<Double>?

    /// Compares blocks that were measured at different times.
    ///
    /// The ratio is the middle of all quotients of one block of each side (Hodges and Lehmann), the interval that of
    /// Mann and Whitney's rank test. Neither asks how blocks are distributed: a few that were disturbed change little.
    /// Nil where there are no blocks, or a value is not above zero.
    /// - Parameters:
    ///   - new: The values above the line.
    ///   - old: The values below it.
    ///   - chance: How often the interval may miss the true ratio.
    public init?(_ new: [Double], to old: [Double], chance: Double) {
        guard !new.isEmpty, !old.isEmpty, (new + old).allSatisfy({ $0 > 0 && $0.isFinite }) else {
            return nil
        }
        let quotients = new.flatMap { above in old.map { log(above / $0) } }.sorted()
        value = exp(Series.median(of: quotients))
        let beyond = RankTest.largestExtreme(new.count, old.count, chance: chance)
        interval = beyond.map { exp(quotients[$0])...exp(quotients[quotients.count - 1 - $0]) }
    }

    /// The median of ratios, with the interval of the sign test; nil where there is none, or one is not above zero.
    /// - Parameters:
    ///   - values: A ratio of each block.
    ///   - chance: How often the interval may miss the true median.
    public init?(middleOf values: [Double], chance: Double) {
        guard !values.isEmpty, values.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        let ordered = values.sorted()
        value = Series.median(of: ordered)
        let beyond = RankTest.largestExtreme(values.count, chance: chance)
        interval = beyond.map { ordered[$0]...ordered[ordered.count - 1 - $0] }
    }

    /// Whether chance alone does not explain that it is above 1, or below.
    var isBeyondChance: Bool { interval.map { !$0.contains(1) } ?? false }
}
