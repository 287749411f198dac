#if !hasFeature(Embedded)
public import BERTLV

/// A list of tags and lengths by which a card asks for terminal data (PDOL, CDOL, DDOL, UDOL, DRDOL ...).
///
/// The answer is the values alone, each brought to the length asked for, which is written in one byte. EMV Book 3, 5.4.
/// A tag may be asked for more than once.
public struct DataObjectList: Hashable, Sendable {
    /// One object that is asked for.
    public struct Entry: Hashable, Sendable {
        /// The tag.
        public var tag: Tag
        /// How many bytes of it are wanted, up to 255.
        public var length: Int

        /// Joins tag and length.
        public init(_ tag: Tag, _ length: Int) {
            self.tag = tag
            self.length = length
        }
    }

    /// What is asked for, in order.
    public var entries: [Entry]

    /// Collects entries.
    public init(entries: [Entry]) { self.entries = entries }

    /// Reads a list.
    /// - Throws: `EMVDataError.Reason.malformedList` with the offset of the entry that is cut or malformed.
    public init(parsing bytes: [UInt8]) throws(EMVDataError) {
        entries = []
        var reader = TLVReader(bytes.span)
        while reader.offset < bytes.count {
            let start = reader.offset
            guard let tag = try? reader.readTag(), reader.offset < bytes.count else {
                throw EMVDataError(.malformedList, at: start)
            }
            // One byte always: A0 is a length of 160, and not one of BER that goes on.
            entries.append(Entry(tag, Int(bytes[reader.offset])))
            reader = TLVReader(
                bytes.span.extracting((reader.offset + 1)...),
                base: reader.offset + 1
            )
        }
    }

    /// The list's own bytes.
    public var bytes: [UInt8] {
        entries.flatMap { entry in
            entry.tag.bytes + [UInt8(entry.length)]
        }
    }

    /// How many bytes the filled list has.
    public var count: Int { entries.reduce(0) { $0 + $1.length } }

    /// Whether `tag` is asked for.
    public func contains(_ tag: Tag) -> Bool { entries.contains { $0.tag == tag } }

    /// Builds the answer: every value cut or padded as its format demands, zeros for what is not known.
    public func fill(_ value: (Tag) -> [UInt8]?) -> [UInt8] {
        entries.flatMap { entry in
            // A template cannot be asked for: EMV Book 3, 5.4, step 2b.
            let known = entry.tag.isConstructed ? nil : value(entry.tag)
            return Self.fit(known ?? [], of: entry.tag, to: entry.length)
        }
    }

    /// Splits an answer into the objects it carries; nil when it has another length than asked for.
    public func split(_ filled: [UInt8]) -> [TLV]? {
        guard filled.count == count else { return nil }
        var offset = 0
        return entries.map { entry in
            defer { offset += entry.length }
            return TLV(entry.tag, Array(filled[offset..<offset + entry.length]))
        }
    }
}

#endif
