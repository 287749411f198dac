import PassKitSimulator

/// Who calls whom as a picture, as people draw it by hand.
struct SequenceSVG {
    private var picture: SVGPicture
    private let start: Duration
    private let height: Int

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
        picture = SVGPicture(width: Self.left + parties.count * Self.columnWidth)
        start = exchanges.first?.start ?? .zero
        picture.text(20, 26, title, size: 16, isBold: true)
        for (index, party) in parties.enumerated() {
            let x = Self.x(index)
            picture.line(x, from: Self.top - 20, to: height - 20, .grid)
            picture.text(x, Self.top - 28, party.name, isBold: true, anchor: "middle")
        }
        for (number, row) in rows.enumerated() {
            let y = Self.top + number * Self.rowHeight + 14
            draw(row.exchange, isReturn: row.isReturn, hasReturn: row.hasReturn, y, parties)
        }
    }

    private static func x(_ column: Int) -> Int {
        left + column * columnWidth + columnWidth / 2 - 60
    }

    /// The whole file.
    var text: String { picture.file(height: height) }

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
        picture.text(20, y, ProvisionDesk.time(moment - start), size: 10, .faintInk)
        let color: SVGPicture.Color = exchange.error == nil ? .median : .failure
        let (start, end) = (Self.x(from), Self.x(to))
        var label = isReturn ? "" : exchange.name
        if !isReturn, !exchange.detail.isEmpty { label += " (\(exchange.detail))" }
        if isReturn || !hasReturn {
            label += (label.isEmpty ? "" : ", ") + ProvisionDesk.time(exchange.duration)
        }
        if let error = exchange.error, !isReturn { label += ": \(error.sentence)" }
        picture.arrow(start, to: end, start == end ? y - 4 : y, color, isDashed: isReturn)
        picture.text(
            min(start, end) + (start == end ? 8 : 6),
            start == end ? y : y - 4,
            label,
            size: 11,
            color
        )
    }
}
