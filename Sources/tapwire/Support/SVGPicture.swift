/// A picture as a file of SVG: shapes on white, lengths in pixels from the upper left.
struct SVGPicture {
    /// How wide it is.
    let width: Int
    private var body = ""

    /// Colours that can be told apart by anybody, and on paper.
    enum Color: String {
        case ink = "#1a1a1a"
        case faintInk = "#595959"
        case grid = "#dddddd"
        case durations = "#5b95cc"
        case median = "#12395f"
        case floor = "#c0281c"
        case radio = "#dd9a1f"
        case terminal = "#7a7a7a"
        case issuer = "#4d8a5a"

        /// What has gone wrong.
        static var failure: Self { .floor }
    }

    /// Begins with an empty sheet.
    init(width: Int) { self.width = width }

    /// The whole file.
    func file(height: Int) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
        <rect width="100%" height="100%" fill="white"/>
        \(body)</svg>

        """
    }

    /// Writes a line of text; `y` is where it stands, and a halo lets it be read over lines.
    mutating func text(
        _ x: Int,
        _ y: Int,
        _ text: String,
        size: Int = 12,
        isBold: Bool = false,
        _ color: Color = .ink,
        anchor: String = "start",
        hasHalo: Bool = false
    ) {
        var font = (isBold ? "bold " : "") + "\(size)px sans-serif"
        if hasHalo { font += "; paint-order: stroke; stroke: white; stroke-width: 3px" }
        body +=
            "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"\(color.rawValue)\" style=\"font: \(font)\">"
            + Markup.escaped(text) + "</text>\n"
    }

    /// Draws a line from top to bottom.
    mutating func line(_ x: Int, from top: Int, to bottom: Int, _ color: Color, width: Int = 1) {
        body +=
            "<line x1=\"\(x)\" y1=\"\(top)\" x2=\"\(x)\" y2=\"\(bottom)\" stroke=\"\(color.rawValue)\" stroke-width=\"\(width)\"/>\n"
    }

    /// Draws a bar; what is there is at least a pixel wide.
    mutating func bar(_ x: Double, _ y: Int, _ width: Double, height: Int, _ color: Color) {
        let (x, width) = (BenchText.fixed(x, 1), BenchText.fixed(max(1, width), 1))
        body +=
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" fill=\"\(color.rawValue)\"/>\n"
    }

    /// Draws an arrow to the left or right, or a dot where it would have no length.
    mutating func arrow(_ start: Int, to end: Int, _ y: Int, _ color: Color, isDashed: Bool = false)
    {
        guard start != end else {
            body += "<circle cx=\"\(start)\" cy=\"\(y)\" r=\"4\" fill=\"\(color.rawValue)\"/>\n"
            return
        }
        let dashes = isDashed ? " stroke-dasharray=\"4 3\"" : ""
        body +=
            "<line x1=\"\(start)\" y1=\"\(y)\" x2=\"\(end)\" y2=\"\(y)\" stroke=\"\(color.rawValue)\"\(dashes)/>\n"
        let back = end + (start < end ? -9 : 9)
        area([(end, y), (back, y - 4), (back, y + 4)], color)
    }

    /// Fills an area between corners.
    mutating func area(_ corners: [(x: Int, y: Int)], _ color: Color) {
        let points = corners.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        body += "<polygon points=\"\(points)\" fill=\"\(color.rawValue)\"/>\n"
    }

    /// Says what colours mean, one beside the other.
    mutating func legend(_ x: Int, _ y: Int, _ entries: [(color: Color, text: String)]) {
        var x = x
        for entry in entries {
            bar(Double(x), y - 9, 10, height: 10, entry.color)
            text(x + 15, y, entry.text, size: 11, .faintInk)
            x += 15 + entry.text.count * 6 + 22
        }
    }
}
