import Octets
public import Testing

/// A file of test values below `Vectors/`: groups of cases that share parameters.
public struct VectorFile<Parameters: Decodable, Input: Decodable, Expected: Decodable>: Decodable {
    /// Cases that share parameters.
    public struct Group: Decodable {
        /// What the cases share.
        public var parameters: Parameters
        /// The cases.
        public var cases: [VectorCase<Input, Expected>]
    }

    /// What the values are about.
    public var family: String
    /// Where they come from.
    public var source: String
    /// The groups.
    public var groups: [Group]

    /// Reads `Vectors/name.json`.
    public static func load(_ name: String) throws -> VectorFile {
        try RepositoryFile.json("Vectors/\(name).json", as: VectorFile.self)
    }
}

/// One case of a vector file.
public struct VectorCase<Input: Decodable, Expected: Decodable>: Decodable {
    /// The case's name in its source.
    public var id: String
    /// What it is about.
    public var comment: String
    /// Keys of the file's notes that apply.
    public var flags: [String]
    /// What goes in.
    public var input: Input
    /// What the source says comes out.
    public var expected: Expected
    /// Whether the input is good: `valid` or `invalid`.
    public var result: String

    /// Whether the input is good.
    public var isValid: Bool { result == "valid" }
}

extension VectorCase: Sendable where Input: Sendable, Expected: Sendable {}

extension VectorCase: CustomTestStringConvertible {
    /// The case's name in its source.
    public var testDescription: String { id }
}

/// Stands where a file's groups share nothing.
public struct NoParameters: Decodable, Sendable {}

/// The input of a case that is nothing but bytes.
public struct DataInput: Decodable, Sendable {
    /// The bytes.
    public var data: HexBytes
}

/// Bytes that JSON carries as hexadecimal text.
public struct HexBytes: Decodable, Hashable, Sendable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        bytes = try [UInt8](hex: decoder.singleValueContainer().decode(String.self))
    }
}
