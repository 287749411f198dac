/// Why a file is not a trace, and on which line.
public struct TraceError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The file has more bytes than any trace.
        case tooLong
        /// The first line is not the one by which a trace is known.
        case notATrace
        /// A line begins with none of the known signs.
        case unknownLine
        /// A header has a name nobody reads.
        case unknownHeader(String)
        /// A header has no value, or one that does not fit its name.
        case badHeader(String)
        /// A header stands behind the first command.
        case lateHeader(String)
        /// A line holds something else than whole bytes in hexadecimal.
        case badHex(offset: Int)
        /// A command has fewer than four bytes, or a response fewer than two.
        case tooShort
        /// The last line has bytes and no end, as where a file was cut.
        case openLine
        /// A response stands without a command, or a command without a response.
        case unpaired
        /// A failure is none of those there are.
        case unknownFailure(String)
        /// There is no exchange at all.
        case empty
        /// The text of another program has more bytes or exchanges than are read.
        case longText
        /// The text of another program has no command and response.
        case noAPDU
        /// A command or response has more bytes than any.
        case longAPDU
        /// A line of such a text holds something else than bytes, and nothing says what the lines are.
        case noBytes
        /// The text of another program has only the beginning of a response.
        case cutShort
        /// The command of an exchange, the first being 1, does not fit the list the card gave for it.
        case misfit(exchange: Int)
    }

    /// What is wrong.
    public var reason: Reason
    /// The line, the first being 1; nil when the fault is not in a line.
    public var line: Int?

    /// Joins a reason and its place.
    public init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }

    /// One sentence for people, without the file's name.
    public var message: String { (line.map { "line \($0): " } ?? "") + explanation }

    private var explanation: String {
        switch reason {
        case .tooLong: "a trace has at most \(Trace.maximumByteCount) bytes"
        case .notATrace: "a trace begins with the line “\(Trace.signature)”"
        case .unknownLine: "a line begins with “>” (command), “<” (response), “!” (failure) or “#”"
        case .unknownHeader(let name):
            "there is no header “\(name)”; there are "
                + Trace.Header.Name.words.map(\.rawValue).joined(separator: ", ")
                + " and tags of terminal data such as 9F35"
        case .badHeader(let name): "the value of “\(name)” cannot be read"
        case .lateHeader(let name): "the header “\(name)” stands behind the first command"
        case .badHex(let offset): "no whole bytes in hexadecimal, from column \(offset + 1)"
        case .tooShort: "a command has at least four bytes and a response two"
        case .openLine:
            "the line has no end, so that bytes may be missing; if it is whole, end it"
        case .unpaired: "commands and responses do not alternate"
        case .unknownFailure(let text):
            "there is no failure “\(text)”; there are timeout, removed, violation and reader HEX"
        case .empty: "there is no exchange in it"
        case .longText:
            "a log has at most \(TraceImport.maximumByteCount) bytes and "
                + "\(TraceImport.maximumExchangeCount) exchanges; cut out what is of interest"
        case .noAPDU: "there are no commands and responses in it"
        case .longAPDU:
            "a command or response has at most \(TraceImport.maximumAPDUCount) bytes"
        case .noBytes: "neither bytes in hexadecimal nor a mark such as “->” before them"
        case .cutShort: "only the beginning of the bytes is there"
        case .misfit(let exchange):
            "the command of exchange \(exchange) does not fit the data object list the card gave"
        }
    }
}
