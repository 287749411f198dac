import Foundation

/// The time of day of the machine.
public enum WallClock {
    /// Seconds since 1970.
    public static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}
