public import BERTLV

/// A tag and its value, as profiles and configurations write them: `"9F33": "E0F8C8"`.
public struct DataObject: Hashable, Sendable {
    /// The tag.
    public var tag: Tag
    /// The value.
    public var value: [UInt8]
    /// Joins tag and value.
    public init(_ tag: Tag, _ value: [UInt8]) {
        self.tag = tag
        self.value = value
    }
}
