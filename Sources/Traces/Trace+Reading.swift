import BERTLV
import EMVData
import Octets
import Transport

extension Trace {
    /// Reads a trace.
    /// - Parameter text: The whole file.
    /// - Throws: `TraceError`, with the line.
    public init(parsing text: String) throws(TraceError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw TraceError(.tooLong, line: 1) }
        self.init(exchanges: [])
        var command: Command?
        var line = 0
        var last: Substring = ""
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            line += 1
            let content = raw.trimmed
            last = content
            if line == 1 {
                guard content == Self.signature else { throw TraceError(.notATrace, line: line) }
                continue
            }
            switch content.first {
            case nil: continue
            case "#":
                guard let header = try Self.header(content, line) else { continue }
                guard command == nil, exchanges.isEmpty else {
                    throw TraceError(.lateHeader(header.name.rawValue), line: line)
                }
                headers.append(header)
            case ">":
                guard command == nil else { throw TraceError(.unpaired, line: line) }
                command = try Self.command(raw, line)
            case "<", "!":
                guard let sent = command else { throw TraceError(.unpaired, line: line) }
                command = nil
                exchanges.append(
                    try Self.exchange(sent, raw, isFailure: content.first == "!", line)
                )
            default: throw TraceError(.unknownLine, line: line)
            }
        }
        guard command == nil else { throw TraceError(.unpaired, line: line) }
        // Whoever writes a trace ends its last line, so that bytes are known to be whole.
        guard last.first != "<" || last.contains("#") else {
            throw TraceError(.openLine, line: line)
        }
        guard !exchanges.isEmpty else { throw TraceError(.empty, line: line) }
    }

    /// A command as a line gives it.
    private struct Command {
        var bytes: [UInt8]
        var isPartial: Bool
    }

    /// Reads a command; a question mark behind it stands for what nobody recorded.
    private static func command(_ raw: Substring, _ line: Int) throws(TraceError) -> Command {
        let end = raw.firstIndex(of: "#") ?? raw.endIndex
        guard let mark = raw[..<end].lastIndex(of: "?") else {
            return Command(bytes: try bytes(raw, atLeast: 4, line).bytes, isPartial: false)
        }
        guard raw[raw.index(after: mark)..<end].trimmed.isEmpty else {
            throw TraceError(
                .badHex(offset: raw.distance(from: raw.startIndex, to: mark)),
                line: line
            )
        }
        return Command(bytes: try bytes(raw[..<mark], atLeast: 0, line).bytes, isPartial: true)
    }

    /// Reads the answer to a command.
    private static func exchange(
        _ command: Command,
        _ raw: Substring,
        isFailure: Bool,
        _ line: Int
    ) throws(TraceError) -> Exchange {
        guard !isFailure else {
            let (error, comment) = try failure(raw, line)
            return exchange(command, .failure(error), comment)
        }
        let (response, comment) = try bytes(raw, atLeast: 2, line)
        return exchange(command, .success(response), comment)
    }

    private static func exchange(
        _ command: Command,
        _ result: Result<[UInt8], TransportError>,
        _ comment: Substring
    ) -> Exchange {
        Exchange(
            command: command.bytes,
            isCommandPartial: command.isPartial,
            result: result,
            elapsed: duration(comment)
        )
    }

    /// Reads `# name: value`; nil for a comment.
    private static func header(_ line: Substring, _ number: Int) throws(TraceError) -> Header? {
        let content = line.dropFirst().trimmed
        guard let colon = content.firstIndex(of: ":") else { return nil }
        let name = Header.Name(rawValue: String(content[..<colon]))
        guard !name.rawValue.contains(where: \.isWhitespace), !name.rawValue.isEmpty else {
            return nil
        }
        let value = shown(content[content.index(after: colon)...].trimmed)
        if let tag = name.tag {
            guard let bytes = try? [UInt8](hex: value), !bytes.isEmpty, !tag.isConstructed else {
                throw TraceError(.badHeader(name.rawValue), line: number)
            }
        } else if !Header.Name.words.contains(name) {
            throw TraceError(.unknownHeader(name.rawValue), line: number)
        }
        guard !value.isEmpty, name != .date || TransactionDate(text: value) != nil else {
            throw TraceError(.badHeader(name.rawValue), line: number)
        }
        return Header(name, value)
    }

    /// Text without what could end the line, move a terminal's cursor or turn the direction of writing.
    static func shown(_ text: some StringProtocol) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let category = scalar.properties.generalCategory
            let isHidden = [.control, .format, .lineSeparator, .paragraphSeparator]
                .contains(category)
            shown.append(isHidden && scalar != "\t" ? "\u{FFFD}" : scalar)
        }
        return String(shown)
    }

    /// Reads the bytes behind a line's sign, up to a comment.
    private static func bytes(
        _ raw: Substring,
        atLeast minimum: Int,
        _ line: Int
    ) throws(TraceError) -> (bytes: [UInt8], comment: Substring) {
        let body = raw.drop(while: \.isWhitespace).dropFirst()
        let hex = body.prefix { $0 != "#" }
        let digits = hex.trimmed
        let bytes: [UInt8]
        do throws(HexError) {
            bytes = try [UInt8](hex: digits)
        } catch {
            let offset: Int =
                switch error {
                case .notADigit(let offset): offset
                case .oddDigitCount: digits.utf8.count
                }
            let start = raw.distance(from: raw.startIndex, to: digits.startIndex)
            throw TraceError(.badHex(offset: start + offset), line: line)
        }
        guard bytes.count >= minimum else { throw TraceError(.tooShort, line: line) }
        guard bytes.count <= TraceImport.maximumAPDUCount else {
            throw TraceError(.longAPDU, line: line)
        }
        return (bytes, body[hex.endIndex...])
    }

    private static func failure(
        _ raw: Substring,
        _ line: Int
    ) throws(TraceError) -> (error: TransportError, comment: Substring) {
        let body = raw.drop(while: \.isWhitespace).dropFirst()
        let text = body.prefix { $0 != "#" }
        let comment = body[text.endIndex...]
        switch text.trimmed {
        case "timeout": return (.timeout, comment)
        case "removed": return (.cardRemoved, comment)
        case "violation": return (.protocolViolation, comment)
        default:
            let words = text.split(separator: " ")
            guard words.count == 2, words[0] == "reader", let code = UInt32(words[1], radix: 16)
            else {
                throw TraceError(.unknownFailure(String(text.trimmed)), line: line)
            }
            return (.reader(code: code), comment)
        }
    }

    /// Reads `# 412.3 µs`; nil for any other comment.
    private static func duration(_ comment: Substring) -> Duration? {
        let words = comment.dropFirst().split(separator: " ")
        guard words.count == 2, words[1] == "µs" else { return nil }
        let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, let whole = Int64(parts[0]), whole >= 0,
            .microseconds(whole) <= Trace.longestTime
        else { return nil }
        guard parts.count == 2 else { return .microseconds(whole) }
        guard parts[1].count == 1, let tenths = Int64(parts[1]), tenths >= 0 else { return nil }
        return .nanoseconds(whole * 1000 + tenths * 100)
    }
}

extension Trace.Header.Name {
    /// The tag of a terminal's data object that this header gives; nil for a word.
    var tag: Tag? {
        guard rawValue.allSatisfy({ $0.isNumber || $0.isUppercase }),
            let bytes = try? [UInt8](hex: rawValue)
        else { return nil }
        return Tag(bytes: bytes)
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmed: Substring {
        var text = self.drop(while: \.isWhitespace)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
