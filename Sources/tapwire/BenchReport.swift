import CommandLineKit
import Foundation
import Measurement

/// What a benchmark found, as `--json` prints it and `--compare` and `--merge` read it.
struct BenchReport: Codable {
    /// Which form this is.
    var format = Self.format
    /// When it was measured.
    var date: String
    /// What it was measured on.
    var machine: String
    /// Whether the program was built for speed.
    var build: String
    /// How the card was reached.
    var way: String
    /// Each card that was measured.
    var cards: [MeasuredCard] = []
    /// What many taps came to; nil where none were asked for.
    var load: BenchLoad?

    /// A card that was measured.
    struct MeasuredCard: Codable {
        /// What it is, for people.
        var name: String
        /// Its commands and taps.
        var measured: [Measured]
        /// What each takes on the radio; nil where that was not asked for.
        var air: AirTimes?
        /// Which share of the time somebody on this machine waited for a processor; nil where the system does not say.
        var waitingShare: Double?

        /// Whether others used the machine so much that small differences say nothing.
        var isDisturbed: Bool { waitingShare.map { $0 > 0.1 } ?? false }
    }

    /// What things take on the radio.
    struct AirTimes: Codable {
        /// Rate and frames.
        var link: String
        /// From the first frame to the last, in nanoseconds, by name.
        var nanoseconds: [String: UInt64]
    }

    private static let format = "tapwire bench 1"

    /// Begins a report, here and now.
    init(way: String) {
        date = Date().formatted(.iso8601)
        machine = Self.thisMachine
        build = Self.thisBuild
        self.way = way
    }

    /// Whether this program was built for speed.
    static var thisBuild: String {
        #if DEBUG
        "debug"
        #else
        "release"
        #endif
    }

    private static var thisMachine: String {
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
            .flatMap { $0.split(separator: ":").last }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return "\(model ?? "unknown processor"), \(ProcessInfo.processInfo.processorCount) cores"
    }

    // MARK: Files

    /// The whole text.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// Reads what `text` wrote.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    init(path: String) throws {
        let bytes = try InputFile.bytes(path, "benchmark")
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw Self.refusal(path)
        }
        guard format == Self.format, load?.isPlausible ?? true else { throw Self.refusal(path) }
    }

    private static func refusal(_ path: String) -> CommandFailure {
        CommandFailure(
            .badFile,
            "benchmark \(path.quoted) is not what “tapwire bench --json” prints; measure it again"
        )
    }
}
