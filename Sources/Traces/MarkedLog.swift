/// Text in which words or arrows tell commands and responses apart.
struct MarkedLog: LogReader {
    /// A response that the next line may go on with, as scriptor breaks it after 16 bytes.
    private var open: (bytes: [UInt8], line: Int, elapsed: Duration?)?

    private static let lineLength = 16

    mutating func read(
        _ line: ArraySlice<UInt8>,
        number: Int,
        into tape: inout LogTape
    ) throws(TraceError) {
        if let open, let more = Self.continuation(line) {
            let hex = try LogHex(line, line: number)
            guard open.bytes.count <= TraceImport.maximumAPDUCount else {
                throw TraceError(.longAPDU, line: number)
            }
            self.open?.bytes += hex.bytes
            if more.count < Self.lineLength || !hex.tail.isEmpty { try end(&tape) }
            return
        }
        try end(&tape)
        guard let marked = MarkedLine(line) else { return }
        let hex = try LogHex(marked.text, line: number)
        // A word such as RESET behind an arrow.
        guard !hex.bytes.isEmpty else { return }
        let tail = hex.tail
        guard !marked.isCommand else {
            let isPartial = tail.starts(with: "...".utf8) || tail.starts(with: "…".utf8)
            return try tape.command(hex.bytes, isPartial: isPartial, line: number)
        }
        open = (hex.bytes + Self.status(tail), number, marked.elapsed)
        let isWhole = hex.bytes.count % Self.lineLength != 0 || !tail.isEmpty
        if isWhole { try end(&tape) }
    }

    mutating func end(_ tape: inout LogTape) throws(TraceError) {
        guard let response = open else { return }
        open = nil
        try tape.response(
            .success(response.bytes),
            line: response.line,
            elapsed: response.elapsed
        )
    }

    /// The bytes of a line that goes on with a response: pairs of digits alone, and perhaps what they say.
    private static func continuation(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let words = line.split(whereSeparator: \.isBlank)
        let pairs = words.prefix { $0.count == 2 && $0.allSatisfy { $0.hexDigit != nil } }
        guard !pairs.isEmpty, pairs.count <= lineLength,
            pairs.count == words.count || words[pairs.count].elementsEqual(":".utf8)
        else { return nil }
        return Array(pairs)
    }

    /// The status word where it stands apart: `SW: 9000`, `SW=9000`.
    private static func status(_ tail: ArraySlice<UInt8>) -> [UInt8] {
        let text = tail.drop { $0 == 0x2C || $0 == 0x28 || $0 == 0x5B }.trimmedStart
        guard text.starts(with: "SW:".utf8) || text.starts(with: "SW=".utf8) else { return [] }
        let digits = text.dropFirst(3).trimmedStart.prefix { $0.hexDigit != nil }
        guard digits.count == 4 else { return [] }
        let nibbles = digits.map { $0.hexDigit ?? 0 }
        return [nibbles[0] << 4 | nibbles[1], nibbles[2] << 4 | nibbles[3]]
    }
}

/// A line that says whether it is a command or a response.
struct MarkedLine {
    /// Whether it goes to the card.
    var isCommand: Bool
    /// What stands behind the mark, where bytes begin.
    var text: ArraySlice<UInt8>
    /// How long the response took, where the line tells it.
    var elapsed: Duration?

    /// What stands before a command; of two that fit the longer one comes first.
    private static let commandArrows = ["A>>", ">>>", "-->", "==>", ">>", "->", "=>"]
    private static let responseArrows = ["A<<", "<<<", "<--", "<==", "<<", "<-", "<="]
    private static let commandWords = [
        "command apdu", "apdu command", "c-apdu", "c_apdu", "capdu", "command", "sending",
        "request",
        "apdu", "send", "sent", "cmd", "req", "tx", "c",
    ]
    private static let responseWords = [
        "response apdu", "apdu response", "r-apdu", "r_apdu", "rapdu", "response", "received",
        "answer", "reply", "recv", "resp", "rsp", "rx", "sw", "r",
    ]
    /// How far into a line a mark is looked for: behind the time and the name of whoever wrote it.
    private static let reach = 160

    /// Finds the mark; nil where there is none with bytes behind it.
    init?(_ line: ArraySlice<UInt8>) {
        let line = line.trimmed
        guard let first = line.first else { return nil }
        // The start of a comment in most scripts.
        guard first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
        if first == UInt8(ascii: ">") || first == UInt8(ascii: "<"),
            line.dropFirst().first?.isBlank ?? false
        {
            self.init(isCommand: first == UInt8(ascii: ">"), behind: line.dropFirst())
            return
        }
        let end = min(line.startIndex + Self.reach, line.endIndex)
        var isStart = true
        for index in line.startIndex..<end {
            defer { isStart = line[index].isBlank || line[index] == 0x5D || line[index] == 0x7C }
            guard isStart, let found = Self.mark(line[index...]) else { continue }
            self.init(isCommand: found.isCommand, behind: found.rest)
            let hex = text.prefix { $0.hexDigit != nil || $0.isBlank || $0 == 0x78 || $0 == 0x3A }
            if hex.contains(where: { $0.hexDigit != nil }) || text.starts(with: "[]".utf8) {
                return
            }
        }
        return nil
    }

    private init(isCommand: Bool, behind rest: ArraySlice<UInt8>) {
        self.isCommand = isCommand
        text = rest.trimmedStart
        // GlobalPlatformPro: T=1 (4+0010), and (12ms) with a response.
        while let open = text.first {
            if text.starts(with: "T=".utf8) {
                text = text.drop { !$0.isBlank }.trimmedStart
            } else if open == 0x28, let close = text.firstIndex(of: 0x29) {
                elapsed = Self.milliseconds(text[text.startIndex + 1..<close]) ?? elapsed
                text = text[(close + 1)...].trimmedStart
            } else {
                return
            }
        }
    }

    private static func milliseconds(_ text: ArraySlice<UInt8>) -> Duration? {
        guard text.suffix(2).elementsEqual("ms".utf8) else { return nil }
        let digits = text.dropLast(2).trimmed
        guard 1...7 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
        return .milliseconds(digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) })
    }

    /// The mark at the beginning of a text, and what stands behind it.
    private static func mark(
        _ text: ArraySlice<UInt8>
    ) -> (isCommand: Bool, rest: ArraySlice<UInt8>)? {
        for (arrows, isCommand) in [(commandArrows, true), (responseArrows, false)] {
            for arrow in arrows where text.starts(with: arrow.utf8) {
                return (isCommand, text.dropFirst(arrow.utf8.count).drop { $0 == 0x3A })
            }
        }
        for (words, isCommand) in [(commandWords, true), (responseWords, false)] {
            for word in words where text.count > word.utf8.count {
                let isEqual = zip(text, word.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
                guard isEqual else { continue }
                var rest = text.dropFirst(word.utf8.count).trimmedStart
                if rest.first == 0x28, let close = rest.firstIndex(of: 0x29) {
                    rest = rest[(close + 1)...].trimmedStart
                }
                guard rest.first == 0x3A || rest.first == 0x3D else { continue }
                return (isCommand, rest.dropFirst())
            }
        }
        return nil
    }
}

/// Text in which each command stands on a line of its own, and its response on the next.
struct PlainLog: LogReader {
    private var isCommand = true
    private var isStarted = false

    mutating func read(
        _ line: ArraySlice<UInt8>,
        number: Int,
        into tape: inout LogTape
    ) throws(TraceError) {
        let text = line.trimmed
        guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";"),
            !text.starts(with: "//".utf8)
        else { return }
        let hex = try LogHex(text, line: number)
        let isComment = hex.tail.first.map { [0x23, 0x3B, 0x2F, 0x28].contains($0) } ?? true
        guard !hex.bytes.isEmpty, isComment else {
            throw isStarted ? TraceError(.noBytes, line: number) : TraceError(.noAPDU)
        }
        isStarted = true
        if isCommand {
            try tape.command(hex.bytes, line: number)
        } else {
            try tape.response(.success(hex.bytes), line: number)
        }
        isCommand.toggle()
    }
}
