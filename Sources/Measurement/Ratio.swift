/// How many times one thing takes as long as another, and how sure that is.
public struct Ratio: Hashable, Sendable {
    /// The ratio of the medians over the batches.
    public var value: Double
    /// The lower bound of the interval that has the true ratio in 99 of 100 measurements.
    public var lower: Double
    /// The upper bound.
    public var upper: Double

    /// The fewest batches that say anything.
    public static var minimumBatchCount: Int { 8 }
    /// How often the batches are drawn anew.
    private static var drawCount: Int { 1000 }
    /// What is outside the interval, on either side.
    private static var tail: Double { 0.005 }

    /// Compares batches that were measured at different times; nil for fewer than `minimumBatchCount` on a side, or a value
    /// that is not above zero.
    ///
    /// The interval is a moving block bootstrap: runs of neighbouring batches are drawn from each side, so that what
    /// lasts over several batches stays together and widens the interval, as it must.
    /// - Parameters:
    ///   - new: The values above the line, in the order they were measured.
    ///   - old: The values below it.
    ///   - generator: Draws the batches.
    public init?(
        _ new: [Double],
        to old: [Double],
        using generator: inout some RandomNumberGenerator
    ) {
        guard min(new.count, old.count) >= Self.minimumBatchCount,
            (new + old).allSatisfy({ $0 > 0 && $0.isFinite })
        else { return nil }
        value = Series.median(of: new.sorted()) / Series.median(of: old.sorted())
        var ratios: [Double] = []
        ratios.reserveCapacity(Self.drawCount)
        for _ in 0..<Self.drawCount {
            let above = Self.draw(new, using: &generator)
            let below = Self.draw(old, using: &generator)
            ratios.append(above / below)
        }
        ratios.sort()
        lower = ratios[Int(Double(Self.drawCount) * Self.tail)]
        upper = ratios[Self.drawCount - 1 - Int(Double(Self.drawCount) * Self.tail)]
    }

    /// The median of as many values as there are, drawn in blocks of neighbours.
    private static func draw(
        _ values: [Double],
        using generator: inout some RandomNumberGenerator
    ) -> Double {
        let block = max(1, Int(Double(values.count).squareRoot().rounded()))
        var drawn: [Double] = []
        drawn.reserveCapacity(values.count + block)
        while drawn.count < values.count {
            let start = Int.random(in: 0...(values.count - block), using: &generator)
            drawn += values[start..<(start + block)]
        }
        return Series.median(of: drawn.prefix(values.count).sorted())
    }
}
