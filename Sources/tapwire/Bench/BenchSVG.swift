import Measurement

/// A benchmark as a picture: a histogram for each command on one axis, and what the radio adds.
struct BenchSVG {
    private var picture = SVGPicture(width: Self.width)
    private var top = 46

    private static let width = 960
    private static let left = 250
    private static let right = 190
    private static let span = width - left - right
    private static let rowHeight = 44
    private static let columnCount = 130
    /// What a label on the axis needs.
    private static let labelWidth = 52

    /// Draws a report.
    init(_ report: BenchReport) {
        picture.text(20, 28, "tapwire bench", size: 16, isBold: true)
        picture.text(20, top, report.heading, size: 11, .faintInk)
        for card in report.cards {
            draw(
                card.name,
                card.measured.map { ($0.name, $0.series.histogram, $0.floor?.series.histogram) }
            )
            // A real reader's figures have the radio in them.
            if let air = card.air { draw(card, air, isBesideOwnTime: !report.isOfForeignCard) }
        }
        if let load = report.load {
            draw(
                "Taps: \(load.countText), \(load.speedText)",
                [("a tap", load.durations, nil)]
            )
        }
    }

    /// The whole file.
    var text: String { picture.file(height: top + 12) }

    private mutating func draw(
        _ name: String,
        _ rows: [(name: String, histogram: LatencyHistogram, floor: LatencyHistogram?)]
    ) {
        top += 36
        picture.text(20, top, name, size: 14, isBold: true)
        top += 20
        var meanings: [(SVGPicture.Color, String)] = [
            (.durations, "durations, each row as high as its highest"), (.median, "median"),
        ]
        if rows.contains(where: { $0.floor != nil }) {
            meanings.append((.floor, "median of the floor"))
        }
        picture.legend(20, top, meanings)
        top += 12
        let axis = BenchAxis(
            rows.map(\.histogram),
            floors: rows.compactMap(\.floor),
            columnCount: Self.columnCount
        )
        drawGrid(axis, bottom: top + rows.count * Self.rowHeight)
        for row in rows {
            let base = top + Self.rowHeight - 4
            picture.text(20, base - 4, row.name)
            fill(axis.shares(of: row.histogram), base)
            mark(row.histogram, axis, base, .median, height: 36)
            // Half as high, so that neither hides the other.
            mark(row.floor, axis, base, .floor, height: 18)
            let x = Self.left + Self.span + 12
            let (median, tail) = (row.histogram.quantile(0.5), row.histogram.quantile(0.99))
            picture.text(x, base - 4, "p50 \(BenchText.time(median))", size: 11)
            picture.text(x + 84, base - 4, "p99 \(BenchText.time(tail))", size: 11)
            top += Self.rowHeight
        }
        top += 18
    }

    /// Lines at round times, with as many labels as there is room for, powers of ten first.
    private mutating func drawGrid(_ axis: BenchAxis, bottom: Int) {
        var labelled: [Int] = []
        let ticks = axis.ticks.map {
            (tick: $0, x: Self.left + Int(axis.position($0.nanoseconds) * Double(Self.span)))
        }
        for (tick, x) in ticks.filter(\.tick.isPowerOfTen) + ticks.filter({ !$0.tick.isPowerOfTen })
        {
            picture.line(x, from: top, to: bottom, .grid)
            guard labelled.allSatisfy({ abs($0 - x) >= Self.labelWidth }) else { continue }
            labelled.append(x)
            picture.text(x, bottom + 14, tick.text, size: 11, .faintInk, anchor: "middle")
        }
    }

    /// A line at the median.
    private mutating func mark(
        _ histogram: LatencyHistogram?,
        _ axis: BenchAxis,
        _ base: Int,
        _ color: SVGPicture.Color,
        height: Int
    ) {
        guard let histogram else { return }
        let place = axis.position(Double(histogram.quantile(0.5)))
        picture.line(
            Self.left + Int(place * Double(Self.span)),
            from: base - height,
            to: base,
            color,
            width: 2
        )
    }

    /// The area of a histogram.
    private mutating func fill(_ shares: [Double], _ base: Int) {
        var corners = [(x: Self.left, y: base)]
        for (column, share) in shares.enumerated() {
            let y = base - Int((share * 34).rounded(.up))
            corners.append((Self.left + column * Self.span / shares.count, y))
            corners.append((Self.left + (column + 1) * Self.span / shares.count, y))
        }
        corners.append((Self.left + Self.span, base))
        picture.area(corners, .durations)
    }

    /// Commands and taps on the radio, each as a bar, against what transit gates ask for.
    private mutating func draw(
        _ card: BenchReport.MeasuredCard,
        _ air: BenchReport.AirTimes,
        isBesideOwnTime: Bool
    ) {
        top += 24
        picture.text(20, top, "On the radio: \(air.link)", size: 13, isBold: true)
        top += 18
        var meanings: [(SVGPicture.Color, String)] = [
            (.radio, "radio, of records the longest; of whole taps with activation")
        ]
        if isBesideOwnTime { meanings.append((.durations, "the median of what was measured")) }
        picture.legend(20, top, meanings + [(.floor, "what transit gates ask for")])
        top += 10
        let rows = card.measured.filter { air.nanoseconds[$0.name] != nil }
        let longest = rows.map { Double(air.nanoseconds[$0.name] ?? 0) }.max() ?? 0
        let limit = Double(TapTimeline.limitNanoseconds)
        let scale = Double(Self.span) / max(limit * 1.04, longest + limit * 0.04)
        let start = top
        for row in rows {
            let radio = air.nanoseconds[row.name] ?? 0
            let own = isBesideOwnTime ? row.series.histogram.quantile(0.5) : 0
            picture.text(20, top + 15, row.name)
            picture.bar(Double(Self.left), top + 4, Double(radio) * scale, height: 14, .radio)
            picture.bar(
                Double(Self.left) + Double(radio) * scale,
                top + 4,
                Double(own) * scale,
                height: 14,
                .durations
            )
            picture.text(
                Self.left + Self.span + 12,
                top + 15,
                BenchText.time(radio) + (isBesideOwnTime ? " + \(BenchText.time(own))" : ""),
                size: 11
            )
            top += 22
        }
        let x = Self.left + Int(limit * scale)
        picture.line(x, from: start, to: top, .floor)
        picture.text(x, top + 14, "500 ms", size: 11, .faintInk, anchor: "middle")
        top += 20
    }
}
