public import Transport

/// What a card was asked and what it answered, as a text file that people can read and write.
///
/// | line | what |
/// |---|---|
/// | `# tapwire trace 1` | the first line of every trace |
/// | `# name: value` | a header, before the first command |
/// | `> HEX` | a command APDU |
/// | `> HEX ?`, `> ?` | a command of which nobody recorded more than this |
/// | `< HEX` | its response; `# 412.3 µs` behind it is the time it took |
/// | `! failure` | instead of a response: `timeout`, `removed`, `violation` or `reader HEX` |
/// | `#` and anything else, or nothing | a comment |
public struct Trace: Hashable, Sendable {
    /// What is known about the recording.
    public var headers: [Header]
    /// The exchanges, in order.
    public var exchanges: [Exchange]

    /// Joins the parts.
    public init(headers: [Header] = [], exchanges: [Exchange]) {
        self.headers = headers
        self.exchanges = exchanges
    }

    /// The first header of that name.
    public subscript(name: Header.Name) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// The first line, by which a trace is known.
    static var signature: String { "# tapwire trace 1" }

    /// How many bytes a trace may have: no tap comes near it.
    public static var maximumByteCount: Int { 4 << 20 }

    /// The longest time that may stand behind an answer, half an hour and more.
    static var longestTime: Duration { .microseconds(Int64(Int32.max)) }

    /// A named fact about a recording.
    public struct Header: Hashable, Sendable {
        /// The name.
        public var name: Name
        /// The value, as text.
        public var value: String

        /// Joins name and value.
        public init(_ name: Name, _ value: String) {
            self.name = name
            self.value = value
        }

        /// What a header is about: one of the words below, or the tag of a terminal's data object in hexadecimal.
        public struct Name: RawRepresentable, Hashable, Sendable {
            /// The word.
            public var rawValue: String
            /// Wraps any word.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Where the recording comes from.
            public static let source = Name(rawValue: "source")
            /// Anything else that a reader should know.
            public static let note = Name(rawValue: "note")
            /// The day of the payment, `2019-08-19`, where no command tells it.
            public static let date = Name(rawValue: "date")
            /// What was replaced to keep the card's secrets, and what cannot be checked any more.
            public static let masked = Name(rawValue: "masked")
            /// Why the card's numbers may be shown whole.
            public static let publicCard = Name(rawValue: "public-card")

            static let words: [Name] = [.source, .note, .date, .masked, .publicCard]
        }
    }
}
