/// A file of test values of one family: cases with what goes in and what comes out.
///
/// `Vectors/README.md` describes the format.
public struct VectorFile: Sendable {
    /// The file as it was named by whoever read it.
    public let name: String
    /// The family, which says what is computed.
    public let family: String
    /// What the values are about.
    public let title: String
    /// Where they come from.
    public let source: String
    /// What the flags of cases mean.
    public let notes: [String: String]
    /// The flags that say that an expected value is in doubt.
    public let doubtfulFlags: Set<String>
    /// The cases of all groups in their order.
    public let cases: [VectorCase]
}
