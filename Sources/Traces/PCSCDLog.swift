import Transport

/// A log of `pcscd --debug --apdu`.
///
/// Each line begins with the microseconds since the one before and, where it is written in colour, the thread in
/// brackets; from the system's journal it has the journal's own beginning. It may have been shortened with three dots.
struct PCSCDLog: LogReader {
    private var time = 0
    private var isStarted = false

    /// Whether such a line is in no other log.
    static func isRecognised(_ line: ArraySlice<UInt8>) -> Bool { Entry(line) != nil }

    mutating func read(
        _ line: ArraySlice<UInt8>,
        number: Int,
        into tape: inout LogTape
    ) throws(TraceError) {
        let entry = Entry(line)
        // A journal has times of its own, and pcscd's are not in it.
        let delta = Self.delta(entry?.front ?? line)
        if let delta {
            time = min(time + delta, Self.maximumMicroseconds)
            isStarted = true
        }
        guard let entry else { return }
        var text = entry.text.trimmed
        let isCut = text.suffix(3).elementsEqual("...".utf8)
        if isCut { text = text.dropLast(3) }
        let bytes = try LogHex(text, line: number).bytes
        if entry.isCommand {
            try tape.command(bytes, isPartial: isCut, line: number, key: entry.key, time: time)
            return
        }
        guard !isCut else { throw TraceError(.cutShort, line: number) }
        try tape.response(
            // Nothing came back, and the caller was told that the card was not transacted with.
            bytes.isEmpty ? .failure(.reader(code: 0x8010_0016)) : .success(bytes),
            line: number,
            key: entry.key,
            time: isStarted ? time : nil
        )
    }

    /// Four weeks.
    private static let maximumMicroseconds = 2_419_200_000_000

    /// The microseconds at the beginning of a line; nil where it has none.
    private static func delta(_ line: ArraySlice<UInt8>) -> Int? {
        guard let digits = line.split(whereSeparator: \.isBlank).first(where: isDelta) else {
            return nil
        }
        return digits.prefix(12).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isDelta(_ word: ArraySlice<UInt8>) -> Bool {
        word.count >= 8 && word.allSatisfy(\.isDigit)
    }

    /// A line with an APDU.
    private struct Entry {
        var isCommand: Bool
        /// What stands before the bytes.
        var front: ArraySlice<UInt8>
        /// The thread; empty where the log does not tell it.
        var key: [UInt8]
        /// The bytes, as text.
        var text: ArraySlice<UInt8>

        init?(_ line: ArraySlice<UInt8>) {
            let command = line.firstRange(of: "APDU: ")
            guard let range = command ?? line.firstRange(of: "SW: ") ?? Self.emptyStatus(line)
            else { return nil }
            isCommand = command != nil
            text = line[range.upperBound...]
            front = line[..<range.lowerBound].trimmed
            key = []
            var words = front.split(whereSeparator: \.isBlank)
            if let last = words.last, last.first == 0x5B, last.last == 0x5D {
                key = Array(last)
                words.removeLast()
            }
            guard let last = words.last else { return nil }
            let isDaemon =
                last.starts(with: "pcscd[".utf8) && last.suffix(2).elementsEqual("]:".utf8)
            guard PCSCDLog.isDelta(last) || isDaemon else { return nil }
        }

        /// A response of no bytes, whose space at the end was lost.
        private static func emptyStatus(_ line: ArraySlice<UInt8>) -> Range<Int>? {
            let line = line.trimmed
            guard line.suffix(3).elementsEqual("SW:".utf8) else { return nil }
            return line.endIndex - 3..<line.endIndex
        }
    }
}
