/// What a card answered to SELECT, as `Vectors/file-control-information.json` has it.
public struct SelectionVector: Decodable, Sendable {
    /// An entry of a directory.
    public struct Entry: Decodable, Sendable {
        /// ADF Name (4F).
        public var applicationIdentifier: HexBytes
        /// Application Label (50).
        public var label: String?
        /// Application Priority Indicator (87).
        public var priority: HexBytes?
    }

    /// The name (84).
    public var name: HexBytes
    /// The directory entries.
    public var entries: [Entry]
    /// The PDOL.
    public var pdol: [ListEntryVector]

    /// An answer and what is in it.
    public struct Case: Sendable {
        /// The case's name.
        public var id: String
        /// The answer, without its status word.
        public var answer: [UInt8]
        /// What is in it.
        public var expected: SelectionVector
    }

    /// What is expected, where it is anything.
    private struct Expected: Decodable {
        var vector: SelectionVector?

        init(from decoder: any Decoder) { vector = try? SelectionVector(from: decoder) }
    }

    /// All the good ones.
    public static func all() throws -> [Case] {
        let file = VectorFile<NoParameters, DataInput, Expected>.self
        return try file.load("file-control-information").groups.flatMap(\.cases).compactMap {
            vector in
            vector.expected.vector.map {
                Case(id: vector.id, answer: vector.input.data.bytes, expected: $0)
            }
        }
    }
}

/// A tag and a length, as the vector files write an entry of a data object list.
public struct ListEntryVector: Decodable, Sendable {
    /// The tag's bytes.
    public var tag: HexBytes
    /// The length.
    public var length: Int

    /// Reads `["9F02", 6]`.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        tag = try container.decode(HexBytes.self)
        length = try container.decode(Int.self)
    }
}
