public import BERTLV

/// Something that was recorded otherwise.
public struct Difference: Hashable, Sendable {
    /// Where the bytes stand.
    public enum Place: Hashable, Sendable {
        /// The value of a data object.
        case object(Tag)
        /// The status word of a response.
        case status
        /// A whole command or response, because the bytes are in no data object.
        case whole
    }

    /// Where the bytes stand.
    public var place: Place
    /// What was recorded; nil where there was no such object.
    public var expected: [UInt8]?
    /// What came; nil where there is no such object.
    public var got: [UInt8]?
    /// Whether it may be otherwise each time, such as an unpredictable number or a cryptogram.
    public var isAllowed: Bool

    /// Joins the parts.
    public init(_ place: Place, expected: [UInt8]?, got: [UInt8]?, isAllowed: Bool = false) {
        self.place = place
        self.expected = expected
        self.got = got
        self.isAllowed = isAllowed
    }
}
