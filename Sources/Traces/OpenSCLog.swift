/// A debug log of OpenSC's, or what opensc-tool prints for its `--send-apdu`.
///
/// A heading is followed by lines of at most 16 bytes, each with its characters behind.
struct OpenSCLog: LogReader {
    private var isCommand = false
    private var bytes: [UInt8] = []
    /// How many bytes are still to come; nil where the heading does not tell.
    private var missing: Int?
    private var isOpen = false
    private var line = 0
    /// The status word of the heading, behind the data.
    private var status: [UInt8] = []

    /// Whether such a line is in no other log.
    static func isRecognised(_ line: ArraySlice<UInt8>) -> Bool {
        apdu(line) != nil || received(line) != nil
    }

    mutating func read(
        _ line: ArraySlice<UInt8>,
        number: Int,
        into tape: inout LogTape
    ) throws(TraceError) {
        if let heading = Self.apdu(line) {
            try close(&tape)
            (isCommand, missing) = heading
            open(number)
        } else if let status = Self.received(line) {
            try close(&tape)
            isCommand = false
            missing = nil
            open(number)
            self.status = status
        } else if line.starts(with: "Sending: ".utf8) {
            try close(&tape)
            try tape.command(LogHex(line.dropFirst(9), line: number).bytes, line: number)
        } else if isOpen {
            try take(line, number, &tape)
        }
    }

    mutating func end(_ tape: inout LogTape) throws(TraceError) { try close(&tape) }

    private mutating func open(_ number: Int) {
        isOpen = true
        bytes = []
        status = []
        line = number
    }

    /// Takes in a line of a dump.
    private mutating func take(
        _ line: ArraySlice<UInt8>,
        _ number: Int,
        _ tape: inout LogTape
    ) throws(TraceError) {
        // In a whole line the characters begin in column 48, and may look like bytes.
        let columns = line.prefix(48)
        let words = columns.split(whereSeparator: \.isBlank).prefix(min(16, missing ?? 16))
        let found = words.prefix { $0.count == 2 && $0.allSatisfy { $0.hexDigit != nil } }
        guard !found.isEmpty else { return try close(&tape) }
        guard bytes.count <= TraceImport.maximumAPDUCount else {
            throw TraceError(.longAPDU, line: number)
        }
        bytes += found.map { word in
            word.reduce(0) { $0 << 4 | ($1.hexDigit ?? 0) }
        }
        if let count = missing { missing = count - found.count }
        if missing == 0 || missing == nil && found.count < 16 { try close(&tape) }
    }

    private mutating func close(_ tape: inout LogTape) throws(TraceError) {
        guard isOpen else { return }
        isOpen = false
        guard missing ?? 0 == 0 else { throw TraceError(.cutShort, line: line) }
        if isCommand {
            try tape.command(bytes, line: line)
        } else {
            try tape.response(.success(bytes + status), line: line)
        }
    }

    /// Reads `Outgoing APDU (5 bytes):`, and `Outgoing APDU data [    5 bytes] ====` of older versions.
    private static func apdu(_ line: ArraySlice<UInt8>) -> (isCommand: Bool, count: Int?)? {
        let outgoing = line.firstRange(of: "Outgoing APDU")
        guard let range = outgoing ?? line.firstRange(of: "Incoming APDU") else { return nil }
        let rest = line[range.upperBound...]
        let digits = rest.drop { !$0.isDigit }.prefix { $0.isDigit }
        guard 1...6 ~= digits.count else { return nil }
        let count = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return count <= TraceImport.maximumAPDUCount ? (outgoing != nil, count) : nil
    }

    /// Reads the status word of `Received (SW1=0x90, SW2=0x00):`.
    private static func received(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard line.starts(with: "Received (SW1=0x".utf8) else { return nil }
        let digits = line.dropFirst(16)
        guard digits.count >= 12, digits.dropFirst(2).starts(with: ", SW2=0x".utf8) else {
            return nil
        }
        let pairs = [digits.prefix(2), digits.dropFirst(10).prefix(2)]
        guard pairs.allSatisfy({ $0.allSatisfy { $0.hexDigit != nil } }) else { return nil }
        return pairs.map { pair in pair.reduce(0) { $0 << 4 | ($1.hexDigit ?? 0) } }
    }
}
