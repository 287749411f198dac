/// Why bytes are not BER-TLV, and where.
public struct TLVError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The bytes end inside a tag.
        case truncatedTag
        /// The tag has more than four bytes.
        case tagTooLong
        /// The bytes end inside a length.
        case truncatedLength
        /// The length is of the indefinite form or has more than three bytes.
        case unsupportedLength
        /// The value is shorter than its length says, or runs past the end of its template.
        case truncatedValue
        /// Templates lie in each other more than eight deep.
        case nestedTooDeeply
        /// There are more objects than anything in EMV holds.
        case tooManyObjects
        /// The object of this tag is longer than what is left of its template; told by `TLVSurvey` only.
        case pastTemplate(Tag)
        /// The template holds a primitive object of this tag already; told by `TLVSurvey` only.
        case duplicate(Tag)
        /// FF bytes stand where objects should; told by `TLVSurvey` only.
        case filling
    }

    /// What is wrong.
    public var reason: Reason
    /// The offset of the first byte that does not fit, from the start of the outermost bytes.
    public var offset: Int

    /// Joins a reason and its place.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
