import Foundation

/// What became faster or slower between two measurements of the same things.
///
/// Three things make equal programs differ, and each is kept out in its own way. Chance: intervals over blocks, wide
/// enough that those of all things together miss once in a hundred comparisons. The machine's pace, which is another
/// today: a change has to show on the clock and in units of the floor that was measured beside it. What of the pace the
/// floor does not follow: a change has to be larger than the pace's own, and than what the floors differ in theirs.
public struct Comparison: Hashable, Sendable {
    /// What can be said of one thing.
    public enum Verdict: Hashable, Sendable {
        /// Nothing that could not be chance, or nothing worth speaking of.
        case noDifference
        /// It takes less time.
        case faster
        /// It takes more time.
        case slower
        /// Its 99th percentile is shorter by far, the rest is the same.
        case tailFaster
        /// Its 99th percentile is longer by far, the rest is the same.
        case tailSlower
        /// It takes another time, but as many floors as before: the machine's pace is another.
        case paceOnly
        /// It takes the same time, but another number of floors: the floor's time is another.
        case floorOnly
        /// There are too few blocks.
        case tooLittle
        /// The floors are different things, so that nothing tells the machine's pace.
        case otherFloor
    }

    /// One thing that was measured both times; ratios are new over old.
    public struct Row: Hashable, Sendable {
        /// What it is, for people.
        public var name: String
        /// The quick tenths on the clock.
        public var plain: Ratio?
        /// The quick tenths in units of the floor's; nil where the floors are different.
        public var inFloors: Ratio?
        /// The 99th percentiles on the clock.
        public var tail: Ratio?
        /// What can be said.
        public var verdict = Verdict.noDifference
    }

    /// The things, in order.
    public private(set) var rows: [Row] = []
    /// How many times slower the machine was, by what most things and floors say; below 1 where it was faster.
    public private(set) var pace = 1.0
    /// The ratio from which on a change counts.
    public private(set) var leastChange = 1 + Self.resolution

    /// Two builds of one program differ by about as much, for code and memory lie elsewhere.
    public static let resolution = 0.05
    /// What interrupts a machine now and then makes the slowest in a hundred much less certain.
    public static let tailRatio = 1.5
    /// How often two measurements of one program may come out as different by chance.
    public static let chance = 0.01

    /// Compares what was measured both times.
    /// - Parameters:
    ///   - pairs: The later measurement of each thing and the earlier one.
    ///   - clockNanoseconds: What one look at the clock takes; less cannot be told.
    ///   - isDisturbed: Whether others used the machine during either, so that tails say nothing.
    public init(
        _ pairs: [(new: Measured, old: Measured)],
        clockNanoseconds: Double = 0,
        isDisturbed: Bool = false
    ) {
        let share = Self.chance / Double(max(1, pairs.count) * (isDisturbed ? 1 : 2))
        var changes: [Double] = []
        var floorChanges: [Double] = []
        for (new, old) in pairs {
            func ratio(_ value: KeyPath<Series.Block, Double>) -> Ratio? {
                Ratio(new.blocks(value), to: old.blocks(value), chance: share)
            }
            var row = Row(name: new.name, plain: ratio(\.quickTenth), tail: ratio(\.tail))
            if new.floor != nil, new.floor?.name == old.floor?.name {
                row.inFloors = Ratio(
                    new.inFloors(\.quickTenth),
                    to: old.inFloors(\.quickTenth),
                    chance: share
                )
                changes += [row.plain?.value].compactMap { $0 }
                floorChanges += [Self.floorChange(new, old)].compactMap { $0 }
            }
            rows.append(row)
        }
        changes += floorChanges
        if !changes.isEmpty { pace = Series.median(of: changes.sorted()) }
        leastChange =
            (1 + Self.resolution) * max(pace, 1 / pace) * Self.unevenness(of: floorChanges)
        for (index, pair) in pairs.enumerated() {
            let isBelowClock = Self.difference(pair.new, pair.old) < clockNanoseconds
            rows[index].verdict = verdict(rows[index], isBelowClock: isBelowClock)
            guard rows[index].verdict == .noDifference, !isDisturbed else { continue }
            let inFloors = Ratio(
                pair.new.inFloors(\.tail),
                to: pair.old.inFloors(\.tail),
                chance: share
            )
            rows[index].verdict = Self.tailVerdict(rows[index].tail, inFloors)
        }
    }

    /// What the quick tenths say.
    private func verdict(_ row: Row, isBelowClock: Bool) -> Verdict {
        guard let plain = row.plain, plain.interval != nil else { return .tooLittle }
        guard let inFloors = row.inFloors else { return .otherFloor }
        let onClock = isBelowClock ? .noDifference : direction(plain)
        let besideFloor = direction(inFloors)
        if onClock == besideFloor { return onClock }
        return onClock == .noDifference ? .floorOnly : .paceOnly
    }

    /// Whether a ratio is beyond chance and large enough to count.
    private func direction(_ ratio: Ratio) -> Verdict {
        guard ratio.isBeyondChance else { return .noDifference }
        if ratio.value > leastChange { return .slower }
        if ratio.value < 1 / leastChange { return .faster }
        return .noDifference
    }

    /// What the tails say: only what is larger than `tailRatio` beyond all chance, on the clock and in floors.
    private static func tailVerdict(_ ratios: Ratio?...) -> Verdict {
        let intervals = ratios.compactMap { $0?.interval }
        guard intervals.count == ratios.count else { return .noDifference }
        if intervals.allSatisfy({ $0.lowerBound > tailRatio }) { return .tailSlower }
        if intervals.allSatisfy({ $0.upperBound < 1 / tailRatio }) { return .tailFaster }
        return .noDifference
    }

    /// The ratio by which changes differ among themselves: two standard deviations, and 1 where all are the same.
    private static func unevenness(of changes: [Double]) -> Double {
        guard !changes.isEmpty else { return 1 }
        let logarithms = changes.map { log($0) }
        let mean = logarithms.reduce(0, +) / Double(changes.count)
        let squares = logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return exp(2 * (squares / Double(changes.count)).squareRoot())
    }

    /// How many times as long the floor took as before.
    private static func floorChange(_ new: Measured, _ old: Measured) -> Double? {
        guard let above = new.floor?.series.blocks, let below = old.floor?.series.blocks else {
            return nil
        }
        return Ratio(above.map(\.quickTenth), to: below.map(\.quickTenth), chance: chance)?.value
    }

    /// By how many nanoseconds the quick tenths differ.
    private static func difference(_ new: Measured, _ old: Measured) -> Double {
        let middles = [new, old].map { measured in
            measured.series.blocks.isEmpty
                ? 0 : Series.median(of: measured.blocks(\.quickTenth).sorted())
        }
        return abs(middles[0] - middles[1])
    }
}

extension Measured {
    /// A value of each block.
    fileprivate func blocks(_ value: KeyPath<Series.Block, Double>) -> [Double] {
        series.blocks.map { $0[keyPath: value] }
    }
}
