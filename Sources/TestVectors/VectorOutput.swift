import Octets
import Profiles

/// What a family computes, by the names of `expected`.
typealias VectorOutput = [String: VectorValue]

/// A computed value.
indirect enum VectorValue: Hashable, Sendable {
    /// Bytes, which a file writes as hexadecimal digits.
    case bytes([UInt8])
    /// Bytes of which a source may give the first only, as with check values, but not fewer than so many.
    case beginning([UInt8], atLeast: Int)
    /// A text.
    case text(String)
    /// A whole number.
    case number(Int)
    /// `true` or `false`.
    case boolean(Bool)
    /// Values in order.
    case list([VectorValue])
    /// Named values, of which a file may expect some.
    case object(VectorOutput)
    /// Nothing, which a file writes as `null` or leaves out.
    case nothing

    /// Digits, one an element, as a text.
    static func digits(_ digits: [UInt8]) -> VectorValue {
        .text(digits.map { String($0) }.joined())
    }

    /// Bytes; nothing where there are none.
    static func bytes(_ bytes: [UInt8]?) -> VectorValue { bytes.map { .bytes($0) } ?? .nothing }

    /// A number in as many bytes as its type has.
    static func bytes(_ number: some FixedWidthInteger & UnsignedInteger) -> VectorValue {
        .bytes(number.bigEndianBytes)
    }
}

extension VectorValue {
    /// Whether a file expects this value.
    /// - Parameters:
    ///   - expected: What the file has.
    ///   - path: Where it has it.
    /// - Returns: Whether both are the same.
    /// - Throws: `ProfilesError` when the file has what this value could never be: no hexadecimal digits for bytes,
    ///   a member that does not come out, a number for a text.
    func matches(_ expected: JSONValue, path: String) throws(ProfilesError) -> Bool {
        switch (self, expected) {
        case (.bytes(let bytes), .string): return try bytes == Self.hex(expected, path)
        case (.beginning(let bytes, let least), .string):
            let beginning = try Self.hex(expected, path)
            guard beginning.count >= least else {
                throw ProfilesError(
                    path,
                    "must have at least \(least) bytes, or chance would pass, not \(beginning.count)"
                )
            }
            return bytes.starts(with: beginning)
        case (.text(let text), .string(let other)): return text == other
        case (.number(let number), .number(let other)): return String(number) == other
        case (.boolean(let boolean), .boolean(let other)): return boolean == other
        case (.nothing, .null): return true
        case (.list(let values), .array(let others)):
            guard values.count == others.count else { return false }
            for (index, value) in values.enumerated()
            where try !value.matches(others[index], path: "\(path)[\(index)]") {
                return false
            }
            return true
        case (.object(let values), .object(let members)):
            for member in members {
                guard let value = values[member.name] else {
                    throw ProfilesError(
                        "\(path).\(member.name)",
                        "is nothing that comes out; here \(values.keys.sorted().joined(separator: ", ")) can be expected"
                    )
                }
                guard try value.matches(member.value, path: "\(path).\(member.name)") else {
                    return false
                }
            }
            return true
        case (.nothing, _), (_, .null): return false
        default: throw ProfilesError(path, "must be \(kind), not \(expected.kind)")
        }
    }

    /// What a file has for such a value, for errors.
    private var kind: String {
        switch self {
        case .bytes, .beginning, .text: "a text"
        case .number: "a number"
        case .boolean: "true or false"
        case .list: "a list"
        case .object: "an object"
        case .nothing: "null"
        }
    }

    private static func hex(
        _ value: JSONValue,
        _ path: String
    ) throws(ProfilesError) -> [UInt8] {
        try JSONObject.hex(value, path, 0...0xFFFF_FFFF)
    }

    /// The value for people; of an object only the members in `names`.
    func text(names: [String]? = nil) -> String {
        switch self {
        case .bytes(let bytes), .beginning(let bytes, _): bytes.hex
        case .text(let text): text
        case .number(let number): String(number)
        case .boolean(let boolean): String(boolean)
        case .nothing: "nothing"
        case .list(let values): "[\(values.map { $0.text() }.joined(separator: ", "))]"
        case .object(let values):
            (names ?? values.keys.sorted()).map { name in
                "\(name) \((values[name] ?? .nothing).text())"
            }.joined(separator: ", ")
        }
    }
}

extension JSONValue {
    /// The value for people, written as computed values are.
    var text: String {
        switch self {
        case .null: "nothing"
        case .boolean(let boolean): String(boolean)
        case .number(let text), .string(let text): text
        case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
        case .object(let members):
            members.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
        }
    }
}
