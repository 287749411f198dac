/// The durations of one thing, measured in batches.
///
/// Durations that follow each other depend on each other: the machine is busy, or runs slower, for a while. What is
/// compared are therefore batches, not single durations.
public struct Series: Hashable, Sendable, Codable {
    /// All durations.
    public private(set) var histogram = LatencyHistogram()
    /// The 10th percentile of each batch, in nanoseconds, in the order they were measured.
    ///
    /// What disturbs a machine makes things slower, never faster, so it hardly moves.
    public private(set) var batchQuickTenths: [Double] = []
    /// The median of each batch, in nanoseconds.
    public private(set) var batchMedians: [Double] = []
    /// The 99th percentile of each batch, in nanoseconds.
    public private(set) var batchTails: [Double] = []

    /// Creates an empty series.
    public init() {}

    /// Adds a batch; an empty one is nothing.
    public mutating func append(_ batch: [UInt64]) {
        guard !batch.isEmpty else { return }
        for duration in batch { histogram.record(nanoseconds: duration) }
        let ordered = batch.sorted()
        batchQuickTenths.append(Double(ordered[(ordered.count + 9) / 10 - 1]))
        batchMedians.append(Self.median(of: ordered.map { Double($0) }))
        batchTails.append(Double(ordered[(ordered.count * 99 + 99) / 100 - 1]))
    }

    /// Adds the batches of another series behind those that are here.
    public mutating func merge(_ other: Series) {
        histogram.merge(other.histogram)
        batchQuickTenths += other.batchQuickTenths
        batchMedians += other.batchMedians
        batchTails += other.batchTails
    }

    /// The middle of values in their order, or between the two in the middle.
    /// - Precondition: There is at least one.
    static func median(of ordered: [Double]) -> Double {
        let middle = ordered.count / 2
        return ordered.count.isMultiple(of: 2)
            ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
    }
}
