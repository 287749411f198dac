import CommandLineKit
import Foundation
import Measurement
import Profiles

extension BenchCommand {
    /// Measures on a thread of its own, since a reader blocks, and shows what came out.
    static func run(_ arguments: Arguments) async throws -> ExitCode {
        try await onThread(named: "bench") { try measure(arguments) }
    }

    private static func measure(_ arguments: Arguments) throws -> ExitCode {
        if BenchBlocks.isBlock { BenchBlocks.followParent() }
        try checkCombination(arguments)
        // Read before anything is measured: a wrong file is told at once.
        let picture = try OutputFile("svg", "picture", arguments)
        let old = try arguments["compare"].map { try earlierReport($0) }
        let plan = try BenchPlan(arguments)
        if BenchReport.thisBuild == "debug", !BenchBlocks.isBlock {
            Console.diagnostics.write(
                "tapwire: this is a debug build, several times slower; measure with one of “swift build -c release”\n"
            )
        }
        let report: BenchReport
        var isInterrupted = false
        if arguments.has("merge") {
            report = try BenchLoad.merged(arguments.values("merge"))
        } else if arguments.has("taps") {
            (report, isInterrupted) = try BenchLoadRun(arguments).run()
        } else if plan.blockCounts.count > 1 {
            report = try BenchBlocks(arguments, plan).run()
        } else if arguments.has("vpcd") {
            report = try BenchReader.measureOwnCard(arguments)
        } else if arguments.has("reader") {
            report = try BenchReader.measureForeignCard(arguments)
        } else {
            report = try measureInProcess(arguments)
        }
        try picture?.write(BenchSVG(report).text)
        if arguments.has("json") {
            Console.output.write(try report.text())
        } else {
            var page = BenchText(.output)
            Console.output.write(page.text(report))
        }
        if let old {
            var page = BenchText(arguments.has("json") ? .diagnostics : .output)
            let text = page.comparison(report, to: old)
            (arguments.has("json") ? Console.diagnostics : .output).write(text)
        }
        let hasFailed = report.load.map { $0.failureCount > 0 } ?? false
        return isInterrupted || hasFailed ? .failure : .success
    }

    /// Reads what the new figures are compared with.
    private static func earlierReport(_ path: String) throws -> BenchReport {
        let report = try BenchReport(path: path)
        guard !report.cards.isEmpty else {
            throw CommandFailure(
                .badFile,
                "benchmark \(path.quoted) has no commands to compare with, only taps of “--taps”; measure again without --taps"
            )
        }
        return report
    }

    /// Refuses what makes no sense together.
    private static func checkCombination(_ arguments: Arguments) throws {
        for (option, needed) in [
            ("spend-atc", "reader"), ("cores", "taps"), ("shard", "taps"), ("state", "taps"),
        ] where arguments.has(option) && !arguments.has(needed) {
            throw CommandFailure(.usage, "--\(option) goes with --\(needed)")
        }
        let exclusions = [
            "taps": [
                "reader", "vpcd", "rounds", "blocks", "warm-up", "air", "fsd", "merge", "compare",
            ],
            // What the parts were measured with is in them.
            "merge": command.groups.flatMap(\.options).map(\.name)
                .filter { !["merge", "json", "svg"].contains($0) },
            "spend-atc": ["vpcd"],
            "scheme": ["profile"],
        ]
        for option in ["taps", "merge", "spend-atc", "scheme"] where arguments.has(option) {
            for other in exclusions[option, default: []] where arguments.has(other) {
                throw CommandFailure(
                    .usage,
                    "leave out --\(option) or --\(other): they exclude each other"
                )
            }
        }
        if arguments.has("reader"), !arguments.has("vpcd") {
            for option in ["scheme", "profile"] where arguments.has(option) {
                throw CommandFailure(
                    .usage,
                    "leave out --\(option): the card in the reader is the one that is measured"
                )
            }
        }
    }

    /// The cards that are meant: the one that is named, or each built-in one.
    static func cards(_ arguments: Arguments) throws -> [CardPersonalization] {
        if let card = try CardOptions(arguments) { return [card.personalization] }
        return try Scheme.allCases.map { try CardPersonalization(.builtIn($0)) }
    }

    private static func measureInProcess(_ arguments: Arguments) throws -> BenchReport {
        let terminal = try TerminalOptions(arguments)
        let options = try PaymentOptions(arguments)
        let plan = try BenchPlan(arguments)
        let air = try AirOptions(arguments)
        var report = BenchReport(way: "in process", arguments)
        var progress = ProgressBar()
        for card in try cards(arguments) {
            let pressure = ProcessorPressure()
            var run = BenchRun(card, terminal, options, plan)
            let meter = try run.run { done in
                progress.show(done, card.profile.name)
            }
            report.add(card.profile.name, meter, air, pressure)
        }
        progress.clear()
        return report
    }
}

extension BenchReport {
    /// Adds a card that was measured.
    mutating func add(
        _ name: String,
        _ meter: BenchMeter,
        _ air: AirOptions,
        _ pressure: ProcessorPressure
    ) {
        cards.append(
            MeasuredCard(
                name: name,
                measured: meter.measured.sorted { Self.rank($0.name) < Self.rank($1.name) },
                air: air.isAsked ? meter.airTimes(air.link) : nil,
                waitingShare: pressure.share
            )
        )
    }

    /// Commands in the order of a payment, then whole taps.
    private static func rank(_ name: String) -> Int {
        BenchKind.allCases.firstIndex { $0.name == name } ?? BenchKind.allCases.count
            + (name.hasSuffix("offline") ? 0 : 1)
    }
}
