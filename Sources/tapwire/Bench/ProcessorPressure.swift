import Foundation

/// How busy the machine is while something is measured: the share of time in which some thread waited for a processor, as
/// Linux counts it (`/proc/pressure/cpu`).
struct ProcessorPressure {
    private let start = ContinuousClock.now
    private let waitedMicroseconds = Self.waitedMicroseconds

    /// From the beginning until now; nil where the system does not say.
    var share: Double? {
        guard let before = waitedMicroseconds, let now = Self.waitedMicroseconds else { return nil }
        let elapsed = start.duration(to: .now) / .microseconds(1)
        return elapsed > 0 ? min(1, Double(now - before) / elapsed) : nil
    }

    private static var waitedMicroseconds: Int? {
        let text = (try? String(contentsOfFile: "/proc/pressure/cpu", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("some ") }
        return line?.split(separator: "=").last.flatMap { Int($0) }
    }
}
