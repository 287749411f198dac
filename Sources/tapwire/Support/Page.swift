import BERTLV
import CommandLineKit
import EMVData
import ISO7816
import Octets
import Traces

/// Text for people, line after line.
struct Page {
    /// How wide a page is.
    static let width = 100
    /// Objects whose bits decide nothing in the exchange they are in.
    private static let unexplained: Set<Tag> = [
        .applicationUsageControl, .issuerActionCodeDefault, .issuerActionCodeDenial,
        .issuerActionCodeOnline, .additionalTerminalCapabilities, .formFactorIndicator,
    ]
    /// How many bytes of a response are shown at most where not all are wanted.
    private static let shownResponseCount = 94

    private let console: Console
    private let showsAllBytes: Bool
    private var lines: [String] = []

    /// Starts an empty page.
    /// - Parameters:
    ///   - console: Where the page will go.
    ///   - showsAllBytes: Whether long responses and values are shown to their end; otherwise a trace file has the rest.
    init(_ console: Console, showsAllBytes: Bool = false) {
        self.console = console
        self.showsAllBytes = showsAllBytes
    }

    /// The lines written since this was last called.
    mutating func take() -> String {
        defer { lines = [] }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Adds a line, an empty one by default; it stays one, whatever is in it.
    mutating func line(_ text: String = "") { lines.append(text.replacing("\n", with: "\\n")) }

    /// Adds a line with a word in the margin; long text goes on below.
    mutating func label(_ word: String, _ text: String) {
        label(word, TextWrapping.wrap(text, width: Self.width - Self.margin))
    }

    /// Adds bytes with a word in the margin.
    mutating func label(_ word: String, _ bytes: [UInt8]) {
        label(word, TextWrapping.chop(bytes.hex, width: Self.width - Self.margin))
    }

    private static let margin = 10

    private mutating func label(_ word: String, _ pieces: [String]) {
        for (index, piece) in pieces.enumerated() {
            let head = index == 0 ? word : ""
            let padding = String(repeating: " ", count: Self.margin - head.count)
            line(styled(head, .dim) + padding + piece)
        }
    }

    /// Adds a style where the console shows styles.
    func styled(_ text: String, _ style: Console.Style) -> String { console.styled(text, style) }
}

// MARK: Exchanges

extension Page {
    /// Adds a command, its response, and what both mean.
    mutating func append(_ exchange: DecodedExchange) {
        line()
        let time = exchange.elapsed.map { "\($0.microsecondText) µs" } ?? ""
        let mark = exchange.isMasked ? " (masked)" : ""
        let gap = String(
            repeating: " ",
            count: max(1, Self.width - exchange.title.count - mark.count - time.count)
        )
        let head = styled(exchange.title, .bold) + (mark.isEmpty ? "" : styled(mark, .dim))
        line(time.isEmpty ? head : head + gap + styled(time, .dim))
        appendBytes(">", exchange.command.hex, .cyan)
        for object in exchange.sent { append(object, depth: 2) }
        if let response = exchange.response {
            let isLong = !showsAllBytes && response.count > Self.shownResponseCount
            let shown = response.prefix(isLong ? Self.shownResponseCount / 2 - 8 : response.count)
                .hex
            appendBytes("<", isLong ? "\(shown)… \(response.count) bytes" : shown, .green)
        }
        if !exchange.isSuccess, exchange.status != exchange.response?.hex {
            appendBytes("<", exchange.status, .yellow)
        }
        for object in exchange.received { append(object, depth: 2) }
    }

    private mutating func appendBytes(_ sign: String, _ text: String, _ style: Console.Style) {
        for (index, piece) in TextWrapping.chop(text, width: Self.width - 2).enumerated() {
            line((index == 0 ? styled(sign, style) : " ") + " " + piece)
        }
    }

    /// Adds a data object and all that is in it.
    mutating func append(_ object: DecodedObject, depth: Int) {
        let indent = String(repeating: "  ", count: depth)
        var text = indent + object.tag.description + (object.name.map { " \($0)" } ?? "")
        var rows: [String] = []
        let room = Self.width - text.count - 2
        if showsAllBytes, object.value.count * 2 > room {
            // Whole bytes only: the indent has an even number of columns.
            rows = TextWrapping.chop(object.value.hex, width: Self.width - indent.count - 6)
        } else if !object.value.isEmpty {
            text += "  " + Self.shorten(object.value, to: room)
        }
        var below = Self.unexplained.contains(object.tag) ? [] : object.meanings
        if let words = object.text {
            if text.count + 2 + words.count <= Self.width {
                text += "  " + words
            } else {
                below.insert(words, at: 0)
            }
        }
        line(text)
        for row in rows { line(indent + "     " + row) }
        if !below.isEmpty {
            let words = below.joined(separator: "; ")
            for piece in TextWrapping.wrap(words, width: Self.width - indent.count - 5) {
                line(styled(indent + "     " + piece, .dim))
            }
        }
        for child in object.objects { append(child, depth: depth + 1) }
    }

    /// The bytes as hexadecimal digits, cut with their number behind where they do not fit.
    private static func shorten(_ value: [UInt8], to room: Int) -> String {
        guard value.count * 2 > max(room, 16) else { return value.hex }
        let tail = "… \(value.count) bytes"
        return value.prefix(max(4, (room - tail.count) / 2)).hex + tail
    }
}
