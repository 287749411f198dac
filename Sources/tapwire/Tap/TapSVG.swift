import EMVData
import TerminalKernels
import VirtualPOS

/// A tap as a picture: where its time would go if its bytes went over the radio.
struct TapSVG {
    private var picture = SVGPicture(width: Self.width)
    private var top = 46
    private let scale: Double

    private static let width = 960
    private static let left = 230
    private static let right = 210
    private static let span = width - left - right
    private static let rowHeight = 20
    /// Where the columns of numbers end.
    private static let columns = [left + span + 66, left + span + 126, width - 16]

    /// Draws a tap.
    /// - Parameters:
    ///   - report: What was exchanged.
    ///   - timeline: What it takes.
    ///   - cardName: Whose card it is, for people.
    ///   - redaction: What must not be told.
    init(
        _ report: TapReport,
        _ timeline: TapTimeline,
        cardName: String,
        redaction: Redaction
    ) {
        let limit = Duration.nanoseconds(Int64(TapTimeline.limitNanoseconds))
        let end = max(timeline.fieldTime + (timeline.issuer ?? .zero), limit)
        scale = Double(Self.span) / (end * 1.04 / .milliseconds(1))
        picture.text(20, 28, "tapwire tap", size: 16, isBold: true)
        let amount = report.transaction.amount
        picture.text(
            20,
            top,
            "\(amount) with \(cardName): \(report.result.text)",
            size: 11,
            .faintInk
        )
        top += 18
        picture.text(20, top, timeline.summary, size: 11, .faintInk)
        top += 24
        picture.legend(
            20,
            top,
            [
                (.radio, "radio"), (.durations, "card"),
                (.terminal, "terminal, beyond a reader's shortest wait"), (.issuer, "issuer"),
                (.floor, "what transit gates ask for"),
            ]
        )
        top += 22
        for (column, title) in zip(Self.columns, ["radio", "card", "terminal"]) {
            picture.text(column, top, title, size: 11, .faintInk, anchor: "end")
        }
        top += 6
        let rowCount = timeline.rows.count + (timeline.issuer == nil ? 0 : 1)
        drawGrid(limit, end, bottom: top + rowCount * Self.rowHeight)
        var decoder = ExchangeDecoder(currency: amount.currency, redaction: redaction)
        var titles = report.exchanges.map { decoder.decode($0).title }[...]
        for row in timeline.rows { draw(row, titles: &titles, timeline.hasCardTime) }
        if let issuer = timeline.issuer {
            picture.text(20, top + 14, "issuer, without the card: \(Self.text(issuer))")
            bar(timeline.fieldTime, issuer, .issuer)
            top += Self.rowHeight
        }
        top += 24
    }

    /// The whole file.
    var text: String { picture.file(height: top + 8) }

    /// A line at each hundred milliseconds, and the limit.
    private mutating func drawGrid(_ limit: Duration, _ end: Duration, bottom: Int) {
        // At most ten lines: a card may take as long as it likes.
        var step = Duration.milliseconds(100)
        while end / step > 10 { step = step * 2 }
        var time = Duration.zero
        while time <= end {
            let x = place(time)
            picture.line(x, from: top, to: bottom, .grid)
            picture.text(
                x,
                bottom + 14,
                BenchText.fixed(time / .milliseconds(1), 0) + " ms",
                size: 11,
                .faintInk,
                anchor: "middle"
            )
            time += step
        }
        picture.line(place(limit), from: top, to: bottom, .floor)
    }

    private mutating func draw(
        _ row: TapTimeline.Row,
        titles: inout ArraySlice<String>,
        _ hasCardTime: Bool
    ) {
        let title = row.isActivation ? "activation" : titles.popFirst() ?? ""
        picture.text(20, top + 14, title.count > 32 ? title.prefix(31) + "…" : title)
        let terminal = row.total - row.radio - row.card
        bar(row.start, terminal, .terminal)
        bar(row.start + terminal, row.radio, .radio)
        bar(row.start + terminal + row.radio, row.card, .durations)
        let times = [row.radio] + (row.isActivation ? [] : [row.card, row.terminal])
        for (index, time) in times.enumerated() where index != 1 || hasCardTime {
            picture.text(Self.columns[index], top + 14, Self.text(time), size: 11, anchor: "end")
        }
        top += Self.rowHeight
    }

    private mutating func bar(_ start: Duration, _ length: Duration, _ color: SVGPicture.Color) {
        guard length > .zero else { return }
        picture.bar(
            Double(Self.left) + start / .milliseconds(1) * scale,
            top + 3,
            length / .milliseconds(1) * scale,
            height: 14,
            color
        )
    }

    private func place(_ time: Duration) -> Int {
        Self.left + Int(time / .milliseconds(1) * scale)
    }

    private static func text(_ time: Duration) -> String {
        BenchText.fixed(time / .milliseconds(1), 2)
    }
}
