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
    /// What was asked for beside the built-in terminal and payment, for people; nil where that was not kept.
    var parameters: String?
    /// What one look at the clock takes, in nanoseconds: smaller differences cannot be told.
    var clockNanoseconds: Double
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

    private static let format = "tapwire bench 2"
    /// The form without blocks.
    private static let earlierFormat = "tapwire bench 1"

    /// Begins a report, here and now.
    init(way: String, _ arguments: Arguments) {
        date = Date().formatted(.iso8601)
        machine = Self.thisMachine
        build = Self.thisBuild
        self.way = way
        parameters = Self.paymentWords(arguments).joined(separator: ", ")
        clockNanoseconds = Self.thisClockNanoseconds
    }

    /// The options that make a payment another one, with their values.
    static func paymentWords(_ arguments: Arguments) -> [String] {
        ["profile", "amount", "currency", "date", "seed", "un", "config", "ca-keys"]
            .filter { arguments.has($0) }
            .flatMap { option in arguments.values(option).map { "\(option) \($0)" } }
    }

    /// The median of a thousand pairs of looks.
    private static var thisClockNanoseconds: Double {
        let looks = (0..<1000).map { _ in
            let start = ContinuousClock.now
            return start.duration(to: .now).wholeNanoseconds
        }
        return Double(looks.sorted()[looks.count / 2])
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

    private static let readerPrefix = "reader "

    /// How somebody's card is reached.
    static func way(reader name: String) -> String { readerPrefix + name }

    /// Whether it is somebody's card in a reader that was measured.
    var isOfForeignCard: Bool { way.hasPrefix(Self.readerPrefix) }

    /// What was measured on what, how and when.
    var heading: String {
        let blocks = cards.flatMap(\.measured).map(\.series.blocks.count).max() ?? 1
        let blockText = blocks > 1 ? ", \(blocks) blocks" : ""
        return "\(machine), \(build) build, \(way)\(blockText), \(date)"
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
        try self.init(try InputFile.bytes(path, "benchmark"), of: "benchmark \(path.quoted)")
    }

    /// Reads what `text` wrote.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - name: What it is, for the error.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    init(_ bytes: [UInt8], of name: String) throws {
        struct Head: Codable { var format: String }
        let decoder = JSONDecoder()
        if let head = try? decoder.decode(Head.self, from: Data(bytes)),
            head.format == Self.earlierFormat
        {
            throw CommandFailure(
                .badFile,
                "\(name) is of an earlier tapwire, which did not measure in blocks; measure it again with this one"
            )
        }
        guard let report = try? decoder.decode(Self.self, from: Data(bytes)),
            report.format == Self.format, report.isPlausible
        else {
            throw CommandFailure(
                .badFile,
                "\(name) is not what “tapwire bench --json” prints; measure it again"
            )
        }
        self = report
    }

    /// Whether the numbers can be those of a benchmark.
    private var isPlausible: Bool {
        0...1e9 ~= clockNanoseconds && load?.isPlausible ?? true
            && cards.allSatisfy { $0.measured.allSatisfy(\.isPlausible) }
    }
}
