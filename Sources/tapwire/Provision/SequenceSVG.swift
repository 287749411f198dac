import PassKitSimulator

/// Who calls whom as a picture, as people draw it by hand.
struct SequenceSVG {
    private var picture: SVGPicture
    private let start: Duration
    private let height: Int

    private static let columnWidth = 150
    private static let left = 150
    private static let rowHeight = 26
    private static let lineHeight = 13
    private static let labelSize = 11
    private static let maximumLineCount = 6
    private static let top = 90
    private static let margin = 20

    /// A call, or its return.
    private struct Row {
        var exchange: Exchange
        var isReturn: Bool
        /// Whether the return is a row of its own: a call that contains none has both in one.
        var hasReturn: Bool

        var moment: Duration { exchange.start + (isReturn ? exchange.duration : .zero) }

        var label: String {
            var label = isReturn ? "" : exchange.name
            if !isReturn, !exchange.detail.isEmpty { label += " (\(exchange.detail))" }
            if isReturn || !hasReturn {
                label += (label.isEmpty ? "" : ", ") + ProvisionDesk.time(exchange.duration)
            }
            if let error = exchange.error, !isReturn { label += ": \(error.sentence)" }
            return label
        }
    }

    /// Draws calls.
    init(_ exchanges: [Exchange], title: String) {
        let all: [Party] = [
            .user, .issuerApp, .authorizationExtension, .handlerExtension, .wallet, .secureElement,
            .applePayServer, .tokenService, .issuerServer, .push,
        ]
        let parties = all.filter { party in
            exchanges.contains { $0.from == party || $0.to == party }
        }
        let titleWidth = SVGPicture.width(of: title, size: 16, isBold: true)
        let width = max(Self.left + parties.count * Self.columnWidth, titleWidth + 2 * Self.margin)
        picture = SVGPicture(width: width)
        start = exchanges.first?.start ?? .zero
        picture.text(Self.margin, 26, title, size: 16, isBold: true)

        var y = Self.top - 12
        var drawn: [(row: Row, from: Int, to: Int, y: Int, lines: [String])] = []
        for row in Self.rows(exchanges) {
            let (caller, called) = (row.exchange.from, row.exchange.to)
            guard let from = parties.firstIndex(of: row.isReturn ? called : caller),
                let to = parties.firstIndex(of: row.isReturn ? caller : called)
            else { continue }
            let room = width - Self.margin - Self.labelStart(from, to)
            let lines = SVGPicture.lines(
                of: row.label,
                width: room,
                size: Self.labelSize,
                atMost: Self.maximumLineCount
            )
            y += Self.rowHeight + (lines.count - 1) * Self.lineHeight
            drawn.append((row, from, to, y, lines))
        }
        height = y + 36
        for (index, party) in parties.enumerated() {
            let x = Self.x(index)
            picture.line(x, from: Self.top - 20, to: height - 20, .grid)
            picture.text(x, Self.top - 28, party.name, isBold: true, anchor: "middle")
        }
        for (row, from, to, y, lines) in drawn { draw(row, from, to, y, lines) }
    }

    /// Calls and returns in the order of time.
    private static func rows(_ exchanges: [Exchange]) -> [Row] {
        var rows: [Row] = []
        var open: [Exchange] = []
        for (index, exchange) in exchanges.enumerated() {
            while let last = open.last, last.depth >= exchange.depth {
                rows.append(Row(exchange: last, isReturn: true, hasReturn: true))
                open.removeLast()
            }
            let next = exchanges.dropFirst(index + 1).first
            let containsCalls = next.map { $0.depth > exchange.depth } ?? false
            rows.append(Row(exchange: exchange, isReturn: false, hasReturn: containsCalls))
            if containsCalls { open.append(exchange) }
        }
        rows += open.reversed().map { Row(exchange: $0, isReturn: true, hasReturn: true) }
        // What is given up returns before what it has called.
        return rows.enumerated()
            .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }
            .map(\.element)
    }

    private static func x(_ column: Int) -> Int {
        left + column * columnWidth + columnWidth / 2 - 60
    }

    /// Where the text at an arrow begins.
    private static func labelStart(_ from: Int, _ to: Int) -> Int {
        min(x(from), x(to)) + (from == to ? 8 : 6)
    }

    /// The whole file.
    var text: String { picture.file(height: height) }

    private mutating func draw(
        _ row: Row,
        _ from: Int,
        _ to: Int,
        _ y: Int,
        _ lines: [String]
    ) {
        picture.text(Self.margin, y, ProvisionDesk.time(row.moment - start), size: 10, .faintInk)
        let color: SVGPicture.Color = row.exchange.error == nil ? .median : .failure
        let isDot = from == to
        picture.arrow(
            Self.x(from),
            to: Self.x(to),
            isDot ? y - 4 : y,
            color,
            isDashed: row.isReturn
        )
        for (index, line) in lines.enumerated() {
            picture.text(
                Self.labelStart(from, to),
                (isDot ? y : y - 7) - (lines.count - 1 - index) * Self.lineHeight,
                line,
                size: Self.labelSize,
                color,
                hasHalo: true
            )
        }
    }
}
