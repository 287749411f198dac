import Profiles

/// One case of a vector file.
public struct VectorCase: Sendable {
    /// The case's name, which no other case of the file has.
    public let id: String
    /// What it is about.
    public let comment: String
    /// Keys of the file's notes that apply.
    public let flags: [String]
    /// Where it comes from, when that is not said for the whole file.
    public let source: String?
    /// Whether the input is good; a bad one must be refused.
    public let isValid: Bool
    /// Whether one of the flags says that the expected value is in doubt.
    public let isDoubtful: Bool
    /// What there is to do.
    public let work: Work

    /// What a case asks for.
    public enum Work: Sendable {
        /// A calculation.
        case computation(VectorComputation)
        /// Commands for a card.
        case cardTest(CardTest)
    }

    /// How a case went.
    public enum Verdict: Hashable, Sendable {
        /// What was expected came out.
        case passed
        /// Something else came out; both for people.
        case failed(expected: String, got: String)
    }
}
