/// A time in periods of the carrier: 1/fc, where fc is 13.56 MHz, or 73.75 ns (ISO/IEC 14443-2).
///
/// The standards give every time in these, so that nothing is rounded before it is shown.
public struct CarrierCycles: RawRepresentable, Hashable, Comparable, AdditiveArithmetic, Sendable {
    /// How many periods.
    public var rawValue: Int
    /// Wraps a number of periods.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Wraps a number of periods.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The carrier's frequency, in hertz.
    public static let frequencyHertz = 13_560_000

    /// As many whole periods as fit into a duration, at most a day's.
    public init(_ duration: Duration) {
        let seconds = min(max(duration / .seconds(1), 0), 86_400)
        rawValue = Int(seconds * Double(Self.frequencyHertz))
    }

    /// The time, rounded down to whole nanoseconds.
    public var duration: Duration {
        let (seconds, rest) = rawValue.quotientAndRemainder(dividingBy: Self.frequencyHertz)
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Self.frequencyHertz)
    }

    /// No time.
    public static let zero = CarrierCycles(0)
    /// The sum of two times.
    public static func + (left: Self, right: Self) -> Self { Self(left.rawValue + right.rawValue) }
    /// The difference of two times.
    public static func - (left: Self, right: Self) -> Self { Self(left.rawValue - right.rawValue) }
    /// A time several times.
    public static func * (left: Self, count: Int) -> Self { Self(left.rawValue * count) }
    /// Whether one time is shorter than another.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
