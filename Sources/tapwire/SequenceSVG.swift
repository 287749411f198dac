import PassKitSimulator

/// Who calls whom as a picture, as people draw it by hand.
struct SequenceSVG {
    private var body = ""
    private var start = Duration.zero
    private let height: Int
    private let width: Int

    private static let columnWidth = 150
    private static let left = 150
    private static let rowHeight = 26
    private static let top = 90

    /// Draws calls.
    init(_ exchanges: [Exchange], title: String) {
        let all: [Party] = [
            .user, .issuerApp, .authorizationExtension, .handlerExtension, .wallet, .secureElement,
            .applePayServer, .tokenService, .issuerServer, .push,
        ]
        let parties = all.filter { party in
            exchanges.contains { $0.from == party || $0.to == party }
        }
        // A call and its return are two moments, in the order of time; a call that contains none is one.
        var rows: [(exchange: Exchange, isReturn: Bool, hasReturn: Bool)] = []
        var open: [Exchange] = []
        for (index, exchange) in exchanges.enumerated() {
            while let last = open.last, last.depth >= exchange.depth {
                rows.append((last, true, true))
                open.removeLast()
            }
            let next = exchanges.dropFirst(index + 1).first
            let containsCalls = next.map { $0.depth > exchange.depth } ?? false
            rows.append((exchange, false, containsCalls))
            if containsCalls { open.append(exchange) }
        }
        rows += open.reversed().map { ($0, true, true) }
        height = Self.top + rows.count * Self.rowHeight + 30
        width = Self.left + parties.count * Self.columnWidth
        draw(20, 26, title, "bold 16px")
        for (index, party) in parties.enumerated() {
            let x = Self.x(index)
            line(x, Self.top - 20, x, height - 20, "#bbb")
            draw(x, Self.top - 28, party.name, "bold 12px", anchor: "middle")
        }
        start = exchanges.first?.start ?? .zero
        for (number, row) in rows.enumerated() {
            let y = Self.top + number * Self.rowHeight + 14
            draw(row.exchange, isReturn: row.isReturn, hasReturn: row.hasReturn, y, parties)
        }
    }

    private static func x(_ column: Int) -> Int {
        left + column * columnWidth + columnWidth / 2 - 60
    }

    /// The whole file.
    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
        viewBox="0 0 \(width) \(height)">
        <defs><marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">\
        <path d="M0,0 L9,4 L0,8 z" fill="#036"/></marker></defs>
        <rect width="100%" height="100%" fill="white"/>
        \(body)</svg>

        """
    }

    private mutating func draw(
        _ exchange: Exchange,
        isReturn: Bool,
        hasReturn: Bool,
        _ y: Int,
        _ parties: [Party]
    ) {
        guard let from = parties.firstIndex(of: isReturn ? exchange.to : exchange.from),
            let to = parties.firstIndex(of: isReturn ? exchange.from : exchange.to)
        else { return }
        let moment = isReturn ? exchange.start + exchange.duration : exchange.start
        draw(20, y, ProvisionDesk.time(moment - start), "10px")
        let color = exchange.error == nil ? "#036" : "#c33"
        let (start, end) = (Self.x(from), Self.x(to))
        var label = isReturn ? "" : exchange.name
        if !isReturn, !exchange.detail.isEmpty { label += " (\(exchange.detail))" }
        if isReturn || !hasReturn {
            label += (label.isEmpty ? "" : ", ") + ProvisionDesk.time(exchange.duration)
        }
        if let error = exchange.error, !isReturn { label += ": \(error.sentence)" }
        if start == end {
            draw(start + 8, y, label, "11px", color)
            body += "<circle cx=\"\(start)\" cy=\"\(y - 4)\" r=\"4\" fill=\"\(color)\"/>\n"
        } else {
            let dashes = isReturn ? " stroke-dasharray=\"4 3\"" : ""
            body +=
                "<line x1=\"\(start)\" y1=\"\(y)\" x2=\"\(end)\" y2=\"\(y)\" stroke=\"\(color)\"\(dashes) marker-end=\"url(#tip)\"/>\n"
            draw(min(start, end) + 6, y - 4, label, "11px", color)
        }
    }

    // MARK: Shapes

    private mutating func draw(
        _ x: Int,
        _ y: Int,
        _ text: String,
        _ font: String,
        _ color: String = "#000",
        anchor: String = "start"
    ) {
        body +=
            "<text x=\"\(x)\" y=\"\(y)\" fill=\"\(color)\" text-anchor=\"\(anchor)\" style=\"font: \(font) sans-serif\">"
            + Self.escaped(text) + "</text>\n"
    }

    private mutating func line(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ color: String) {
        body += "<line x1=\"\(x0)\" y1=\"\(y0)\" x2=\"\(x1)\" y2=\"\(y1)\" stroke=\"\(color)\"/>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
