/// Durations, counted in fixed memory whatever their number.
///
/// Below 256 ns every nanosecond has a counter of its own. Above, each power of two is divided into 128 counters, so
/// that a duration read back differs from the one recorded by at most one part in 256 (0.4 %). The shortest and the
/// longest one are kept exactly. A histogram has 58 KiB.
public struct LatencyHistogram: Hashable, Sendable {
    /// How many were recorded.
    public private(set) var count: UInt64 = 0
    /// The shortest, in nanoseconds; the largest number when there is none.
    public private(set) var minimumNanoseconds = UInt64.max
    /// The longest, in nanoseconds; zero when there is none.
    public private(set) var maximumNanoseconds: UInt64 = 0
    private var counters = [UInt64](repeating: 0, count: Self.counterCount)

    /// The power of two into whose number of counters each larger power of two is divided.
    static let divisionBits = 7
    static let counterCount = (UInt64.bitWidth - divisionBits + 1) << divisionBits

    /// Creates an empty histogram.
    public init() {}

    /// Counts a duration.
    public mutating func record(nanoseconds: UInt64) { record(nanoseconds, count: 1) }

    private mutating func record(_ nanoseconds: UInt64, count more: UInt64) {
        counters[Self.index(of: nanoseconds)] += more
        count += more
        minimumNanoseconds = min(minimumNanoseconds, nanoseconds)
        maximumNanoseconds = max(maximumNanoseconds, nanoseconds)
    }

    /// Counts all that another histogram has counted.
    public mutating func merge(_ other: LatencyHistogram) {
        for index in counters.indices { counters[index] += other.counters[index] }
        count += other.count
        minimumNanoseconds = min(minimumNanoseconds, other.minimumNanoseconds)
        maximumNanoseconds = max(maximumNanoseconds, other.maximumNanoseconds)
    }

    /// The duration that a share of all does not exceed, in nanoseconds.
    ///
    /// That is the one of rank ⌈share × count⌉ in their order, read back from its counter's middle.
    /// - Parameter share: From 0 to 1: 0.99 for the 99th percentile.
    /// - Returns: The duration; zero when nothing was recorded.
    public func quantile(_ share: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        let rank = max(1, UInt64((min(max(share, 0), 1) * Double(count)).rounded(.up)))
        guard rank < count else { return maximumNanoseconds }
        var passed: UInt64 = 0
        for (index, counter) in counters.enumerated() where counter > 0 {
            passed += counter
            if passed >= rank {
                let middle = Self.range(of: index).middle
                return min(max(middle, minimumNanoseconds), maximumNanoseconds)
            }
        }
        return maximumNanoseconds
    }

    /// How many durations lie in a range of counters whose lowest durations are in `range`.
    public func count(in range: Range<UInt64>) -> UInt64 {
        occupied.reduce(0) { $0 + (range.contains($1.nanoseconds) ? $1.count : 0) }
    }

    /// The counters that counted, each with its middle in nanoseconds, the shortest first.
    public var occupied: [(nanoseconds: UInt64, count: UInt64)] {
        counters.indices.compactMap { index in
            counters[index] == 0 ? nil : (Self.range(of: index).middle, counters[index])
        }
    }

    // MARK: Counters

    /// The counter of a duration.
    static func index(of nanoseconds: UInt64) -> Int {
        let bits = UInt64.bitWidth - nanoseconds.leadingZeroBitCount
        let shift = max(0, bits - divisionBits - 1)
        return shift << divisionBits + Int(nanoseconds >> UInt64(shift))
    }

    /// The shortest duration of a counter, and the longest.
    static func range(of index: Int) -> (first: UInt64, last: UInt64, middle: UInt64) {
        let shift = max(0, index >> divisionBits - 1)
        let first = UInt64(index - shift << divisionBits) << UInt64(shift)
        let last = first + (1 << UInt64(shift) - 1)
        return (first, last, first + (last - first) / 2)
    }
}

extension LatencyHistogram: Codable {
    private enum CodingKeys: String, CodingKey {
        case minimumNanoseconds, maximumNanoseconds, counters
    }

    /// Writes the extremes, and the counters that counted: index, count, index, count and so on.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count > 0 ? minimumNanoseconds : 0, forKey: .minimumNanoseconds)
        try container.encode(maximumNanoseconds, forKey: .maximumNanoseconds)
        let pairs = counters.enumerated().flatMap { index, counter in
            counter > 0 ? [UInt64(index), counter] : []
        }
        try container.encode(pairs, forKey: .counters)
    }

    /// Reads what `encode` writes.
    /// - Throws: `DecodingError` when counters and extremes contradict each other.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let pairs = try container.decode([UInt64].self, forKey: .counters)
        let minimum = try container.decode(UInt64.self, forKey: .minimumNanoseconds)
        let maximum = try container.decode(UInt64.self, forKey: .maximumNanoseconds)
        func refuse(_ reason: String) -> DecodingError {
            .dataCorruptedError(forKey: .counters, in: container, debugDescription: reason)
        }
        guard pairs.count.isMultiple(of: 2) else { throw refuse("a counter has no count") }
        for position in stride(from: 0, to: pairs.count, by: 2) {
            guard let index = Int(exactly: pairs[position]), counters.indices.contains(index),
                counters[index] == 0, pairs[position + 1] > 0
            else { throw refuse("there is no such counter, or it is there twice") }
            let (sum, isTooLarge) = count.addingReportingOverflow(pairs[position + 1])
            guard !isTooLarge, sum <= Self.maximumDecodedCount else {
                throw refuse("the counts are too large")
            }
            counters[index] = pairs[position + 1]
            count = sum
        }
        guard let first = counters.firstIndex(where: { $0 > 0 }),
            let last = counters.lastIndex(where: { $0 > 0 })
        else {
            guard minimum == 0, maximum == 0 else { throw refuse("nothing was counted") }
            return
        }
        guard Self.index(of: minimum) == first, Self.index(of: maximum) == last,
            minimum <= maximum
        else { throw refuse("the extremes are not those of the counters") }
        minimumNanoseconds = minimum
        maximumNanoseconds = maximum
    }

    /// Small enough that thousands of files can be merged.
    private static var maximumDecodedCount: UInt64 { 1 << 48 }
}
