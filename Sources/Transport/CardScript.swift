/// What a card shall answer instead of its own answers, so that a terminal can be tried on what no good card does.
///
/// A script is a text file, a trace with holes in it:
///
/// | line | what |
/// |---|---|
/// | `# tapwire card script 1` | the first line of every script |
/// | `> HEX` | begins a rule: the commands it is for; `..` is any byte, a dot any digit, `?` at the end whatever follows |
/// | `then` | the rule waits until the one above it has given all its answers |
/// | `each tap` | the rule begins anew with each tap |
/// | `instead` | the card does not get the command; else it does, and its answer is replaced |
/// | `wait 800 ms` | lets the next answer take so much longer, up to 60 s |
/// | `times 3`, `times all` | gives the next answer three times, or always |
/// | `< card` | answers as the card does |
/// | `< HEX` | answers so; see below for what may stand between the bytes |
/// | `! removed` | the card leaves instead of answering, and comes back |
/// | `! timeout` | the card never answers |
/// | `#` and anything else, or nothing | a comment, behind a line too |
///
/// In an answer `[card]` stands for the data of the card's own answer and `[status]` for its status word, `[data]` for the
/// command's data, and `[5]` or `[5-8]` for bytes of the command, counted from 0.
///
/// The first rule that fits a command and has an answer left gives it; where there is none the card answers. A rule that
/// could never give an answer is a fault.
public struct CardScript: Hashable, Sendable {
    /// The rules, in the order they are looked at.
    public var rules: [Rule]

    /// Commands, and what they are answered one after the other.
    public struct Rule: Hashable, Sendable {
        /// The line of the file it begins on.
        public var line: Int
        /// Which commands it is for.
        public var pattern: Pattern
        /// Whether it waits until the rule before it has given all its answers.
        public var followsPrevious = false
        /// Whether it begins anew with each tap.
        public var restartsEachTap = false
        /// Whether the card gets the command.
        public var reachesCard = true
        /// The answers, in order.
        public var answers: [Answer] = []

        /// Begins a rule.
        public init(line: Int, pattern: Pattern) {
            self.line = line
            self.pattern = pattern
        }
    }

    /// Which commands a rule is for.
    public struct Pattern: Hashable, Sendable {
        /// What the bits of the mask must be.
        public var bytes: [UInt8]
        /// The bits that count, of each byte.
        public var mask: [UInt8]
        /// Whether anything may follow.
        public var isOpen: Bool

        /// Collects the parts; `bytes` and `mask` have the same length.
        public init(bytes: [UInt8], mask: [UInt8], isOpen: Bool) {
            self.bytes = bytes
            self.mask = mask
            self.isOpen = isOpen
        }

        /// Whether a command fits.
        public func fits(_ command: [UInt8]) -> Bool {
            guard isOpen ? command.count >= bytes.count : command.count == bytes.count else {
                return false
            }
            return zip(zip(bytes, mask), command).allSatisfy { $0.0 & $0.1 == $1 & $0.1 }
        }
    }

    /// One answer.
    public struct Answer: Hashable, Sendable {
        /// How much longer it takes.
        public var delay: Duration
        /// How often it is given; nil for always.
        public var count: Int?
        /// What happens.
        public var action: Action

        /// Collects the parts.
        public init(delay: Duration = .zero, count: Int? = 1, _ action: Action) {
            self.delay = delay
            self.count = count
            self.action = action
        }
    }

    /// What a card does.
    public enum Action: Hashable, Sendable {
        /// It answers with these parts, one behind the other.
        case respond([Part])
        /// It leaves.
        case leave
        /// It never answers.
        case staySilent
    }

    /// A part of an answer.
    public enum Part: Hashable, Sendable {
        /// Bytes as they are.
        case literal([UInt8])
        /// The data of the card's own answer.
        case cardData
        /// The status word of the card's own answer.
        case cardStatus
        /// The data of the command.
        case commandData
        /// Bytes of the command, counted from 0; those it does not have are left out.
        case commandBytes(ClosedRange<Int>)
    }

    /// Collects rules.
    public init(rules: [Rule]) { self.rules = rules }

    /// The first line, by which a script is known.
    static var signature: String { "# tapwire card script 1" }

    /// How many bytes a script may have.
    public static var maximumByteCount: Int { 1 << 20 }
    /// How many rules a script may have, each of which may be looked at for every command.
    public static var maximumRuleCount: Int { 1000 }
    /// The longest an answer can be delayed.
    public static var maximumDelay: Duration { .seconds(60) }
    /// The longest command: a header, Lc, 255 bytes and Le.
    static var maximumCommandCount: Int { 261 }
    /// The longest answer: 256 bytes of data and the status word.
    public static var maximumAnswerCount: Int { 258 }
}
