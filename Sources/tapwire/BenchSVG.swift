import Measurement

/// A benchmark as a picture: a histogram for each command on one axis, and what the radio adds.
struct BenchSVG {
    private let report: BenchReport
    private var body = ""
    private var top = 60

    private static let width = 960
    private static let left = 250
    private static let right = 150
    private static let rowHeight = 44
    private static let columnCount = 140

    /// Draws a report.
    init(_ report: BenchReport) {
        self.report = report
        draw(20, 26, "Tapwire bench", "bold 16px")
        draw(
            20,
            44,
            "\(report.machine), \(report.build) build, \(report.way), \(report.date)",
            "11px"
        )
        for card in report.cards { draw(card) }
        if let load = report.load {
            let row = BenchReport.MeasuredCard(
                name: "\(load.countText), \(load.speedText)",
                measured: [],
                air: nil
            )
            draw(row, [("a tap", load.durations, nil)])
        }
    }

    /// The whole file.
    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(top + 20)" \
        viewBox="0 0 \(Self.width) \(top + 20)">
        <rect width="100%" height="100%" fill="white"/>
        \(body)</svg>

        """
    }

    private mutating func draw(_ card: BenchReport.MeasuredCard) {
        draw(
            card,
            card.measured.map { ($0.name, $0.series.histogram, $0.floor?.series.histogram) }
        )
        guard let air = card.air else { return }
        drawAir(card, air)
    }

    private mutating func draw(
        _ card: BenchReport.MeasuredCard,
        _ rows: [(name: String, histogram: LatencyHistogram, floor: LatencyHistogram?)]
    ) {
        top += 14
        draw(20, top, card.name, "bold 13px")
        top += 8
        let axis = BenchAxis(rows.flatMap { [$0.histogram] }, columnCount: Self.columnCount)
        let span = Self.width - Self.left - Self.right
        let end = top + rows.count * Self.rowHeight
        for tick in axis.ticks {
            let x = Self.left + Int(axis.position(tick) * Double(span))
            line(x, top, x, end, "#ddd")
            draw(x, end + 14, BenchText.time(UInt64(tick)), "10px", anchor: "middle")
        }
        for row in rows {
            let base = top + Self.rowHeight - 4
            draw(20, base - 4, row.name, "12px")
            if let floor = row.floor {
                let x = Self.left + Int(axis.position(Double(floor.quantile(0.5))) * Double(span))
                line(x, base - 36, x, base, "#c33")
            }
            fill(axis.shares(of: row.histogram), base, span)
            let x =
                Self.left + Int(axis.position(Double(row.histogram.quantile(0.5))) * Double(span))
            line(x, base - 36, x, base, "#036")
            let text =
                "p50 \(BenchText.time(row.histogram.quantile(0.5)))  p99 \(BenchText.time(row.histogram.quantile(0.99)))"
            draw(Self.width - Self.right + 8, base - 4, text, "10px")
            top += Self.rowHeight
        }
        top += 26
    }

    /// The area of a histogram.
    private mutating func fill(_ shares: [Double], _ base: Int, _ span: Int) {
        var points = "\(Self.left),\(base)"
        for (column, share) in shares.enumerated() {
            let x0 = Self.left + column * span / shares.count
            let x1 = Self.left + (column + 1) * span / shares.count
            let y = base - Int(share * 34)
            points += " \(x0),\(y) \(x1),\(y)"
        }
        points += " \(Self.left + span),\(base)"
        body += "<polygon points=\"\(points)\" fill=\"#6aa2d8\" fill-opacity=\"0.8\"/>\n"
    }

    /// Whole taps on the radio, each as a bar, against what transit gates ask for.
    private mutating func drawAir(_ card: BenchReport.MeasuredCard, _ air: BenchReport.AirTimes) {
        draw(20, top, "On the radio: \(air.link)", "bold 12px")
        top += 10
        let span = Self.width - Self.left - Self.right
        let taps = card.measured.filter { air.nanoseconds[$0.name] != nil }
        let longest = taps.map { Double(air.nanoseconds[$0.name] ?? 0) }.max() ?? 0
        let limit = Double(TapTimeline.limitNanoseconds)
        let scale = Double(span) / max(limit * 1.04, longest + limit * 0.04)
        let start = top
        for row in taps {
            let radio = Double(air.nanoseconds[row.name] ?? 0)
            let own = Double(row.series.histogram.quantile(0.5))
            draw(20, top + 14, row.name, "12px")
            bar(Self.left, top + 3, radio * scale, "#e0a030")
            bar(Self.left + Int(radio * scale), top + 3, max(1, own * scale), "#6aa2d8")
            draw(
                Self.width - Self.right + 8,
                top + 14,
                "\(BenchText.time(UInt64(radio))) + \(BenchText.time(UInt64(own)))",
                "10px"
            )
            top += 22
        }
        let x = Self.left + Int(limit * scale)
        line(x, start, x, top, "#c33")
        draw(x, top + 14, "500 ms", "10px", anchor: "middle")
        top += 34
    }

    // MARK: Shapes

    private mutating func draw(
        _ x: Int,
        _ y: Int,
        _ text: String,
        _ font: String,
        anchor: String = "start"
    ) {
        body +=
            "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" style=\"font: \(font) sans-serif\">"
            + Markup.escaped(text) + "</text>\n"
    }

    private mutating func line(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ color: String) {
        body += "<line x1=\"\(x0)\" y1=\"\(y0)\" x2=\"\(x1)\" y2=\"\(y1)\" stroke=\"\(color)\"/>\n"
    }

    private mutating func bar(_ x: Int, _ y: Int, _ width: Double, _ color: String) {
        body +=
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(max(1, Int(width)))\" height=\"14\" fill=\"\(color)\"/>\n"
    }
}
