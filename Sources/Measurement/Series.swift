/// The durations of one thing, measured in blocks.
///
/// Durations that follow each other depend on each other: the machine is busy, or runs slower, for a while, and
/// where a process has its memory makes a difference as long as it lives. What is compared are therefore blocks, each
/// measured in a process of its own, and not single durations.
public struct Series: Hashable, Sendable, Codable {
    /// What one block says, in nanoseconds.
    public struct Block: Hashable, Sendable, Codable {
        /// The 10th percentile: what disturbs a machine makes things slower, never faster, so this hardly moves.
        public var quickTenth: Double
        /// The median.
        public var median: Double
        /// The 99th percentile.
        public var tail: Double

        private enum CodingKeys: String, CodingKey {
            case quickTenth = "p10"
            case median = "p50"
            case tail = "p99"
        }
    }

    /// All durations.
    public private(set) var histogram = LatencyHistogram()
    /// The blocks, in the order they were measured.
    public private(set) var blocks: [Block] = []

    /// Creates an empty series.
    public init() {}

    /// Adds a block; an empty one is nothing.
    public mutating func append(_ durations: [UInt64]) {
        guard !durations.isEmpty else { return }
        for duration in durations { histogram.record(nanoseconds: duration) }
        let ordered = durations.sorted()
        blocks.append(
            Block(
                quickTenth: Double(ordered[(ordered.count + 9) / 10 - 1]),
                median: Self.median(of: ordered.map { Double($0) }),
                tail: Double(ordered[(ordered.count * 99 + 99) / 100 - 1])
            )
        )
    }

    /// Adds the blocks of another series behind those that are here.
    public mutating func merge(_ other: Series) {
        histogram.merge(other.histogram)
        blocks += other.blocks
    }

    /// The middle of values in their order, or between the two in the middle.
    /// - Precondition: There is at least one.
    static func median(of ordered: [Double]) -> Double {
        let middle = ordered.count / 2
        return ordered.count.isMultiple(of: 2)
            ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
    }
}
