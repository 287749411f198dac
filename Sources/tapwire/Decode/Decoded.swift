import BERTLV
import CommandLineKit
import EMVData
import Octets

/// What `decode` prints: what the bytes are, how that is known, and what is in them.
struct Decoded {
    /// What is in the bytes.
    var decoding: Decoding
    /// How it was guessed what they are; nil where it was said.
    var guess: Guess?

    /// A guess.
    struct Guess {
        /// What the bytes were taken for.
        var kind: DataKind
        /// Whether they are like it to the last byte.
        var isSure: Bool
        /// What else they may be.
        var alternatives: [DataKind]
    }
}

extension Decoded {
    /// The text for people.
    func text(for console: Console) -> String {
        DecodedPage(console).text(of: self)
    }
}

/// Lays a decoding out in lines.
private struct DecodedPage {
    private let console: Console
    private var lines: [String] = []

    init(_ console: Console) { self.console = console }

    consuming func text(of decoded: Decoded) -> String {
        let decoding = decoded.decoding
        head(decoded)
        for section in decoding.sections where !section.parts.isEmpty || !section.rows.isEmpty {
            if let title = section.title { lines += ["", console.styled(title, .bold)] }
            let indent = section.title == nil ? "" : "  "
            // A response's data stand before its status word, a command's header before its data.
            if section.name == "response" {
                append(section.rows)
                append(section.parts, indent: indent, width: Page.width)
            } else {
                append(section.parts, indent: indent, width: Page.width)
                append(section.rows)
            }
        }
        if !decoding.faults.isEmpty {
            lines.append("")
            for fault in decoding.faults {
                let text = "fault at offset \(fault.offset.offsetText): \(fault.sentence)"
                lines.append(console.styled(text, .red))
            }
        }
        if decoding.isMasked {
            lines += [
                "",
                console.styled(
                    "Masked with zeros where the cardholder shows; --unmask shows all.",
                    .dim
                ),
            ]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private mutating func head(_ decoded: Decoded) {
        var head = console.styled(decoded.decoding.title, .bold)
        if let count = decoded.decoding.byteCount {
            head += ", \(count.byteText)"
        }
        lines.append(head)
        guard let guess = decoded.guess else { return }
        let others = guess.alternatives.map { "--as \($0.rawValue)" }
        let reason = guess.isSure ? "" : ", with little to go by"
        var text = "Guessed (--as \(guess.kind.rawValue))\(reason)."
        if !others.isEmpty { text += " Possible too: \(others.joined(separator: ", "))." }
        lines.append(console.styled(text, .dim))
    }

    // MARK: Parts

    private mutating func append(_ parts: [DecodedPart], indent: String, width: Int) {
        let placeWidth = parts.map(\.place.count).max() ?? 0
        let digitWidth = parts.map(\.digits.count).filter { $0 <= 24 }.max() ?? 0
        for part in parts {
            var line = indent + part.place.padded(placeWidth)
            if digitWidth > 0 || !part.digits.isEmpty {
                line += "  " + part.digits.padded(digitWidth)
            }
            let fits = part.digits.count <= max(digitWidth, 24)
            let column = indent.count + placeWidth + 2 + (digitWidth > 0 ? digitWidth + 2 : 0)
            if fits {
                let pieces = TextWrapping.wrap(part.text, width: max(20, width - column))
                lines.append((line + "  " + (pieces.first ?? "")).trimmedEnd)
                lines += pieces.dropFirst().map { String(repeating: " ", count: column) + $0 }
                continue
            }
            // Long bytes go on below, and the words behind them.
            let start = indent.count + placeWidth + 2
            let room = (width - start) / 2 * 2
            let pieces = TextWrapping.chop(part.digits, width: room)
            let blank = String(repeating: " ", count: start)
            lines.append(indent + part.place.padded(placeWidth) + "  " + (pieces.first ?? ""))
            lines += pieces.dropFirst().map { blank + $0 }
            if !part.text.isEmpty { lines.append(blank + part.text) }
        }
    }

    // MARK: Objects

    private struct Line {
        var row: DecodedRow
        var depth: Int
        var head: String { String(repeating: "  ", count: depth) + (row.tag?.description ?? "") }
    }

    private static func flatten(_ rows: [DecodedRow], depth: Int = 0) -> [Line] {
        rows.flatMap { [Line(row: $0, depth: depth)] + flatten($0.rows, depth: depth + 1) }
    }

    private mutating func append(_ rows: [DecodedRow]) {
        guard !rows.isEmpty else { return }
        // Padding inside a template comes after the objects before it.
        let found = Self.flatten(rows).enumerated().sorted {
            ($0.element.row.offset ?? 0, $0.offset) < ($1.element.row.offset ?? 0, $1.offset)
        }.map(\.element)
        let hasOffsets = found.contains { $0.row.offset != nil }
        let offsets = found.map { $0.row.offset?.offsetDigits ?? "" }
        let offsetWidth = hasOffsets ? max(6, offsets.map(\.count).max() ?? 0) : 0
        let headWidth = max(3, found.map(\.head.count).max() ?? 0)
        let lengths = found.map(\.row.lengthText)
        let lengthWidth = max(6, lengths.map(\.count).max() ?? 0)
        let column = (hasOffsets ? offsetWidth + 2 : 0) + headWidth + 2 + lengthWidth + 1 + 3 + 2
        if found.count > 1 {
            let title =
                (hasOffsets ? "offset".padded(offsetWidth) + "  " : "")
                + "tag".padded(headWidth) + "  " + "length".leading(lengthWidth) + "      object"
            lines.append(console.styled(title, .dim))
        }
        for (index, line) in found.enumerated() {
            let row = line.row
            let head =
                (hasOffsets ? offsets[index].padded(offsetWidth) + "  " : "")
                + line.head.padded(headWidth) + "  " + lengths[index].leading(lengthWidth) + " "
                + (row.format?.rawValue ?? "").padded(3) + "  "
            let name = row.name ?? (row.tag == nil ? "" : "unknown")
            lines.append((head + (row.tag == nil ? name : console.styled(name, .bold))).trimmedEnd)
            append(row, column: column)
        }
    }

    /// Adds the value of an object below its name.
    private mutating func append(_ row: DecodedRow, column: Int) {
        let blank = String(repeating: " ", count: column)
        let room = max(20, Page.width - column)
        if !row.value.isEmpty {
            let digits = row.value.hex
            let words =
                (row.text.map { "  \($0)" } ?? "") + (row.isMasked ? "  (masked)" : "")
            if digits.count + words.count <= room {
                lines.append(blank + digits + words)
            } else {
                lines += TextWrapping.chop(digits, width: room / 2 * 2).map { blank + $0 }
                let pieces = TextWrapping.wrap(words, width: room)
                lines += pieces.map { blank + $0 }
            }
        }
        append(row.parts, indent: blank + "  ", width: Page.width)
        for name in row.otherNames { lines.append(blank + console.styled("or \(name)", .dim)) }
        for remark in row.remarks { lines.append(blank + console.styled(remark, .yellow)) }
    }
}

extension DecodedRow {
    /// How many bytes the value has, and how many of them are there where some are missing.
    fileprivate var lengthText: String {
        presentCount == length ? "\(length)" : "\(presentCount) of \(length)"
    }
}

extension String {
    /// The text, filled with spaces behind up to a width.
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text, filled with spaces before up to a width.
    fileprivate func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// The text without spaces at its end.
    fileprivate var trimmedEnd: String {
        String(prefix(count - reversed().prefix { $0 == " " }.count))
    }
}
