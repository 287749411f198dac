import CommandLineKit
import Foundation
import Measurement

/// A benchmark as text for people.
struct BenchText {
    private let console: Console
    private var page: Page

    init(_ console: Console) {
        self.console = console
        page = Page(console)
    }

    /// The whole report.
    mutating func text(_ report: BenchReport) -> String {
        page.line(report.heading)
        for card in report.cards { append(card) }
        if let load = report.load { append(load) }
        return page.take()
    }

    // MARK: One card

    private mutating func append(_ card: BenchReport.MeasuredCard) {
        page.line()
        page.line(page.styled(card.name, .bold))
        var table = TextTable([.leading] + [TextTable.Alignment](repeating: .trailing, count: 8))
        var head = ["", "count", "p50", "p90", "p99", "p99.9", "max", "floor", "times the floor"]
        if card.air != nil { head.append("on the radio") }
        table.rows.append(head)
        for measured in card.measured {
            let histogram = measured.series.histogram
            var cells = [measured.name, "\(histogram.count)"]
            cells += [0.5, 0.9, 0.99, 0.999].map { Self.time(histogram.quantile($0)) }
            cells.append(Self.time(histogram.maximumNanoseconds))
            cells.append(
                measured.floor.map { Self.time($0.series.histogram.quantile(0.5)) } ?? ""
            )
            cells.append(Self.ratio(measured.floors))
            if let air = card.air {
                cells.append(air.nanoseconds[measured.name].map(Self.time) ?? "")
            }
            table.rows.append(cells)
        }
        for line in table.lines { page.line("  " + line) }
        appendHistograms(card.measured)
        var floors: [String] = []
        for floor in card.measured.compactMap(\.floor?.name) where !floors.contains(floor) {
            floors.append(floor)
        }
        if !floors.isEmpty { page.line("  floors: " + floors.joined(separator: "; ")) }
        if card.isDisturbed {
            let share = Int(((card.waitingShare ?? 0) * 100).rounded())
            let note =
                "  The machine was busy: \(share) % of the time something waited for a processor. Trust ratios, not times."
            page.line(page.styled(note, .yellow))
        }
        if let air = card.air {
            page.line(
                "  radio: \(air.link), whole taps with activation, the card's own time left out"
            )
        }
    }

    /// One line of blocks for each, on a common logarithmic axis.
    private mutating func appendHistograms(_ measured: [Measured]) {
        let axis = BenchAxis(measured.map(\.series.histogram), columnCount: 60)
        let width = measured.map(\.name.count).max() ?? 0
        page.line()
        for row in measured {
            let blocks = axis.shares(of: row.series.histogram).map(Self.block).joined()
            let padding = String(repeating: " ", count: width - row.name.count)
            page.line("  " + row.name + padding + "  " + page.styled(blocks, .cyan))
        }
        var labels = ""
        for tick in axis.ticks {
            let column = Int(axis.position(tick.nanoseconds) * Double(axis.columnCount))
            guard column >= labels.count else { continue }
            labels += String(repeating: " ", count: column - labels.count) + "|" + tick.text + " "
        }
        page.line("  " + String(repeating: " ", count: width + 2) + labels)
    }

    /// A block as high as a share of the highest, never empty for what is there.
    private static func block(_ share: Double) -> String {
        guard share > 0 else { return " " }
        let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return blocks[min(7, Int(share * 8))]
    }

    private mutating func append(_ load: BenchLoad) {
        page.line()
        page.label("taps", load.countText)
        page.label("speed", load.speedText)
        page.label("errors", load.errorText)
        page.label("memory", "\(load.peakMemoryKiB / 1024) MiB at most")
        let histogram = load.durations
        let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)].map {
            "\($0.0) \(Self.time(histogram.quantile($0.1)))"
        }
        page.label(
            "a tap",
            parts.joined(separator: ", ") + ", max \(Self.time(histogram.maximumNanoseconds))"
        )
    }

    // MARK: Comparison

    /// What became of the same commands since an earlier report.
    mutating func comparison(_ new: BenchReport, to old: BenchReport) -> String {
        page.line()
        page.line(page.styled("Compared with \(old.heading)", .bold))
        appendDifferences(new, old)
        var table = TextTable([.leading, .leading, .leading, .leading, .trailing])
        table.append("", "", "quick tenth", "in floors", "p99")
        var pairs: [(new: Measured, old: Measured)] = []
        for card in new.cards {
            guard let other = old.cards.first(where: { $0.name == card.name }) else { continue }
            for measured in card.measured {
                guard let earlier = other.measured.first(where: { $0.name == measured.name }) else {
                    continue
                }
                pairs.append((measured, earlier))
            }
        }
        let isDisturbed = (new.cards + old.cards).contains(where: \.isDisturbed)
        let comparison = Comparison(
            pairs,
            clockNanoseconds: max(new.clockNanoseconds, old.clockNanoseconds),
            isDisturbed: isDisturbed
        )
        var rows = comparison.rows[...]
        for card in new.cards {
            guard let other = old.cards.first(where: { $0.name == card.name }) else {
                page.line("  \(card.name) was not measured then.")
                continue
            }
            if new.cards.count > 1 { table.append(card.name) }
            for measured in card.measured {
                guard other.measured.contains(where: { $0.name == measured.name }),
                    let row = rows.popFirst()
                else {
                    table.append(measured.name, "not measured then")
                    continue
                }
                table.append(
                    row.name,
                    Self.verdict(row),
                    Self.ratio(row.plain),
                    Self.ratio(row.inFloors),
                    row.tail.map { Self.decimal($0.value) } ?? ""
                )
            }
        }
        let missing = old.cards.flatMap { card in
            let names = new.cards.first { $0.name == card.name }?.measured.map(\.name)
            guard let names else { return [card.name] }
            return card.measured.map(\.name).filter { !names.contains($0) }
                .map { "\(card.name): \($0)" }
        }
        if comparison.rows.isEmpty {
            page.line("  Nothing was measured both times.")
        } else {
            for line in table.lines { page.line("  " + line) }
        }
        for name in missing { page.line("  \(name) was not measured now.") }
        guard !comparison.rows.isEmpty else { return page.take() }
        appendNotes(comparison, isDisturbed)
        return page.take()
    }

    /// What makes two reports hard to compare.
    private mutating func appendDifferences(_ new: BenchReport, _ old: BenchReport) {
        func tell(_ what: String, _ value: (BenchReport) -> String?) {
            guard let then = value(old), let now = value(new), then != now else { return }
            page.line("  Another \(what): \(then) then, \(now) now.")
        }
        tell("way", \.way)
        tell("machine", \.machine)
        tell("build", \.build)
        tell("payment") { $0.parameters.map { $0.isEmpty ? "the usual one" : $0 } }
    }

    /// What the table means.
    private mutating func appendNotes(_ comparison: Comparison, _ isDisturbed: Bool) {
        let percent = Int(((comparison.leastChange - 1) * 100).rounded(.up))
        var lines = [
            "New over old. Intervals are what chance can make of it, so wide that a column misses once in a hundred",
            "comparisons. Slower or faster is what shows on the clock and in floors, and is more than \(percent) %.",
        ]
        let pace = comparison.pace
        if max(pace, 1 / pace) >= 1.005 {
            lines.append(
                "All in all, floors too, it went \(Self.timesText(pace)) than then, which may be the machine's own pace."
            )
        }
        if isDisturbed {
            lines.append("The machine was busy: p99 is not judged.")
        }
        for line in lines { page.line("  " + line) }
    }

    /// A pace for people: `1.31 times slower`.
    private static func timesText(_ pace: Double) -> String {
        "\(decimal(max(pace, 1 / pace))) times \(pace > 1 ? "slower" : "faster")"
    }

    private static func verdict(_ row: Comparison.Row) -> String {
        switch row.verdict {
        case .noDifference: return "no difference"
        case .slower: return "SLOWER"
        case .faster: return "faster"
        case .tailSlower: return "p99 SLOWER"
        case .tailFaster: return "p99 faster"
        case .floorOnly: return "no difference: only in floors"
        case .tooLittle: return "too few blocks to say"
        case .otherFloor: return "another floor, so nothing to say"
        case .paceOnly:
            guard let plain = row.plain?.value, let inFloors = row.inFloors?.value else {
                return "no difference: only on the clock"
            }
            let pace = plain / inFloors
            let explainsIt =
                (plain > 1) == (pace > 1) && max(pace, 1 / pace) > 1 + Comparison.resolution
            return explainsIt
                ? "no difference: the machine ran \(timesText(pace))"
                : "no difference: only on the clock"
        }
    }

    // MARK: Numbers

    /// A ratio with its interval, where there is one: `1.31 (1.28 to 1.35)`.
    static func ratio(_ ratio: Ratio?) -> String {
        guard let ratio else { return "" }
        let interval = ratio.interval.map {
            " (\(decimal($0.lowerBound)) to \(decimal($0.upperBound)))"
        }
        return decimal(ratio.value) + (interval ?? "")
    }

    private static func decimal(_ value: Double) -> String {
        value < 100 ? fixed(value, 2) : fixed(value, 0)
    }

    /// A time in the unit that suits it, in three digits: `412 ns`, `12.3 µs`, `1.23 ms`.
    static func time(_ nanoseconds: UInt64) -> String {
        var value = Double(nanoseconds)
        for unit in ["ns", "µs", "ms"] {
            if value < 999.5 {
                let digits = unit == "ns" || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
                return "\(fixed(value, digits)) \(unit)"
            }
            value /= 1000
        }
        return "\(fixed(value, 2)) s"
    }

    /// A number with a fixed number of decimals.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let whole = (value * scale).rounded()
        guard whole < 1e15 else { return "\(value)" }
        let text = String(Int64(whole))
        guard digits > 0 else { return text }
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}

/// A logarithmic axis of time that several histograms share.
struct BenchAxis {
    /// A round time: 1, 2 or 5 of a power of ten.
    struct Tick {
        var nanoseconds: Double
        var isPowerOfTen: Bool

        /// The time in its unit, without decimals: `200 µs`.
        var text: String {
            var value = nanoseconds
            for unit in ["ns", "µs", "ms"] {
                if value < 1000 { return "\(Int(value.rounded())) \(unit)" }
                value /= 1000
            }
            return "\(Int(value.rounded())) s"
        }
    }

    /// How many columns it has.
    let columnCount: Int
    private let first: Double
    private let last: Double

    /// Spans what the histograms have, up to the slowest in a thousand, and the medians of floors.
    init(_ histograms: [LatencyHistogram], floors: [LatencyHistogram] = [], columnCount: Int) {
        let filled = histograms.filter { $0.count > 0 }
        let lowest = filled.map(\.minimumNanoseconds) + floors.map { $0.quantile(0.5) }
        self.columnCount = columnCount
        first = Double(max(1, lowest.min() ?? 1)) * 0.98
        last = max(first * 2, Double(filled.map { $0.quantile(0.999) }.max() ?? 1) * 1.02)
    }

    /// Where a duration stands, from 0 to 1; the last place for what is beyond.
    func position(_ nanoseconds: Double) -> Double {
        let place = (log(nanoseconds) - log(first)) / (log(last) - log(first))
        return min(max(place, 0), 1)
    }

    /// The columns of a histogram, each as a share of the highest.
    func shares(of histogram: LatencyHistogram) -> [Double] {
        var counts = [Double](repeating: 0, count: columnCount)
        for (nanoseconds, count) in histogram.occupied {
            let column = Int(position(Double(max(1, nanoseconds))) * Double(columnCount))
            counts[min(columnCount - 1, column)] += Double(count)
        }
        let highest = counts.max() ?? 0
        return counts.map { highest > 0 ? $0 / highest : 0 }
    }

    /// The round times on the axis, the shortest first.
    var ticks: [Tick] {
        var ticks: [Tick] = []
        var power = 1.0
        while power <= last {
            for step in [1.0, 2, 5] where power * step >= first && power * step <= last {
                ticks.append(Tick(nanoseconds: power * step, isPowerOfTen: step == 1))
            }
            power *= 10
        }
        return ticks
    }
}
