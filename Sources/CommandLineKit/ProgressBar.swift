/// A line that says how far something is, on a terminal and nowhere else.
public struct ProgressBar: Sendable {
    private let console: Console
    private let isShown: Bool
    private let width = 30
    private var shownText = ""

    /// Prepares a bar that goes to the console for diagnostics, where that is a terminal.
    public init() {
        console = .diagnostics
        isShown = Console.diagnostics.isStyled
    }

    /// Shows how much is done.
    /// - Parameters:
    ///   - share: From 0 to 1.
    ///   - text: What stands behind the bar.
    public mutating func show(_ share: Double, _ text: String) {
        guard isShown else { return }
        let line = Self.line(share, text, width: width)
        guard line != shownText else { return }
        shownText = line
        console.rewriteLine(line)
    }

    /// Takes the line away.
    public mutating func clear() {
        guard isShown, !shownText.isEmpty else { return }
        shownText = ""
        console.rewriteLine()
    }

    /// The line: a bar in eighths of a column, and the percentage.
    static func line(_ share: Double, _ text: String, width: Int) -> String {
        let share = min(max(share.isNaN ? 0 : share, 0), 1)
        let eighths = Int(share * Double(width * 8))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        let rest = String(repeating: " ", count: width - bar.count)
        return "[\(bar)\(rest)] \(Int(share * 100)) %  \(text)"
    }
}
