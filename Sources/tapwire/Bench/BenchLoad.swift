import CommandLineKit
import Foundation
import Measurement

/// What many taps came to.
struct BenchLoad: Codable {
    /// What was asked for, the parts of it aside; only the same can be added up.
    var parameters: String
    /// How many taps all parts have together.
    var plannedCount: Int
    /// How many parts there are.
    var partCount: Int
    /// Which of them these are, from 1.
    var parts: [Int]
    /// Taps by how they ended.
    var results: [String: Int] = [:]
    /// How many taps failed: they were not approved, or broke off.
    var failureCount = 0
    /// What happened to the first of them.
    var firstFailure: String?
    /// How long each tap took.
    var durations = LatencyHistogram()
    /// How long all of it took, in seconds.
    var seconds = 0.0
    /// Taps in a second; for several parts, of all of them together.
    var tapsPerSecond = 0.0
    /// How many taps were under way at a time.
    var coreCount: Int
    /// The largest memory a process had, in KiB.
    var peakMemoryKiB = 0

    /// How a tap ended that has no end and no duration.
    static let brokenOff = "broken off"

    /// How many taps were made.
    var count: Int { results.values.reduce(0, +) }

    /// Counts what another part of the same run, or of a batch, came to.
    mutating func add(_ other: BenchLoad) {
        results.merge(other.results) { $0 + $1 }
        failureCount += other.failureCount
        firstFailure = firstFailure ?? other.firstFailure
        durations.merge(other.durations)
    }

    /// Whether the numbers can be those of a run, so that they can be added up.
    var isPlausible: Bool {
        let most = 1_000_000_000_000
        guard results.values.allSatisfy({ 0...most ~= $0 }), results.count <= 1000 else {
            return false
        }
        return 1...most ~= plannedCount && count <= plannedCount && 0...count ~= failureCount
            && durations.count == count - results[Self.brokenOff, default: 0]
            && 1...BenchLoadRun.largestPartCount ~= partCount
            && !parts.isEmpty && parts.allSatisfy { 1...partCount ~= $0 }
            && Set(parts).count == parts.count && 0...most ~= coreCount
            && 0...Double(most) ~= seconds && 0...Double(most) ~= tapsPerSecond
            && 0...most ~= peakMemoryKiB
    }

    // MARK: Words

    /// What was asked for, and which part of it: `2000 taps, Visa test card, part 1 of 2`.
    var runText: String { parameters + partText }

    private var partText: String {
        partCount > 1
            ? ", part \(parts.map { "\($0)" }.joined(separator: ", ")) of \(partCount)" : ""
    }

    var countText: String {
        let text = count.grouped + partText
        let missing = plannedCount - count
        return missing > 0 && parts.count == partCount
            ? text + "; \(missing.grouped) are missing" : text
    }

    var speedText: String {
        "\(BenchText.fixed(tapsPerSecond, tapsPerSecond < 100 ? 1 : 0)) taps/s on \(coreCount) core\(coreCount == 1 ? "" : "s"), "
            + "\(BenchText.fixed(seconds, 1)) s"
    }

    var errorText: String {
        let ends = results.sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key)" }
        let first = firstFailure.map { "; the first: \($0)" } ?? ""
        return "\(failureCount.grouped) (\(ends.joined(separator: ", ")))\(first)"
    }

    // MARK: Adding up

    /// Adds up the reports of several parts.
    /// - Throws: `CommandFailure` with `ExitCode.badFile` for parts that do not belong together.
    static func merged(_ paths: [String]) throws -> BenchReport {
        var report: BenchReport?
        for path in paths {
            let part = try BenchReport(path: path)
            guard let load = part.load else {
                throw CommandFailure(
                    .badFile,
                    "benchmark \(path.quoted) has no taps of “tapwire bench --taps” to add up"
                )
            }
            guard var sum = report?.load else {
                report = part
                continue
            }
            guard sum.parameters == load.parameters, sum.partCount == load.partCount else {
                throw CommandFailure(
                    .badFile,
                    "benchmark \(path.quoted) is of another run than \(paths[0].quoted): “\(load.runText)”, not “\(sum.runText)”"
                )
            }
            guard Set(sum.parts).isDisjoint(with: load.parts) else {
                throw CommandFailure(
                    .badFile,
                    "benchmark \(path.quoted) has a part that another file has too; name each part once"
                )
            }
            sum.add(load)
            sum.parts = (sum.parts + load.parts).sorted()
            sum.seconds = max(sum.seconds, load.seconds)
            sum.tapsPerSecond += load.tapsPerSecond
            sum.coreCount += load.coreCount
            sum.peakMemoryKiB = max(sum.peakMemoryKiB, load.peakMemoryKiB)
            report?.load = sum
        }
        guard let report else { preconditionFailure("--merge has a value") }
        return report
    }
}

extension Int {
    /// The number in groups of three digits.
    var grouped: String {
        let digits = String(self)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}
