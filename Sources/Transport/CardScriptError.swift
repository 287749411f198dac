/// Why a text is no card script, and where.
public struct CardScriptError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The file has more bytes than any script.
        case tooLong
        /// The first line is not the one by which a script is known.
        case notAScript
        /// A line is none of those there are.
        case unknownLine
        /// A line that belongs to a rule stands before the first one.
        case outsideRule
        /// A line that is about a whole rule stands behind its first answer.
        case lateSetting
        /// The first rule waits for the one above it.
        case nothingAbove
        /// A pattern or an answer holds something else than what it may.
        case badByte(String)
        /// A pattern is longer or shorter than any command.
        case badPattern
        /// A delay is none, or too long.
        case badDelay
        /// A number of times is none.
        case badCount
        /// A delay or a number of times stands twice before the same answer.
        case repeated
        /// A part of an answer is none of those there are.
        case unknownPart(String)
        /// A byte of the command is wanted that is behind the longest one.
        case absentByte(Int)
        /// The card's answer is wanted where the card does not get the command.
        case cardNotAsked
        /// An answer is shorter than a status word, or longer than a card's can be.
        case badAnswer
        /// A rule has no answer, or a delay or number stands behind its last one.
        case missingAnswer
        /// An answer behind one that is always given.
        case unreachable
        /// Another rule, which begins on that line, answers all commands of a rule before it can.
        case shadowed(line: Int)
        /// A rule waits for one that goes on giving answers.
        case neverBegins
        /// There are too many rules, or none.
        case ruleCount
    }

    /// What is wrong.
    public var reason: Reason
    /// The line, from 1.
    public var line: Int

    /// Joins what and where.
    public init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}

extension CardScriptError: CustomStringConvertible {
    /// Line and reason, for people.
    public var description: String { "line \(line): \(text)" }

    private var text: String {
        switch reason {
        case .tooLong: "a script has at most \(CardScript.maximumByteCount) bytes"
        case .notAScript: "a script begins with the line “\(CardScript.signature)”"
        case .unknownLine:
            "a line is “> COMMAND”, “< ANSWER”, “! removed”, “! timeout”, “wait 800 ms”, “times 3”, “then”, “each tap”, "
                + "“instead” or a comment"
        case .outsideRule: "it belongs to a rule, and no “>” stands above it"
        case .lateSetting: "it is about the whole rule and stands above the rule's first answer"
        case .nothingAbove: "there is no rule above that this one could wait for"
        case .badByte(let text): "“\(text)” is no byte in hexadecimal"
        case .badPattern:
            "a command has 4 to \(CardScript.maximumCommandCount) bytes, or “?” at the end for whatever follows"
        case .badDelay: "a delay is a whole number of ms or s, up to 60 s, such as “wait 800 ms”"
        case .badCount: "a number of times is 1 to 1000000, or “all”"
        case .repeated: "the same stands above already for the next answer; leave out one of them"
        case .unknownPart(let text):
            "“\(text)” is no part of an answer; there are [card], [status], [data], [5] and [5-8]"
        case .absentByte(let index):
            "no command has a byte [\(index)]; the last one is [\(CardScript.maximumCommandCount - 1)]"
        case .cardNotAsked:
            "the card does not get the command (“instead”), so there is no answer of its own"
        case .badAnswer: "an answer has 2 to \(CardScript.maximumAnswerCount) bytes"
        case .missingAnswer: "an answer is missing behind it"
        case .unreachable: "the answer above it is always given"
        case .shadowed(let line):
            "the rule in line \(line) always answers these commands first; put this one above it"
        case .neverBegins: "the rule above, for which this one waits, never ends (“times all”)"
        case .ruleCount: "a script has 1 to \(CardScript.maximumRuleCount) rules"
        }
    }
}
