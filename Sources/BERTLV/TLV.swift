import Octets

#if !hasFeature(Embedded)

/// A data object that owns its value, for everything that is not on a card's answer path.
public struct TLV: Hashable, Sendable {
    /// What an object holds.
    public enum Contents: Hashable, Sendable {
        /// The value of a primitive object.
        case primitive([UInt8])
        /// The objects of a template.
        case constructed([TLV])
    }

    /// The tag.
    public var tag: Tag
    /// The value.
    public var contents: Contents

    /// Creates a primitive object.
    public init(_ tag: Tag, _ value: [UInt8]) {
        self.tag = tag
        contents = .primitive(value)
    }

    /// Creates a template.
    public init(_ tag: Tag, _ objects: [TLV]) {
        self.tag = tag
        contents = .constructed(objects)
    }

    /// How deep templates may lie in each other.
    public static var maximumDepth: Int { 8 }

    /// How many objects one message may hold.
    public static var maximumObjectCount: Int { 4096 }

    /// The value bytes, encoded where the object is a template.
    public var value: [UInt8] {
        switch contents {
        case .primitive(let bytes): bytes
        case .constructed(let objects): objects.flatMap(\.encoded)
        }
    }

    /// The objects inside a template; none for a primitive object.
    public var objects: [TLV] {
        switch contents {
        case .primitive: []
        case .constructed(let objects): objects
        }
    }

    /// Tag, shortest length and value.
    public var encoded: [UInt8] {
        let value = value
        return tag.bytes + Self.length(value.count) + value
    }

    /// Finds the first object of `tag` among `objects` and everything below them, in order.
    public static func first(_ tag: Tag, in objects: [TLV]) -> TLV? {
        for object in objects {
            if object.tag == tag { return object }
            if let found = first(tag, in: object.objects) { return found }
        }
        return nil
    }

    /// Reads all of `bytes` as objects, templates to their last byte.
    /// - Throws: `TLVError`, with the offset in `bytes`.
    public static func parse(_ bytes: [UInt8]) throws(TLVError) -> [TLV] {
        // One frame for each open template, so that untrusted depth costs no stack.
        var frames = [Frame(end: bytes.count)]
        var position = 0
        var count = 0
        while true {
            let end = frames[frames.count - 1].end
            var reader = TLVReader(bytes.span.extracting(position..<end), base: position)
            guard let element = try reader.next() else {
                let finished = frames.removeLast()
                position = end
                guard let tag = finished.tag else { return finished.objects }
                frames[frames.count - 1].objects.append(TLV(tag, finished.objects))
                continue
            }
            count += 1
            guard count <= maximumObjectCount else {
                throw TLVError(.tooManyObjects, at: element.offset)
            }
            if element.tag.isConstructed {
                guard frames.count <= maximumDepth else {
                    throw TLVError(.nestedTooDeeply, at: element.offset)
                }
                position = element.valueOffset
                frames.append(Frame(tag: element.tag, end: reader.offset))
            } else {
                position = reader.offset
                frames[frames.count - 1].objects.append(TLV(element.tag, [UInt8](element.value)))
            }
        }
    }

    /// Reads exactly one object that fills `bytes`, and nothing behind it.
    /// - Throws: `TLVError`; `truncatedTag` when there is no object, `tooManyObjects` when there are more.
    public static func parseOne(_ bytes: [UInt8]) throws(TLVError) -> TLV {
        let objects = try parse(bytes)
        guard let object = objects.first else { throw TLVError(.truncatedTag, at: 0) }
        guard objects.count == 1 else {
            throw TLVError(.tooManyObjects, at: object.encoded.count)
        }
        return object
    }

    /// Writes a length in its shortest form, for values below 16 MiB.
    static func length(_ count: Int) -> [UInt8] {
        switch count {
        case 0..<0x80: [UInt8(count)]
        case 0x80..<0x100: [0x81, UInt8(count)]
        case 0x100..<0x1_0000: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        default: [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        }
    }

    /// A template that is being read.
    private struct Frame {
        var tag: Tag?
        var end: Int
        var objects: [TLV] = []
    }
}

#endif
