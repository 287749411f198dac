import BERTLV
import Octets
import Profiles

/// The way to a data object, from the outside in: `6F/A5/50`.
///
/// The first tag may lie anywhere in an answer; each further one directly in the object before it.
struct TagPath: Hashable, Sendable {
    /// The path as it is written.
    let text: String
    private let tags: [Tag]

    /// Reads a path.
    /// - Throws: `ProfilesError` when a part of it is no tag.
    init(_ text: String, path: String) throws(ProfilesError) {
        self.text = text
        var tags: [Tag] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            guard let bytes = try? [UInt8](hex: part), let tag = Tag(bytes: bytes) else {
                throw ProfilesError(path, "\"\(part)\" is no tag in hexadecimal digits")
            }
            tags.append(tag)
        }
        self.tags = tags
    }

    /// The first object the path leads to; nil when there is none.
    func find(in objects: [TLV]) -> TLV? {
        guard let first = tags.first else { return nil }
        return Self.all(first, in: objects).lazy.compactMap { object in
            Self.descend(tags.dropFirst(), from: object)
        }.first
    }

    private static func descend(_ tags: ArraySlice<Tag>, from object: TLV) -> TLV? {
        guard let next = tags.first else { return object }
        return object.objects.lazy.filter { $0.tag == next }.compactMap {
            descend(tags.dropFirst(), from: $0)
        }.first
    }

    /// Every object of a tag, and those in each other, in order.
    private static func all(_ tag: Tag, in objects: [TLV]) -> [TLV] {
        objects.flatMap { object in
            (object.tag == tag ? [object] : []) + all(tag, in: object.objects)
        }
    }
}
