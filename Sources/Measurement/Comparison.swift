/// What became faster or slower between two measurements of the same thing.
public struct Comparison: Hashable, Sendable {
    /// What can be said.
    public enum Verdict: Hashable, Sendable {
        /// Nothing that could not be chance, or nothing worth speaking of.
        case noDifference
        /// The new one takes less time.
        case faster
        /// The new one takes more time.
        case slower
        /// There are too few batches.
        case tooLittle
    }

    /// New over old, both in units of the floor measured with them where both have one.
    public struct Change: Hashable, Sendable {
        /// The ratio; nil for too few batches.
        public var ratio: Ratio?
        /// By how much it has to differ from 1 to be worth speaking of.
        public var resolution: Double

        /// What can be said: a difference has to be outside chance, and beyond the resolution.
        public var verdict: Verdict {
            guard let ratio else { return .tooLittle }
            if ratio.lower > 1, ratio.value > 1 + resolution { return .slower }
            if ratio.upper < 1, ratio.value < 1 / (1 + resolution) { return .faster }
            return .noDifference
        }
    }

    /// The 10th percentiles, which what disturbs the machine hardly moves.
    public var quickTenth: Change
    /// The 99th percentiles.
    public var tail: Change
    /// The medians as they are, without the floor; nil for too few batches.
    public var plainMedians: Ratio?
    /// Whether the changes are in units of the floor.
    public var usesFloor: Bool
    /// Whether the machine was too busy for the tails to say anything.
    public var isDisturbed: Bool

    /// Two runs of one program differ by about as much, for memory lies elsewhere each time.
    public static let resolution = 0.05
    /// The same on a machine that others used too.
    public static let disturbedResolution = 0.25
    /// What interrupts a machine now and then makes the slowest in a hundred much less certain.
    public static let tailResolution = 0.5

    /// Compares batches.
    ///
    /// A machine that is slower in one of the runs is slower for the floor too, which takes that out.
    /// - Parameters:
    ///   - new: The later measurement.
    ///   - old: The earlier one.
    ///   - isDisturbed: Whether others used the machine during either.
    ///   - generator: Draws batches.
    public init(
        _ new: Measured,
        to old: Measured,
        isDisturbed: Bool = false,
        using generator: inout some RandomNumberGenerator
    ) {
        self.isDisturbed = isDisturbed
        usesFloor = new.floor != nil && new.floor?.name == old.floor?.name
        let (above, below) = (new.batches(inFloors: usesFloor), old.batches(inFloors: usesFloor))
        quickTenth = Change(
            ratio: Ratio(above.quickTenths, to: below.quickTenths, using: &generator),
            resolution: isDisturbed ? Self.disturbedResolution : Self.resolution
        )
        tail = Change(
            ratio: Ratio(above.tails, to: below.tails, using: &generator),
            resolution: Self.tailResolution
        )
        plainMedians = Ratio(
            new.series.batchMedians,
            to: old.series.batchMedians,
            using: &generator
        )
    }

    /// What can be said of both together: the quick tenths' word first, and the tails' only on a quiet machine.
    public var verdict: Verdict {
        quickTenth.verdict == .noDifference && !isDisturbed ? tail.verdict : quickTenth.verdict
    }
}
