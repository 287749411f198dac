import Octets
import Transport

/// A trace that was read from what another program wrote.
public struct TraceImport: Hashable, Sendable {
    /// Whose text it was.
    public enum Origin: String, Hashable, Sendable {
        /// A trace already.
        case trace = "a trace"
        /// A log of `pcscd --debug --apdu`.
        case pcscd = "a log of pcscd"
        /// A log of OpenSC's, or what opensc-tool prints.
        case openSC = "a log of OpenSC"
        /// Commands and responses that are told apart by words or arrows.
        case marked = "marked commands and responses"
        /// Commands and responses that take turns, line by line.
        case plain = "commands and responses in turn"
    }

    /// What was exchanged.
    public var trace: Trace
    /// Whose text it was.
    public var origin: Origin
    /// The lines of commands that have no response in the text; they are left out.
    public var unansweredLines: [Int] = []
    /// Whether the last line has no end, as where a file was cut.
    public var isLastLineOpen = false

    /// How many bytes the text of another program may have.
    public static var maximumByteCount: Int { 32 << 20 }

    /// How many exchanges are read from one text.
    public static var maximumExchangeCount: Int { 50_000 }

    /// How many bytes a command or a response may have: an extended header, 65535 bytes and Le.
    static var maximumAPDUCount: Int { 65_544 }

    /// Reads commands and responses out of another program's text.
    ///
    /// Whatever is neither is passed over. A command without a response is left out, and so is a response without a
    /// command, as both stand where a log begins or ends in the middle.
    /// - Parameter text: The whole file.
    /// - Throws: `TraceError` with the line, when bytes are written wrongly or there are none.
    public init(parsing text: String) throws(TraceError) {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw TraceError(.longText, line: 1)
        }
        if text.hasPrefix(Trace.signature) {
            trace = try Trace(parsing: text)
            origin = .trace
            return
        }
        let lines = Self.lines(text)
        isLastLineOpen = lines.last.map { !$0.trimmed.isEmpty } ?? false
        var reader: any LogReader
        if lines.contains(where: PCSCDLog.isRecognised) {
            (reader, origin) = (PCSCDLog(), .pcscd)
        } else if lines.contains(where: OpenSCLog.isRecognised) {
            (reader, origin) = (OpenSCLog(), .openSC)
        } else if lines.contains(where: { MarkedLine($0) != nil }) {
            (reader, origin) = (MarkedLog(), .marked)
        } else {
            (reader, origin) = (PlainLog(), .plain)
        }
        var tape = LogTape()
        for (index, line) in lines.enumerated() {
            try reader.read(line, number: index + 1, into: &tape)
        }
        try reader.end(&tape)
        let exchanges = tape.exchanges
        guard !exchanges.isEmpty else { throw TraceError(.noAPDU) }
        unansweredLines = tape.unansweredLines
        trace = Trace(headers: [.init(.source, origin.rawValue)], exchanges: exchanges)
    }

    /// The lines, without the colours that pcscd puts around them on a terminal.
    private static func lines(_ text: String) -> [ArraySlice<UInt8>] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isEscape = false
        for byte in text.utf8 {
            if byte == 0x1B {
                isEscape = true
            } else if !isEscape {
                bytes.append(byte)
            } else if byte == 0x0A || UInt8(ascii: "A")...UInt8(ascii: "z") ~= byte, byte != 0x5B {
                isEscape = false
                if byte == 0x0A { bytes.append(byte) }
            }
        }
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    }
}

/// What reads one kind of text, line after line.
protocol LogReader {
    /// Takes in a line.
    mutating func read(
        _ line: ArraySlice<UInt8>,
        number: Int,
        into tape: inout LogTape
    ) throws(TraceError)

    /// Takes in the end of the text.
    mutating func end(_ tape: inout LogTape) throws(TraceError)
}

extension LogReader {
    func end(_ tape: inout LogTape) throws(TraceError) {}
}

/// Commands and their responses, as they are found in a text.
struct LogTape {
    private var entries: [(exchange: Exchange?, command: [UInt8], isPartial: Bool, line: Int)] = []
    /// The command that waits for its response, of each of those who use a card at the same time.
    private var waiting: [[UInt8]: (index: Int, time: Int)] = [:]

    /// Takes in a command.
    ///
    /// The key says whose it is, where several take turns; the time is in microseconds.
    mutating func command(
        _ bytes: [UInt8],
        isPartial: Bool = false,
        line: Int,
        key: [UInt8] = [],
        time: Int = 0
    ) throws(TraceError) {
        guard bytes.count >= (isPartial ? 0 : 4) else { throw TraceError(.tooShort, line: line) }
        guard bytes.count <= TraceImport.maximumAPDUCount else {
            throw TraceError(.longAPDU, line: line)
        }
        guard entries.count < TraceImport.maximumExchangeCount else {
            throw TraceError(.longText, line: line)
        }
        waiting[key] = (entries.count, time)
        entries.append((nil, bytes, isPartial, line))
    }

    /// Takes in a response, or why there was none.
    mutating func response(
        _ result: Result<[UInt8], TransportError>,
        line: Int,
        key: [UInt8] = [],
        time: Int? = nil,
        elapsed: Duration? = nil
    ) throws(TraceError) {
        if case .success(let bytes) = result {
            guard bytes.count >= 2 else { throw TraceError(.tooShort, line: line) }
            guard bytes.count <= TraceImport.maximumAPDUCount else {
                throw TraceError(.longAPDU, line: line)
            }
        }
        guard let command = waiting.removeValue(forKey: key) else { return }
        let measured = elapsed ?? time.map { .microseconds(max(0, $0 - command.time)) }
        entries[command.index].exchange = Exchange(
            command: entries[command.index].command,
            isCommandPartial: entries[command.index].isPartial,
            result: result,
            // No card takes longer: lines are missing, or they have no times.
            elapsed: measured.flatMap { $0 <= Trace.longestTime ? $0 : nil }
        )
    }

    /// What was answered, in order of the commands.
    var exchanges: [Exchange] { entries.compactMap(\.exchange) }

    /// Where the commands stand that were not answered.
    var unansweredLines: [Int] { entries.filter { $0.exchange == nil }.map(\.line) }
}
