import Octets
import Profiles

/// What a family computes, by the names of `expected`.
typealias VectorOutput = [String: VectorValue]

/// A computed value.
indirect enum VectorValue: Hashable, Sendable {
    /// Bytes, which a file writes as hexadecimal digits.
    case bytes([UInt8])
    /// Bytes of which a source may give the first only, as with check values.
    case beginning([UInt8])
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
    /// - Throws: `ProfilesError` when bytes are expected and the file has no hexadecimal digits.
    func matches(_ expected: JSONValue, path: String) throws(ProfilesError) -> Bool {
        switch (self, expected) {
        case (.bytes(let bytes), .string): return try bytes == Self.hex(expected, path)
        case (.beginning(let bytes), .string):
            let beginning = try Self.hex(expected, path)
            return !beginning.isEmpty && bytes.starts(with: beginning)
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
                let value = values[member.name] ?? .nothing
                guard try value.matches(member.value, path: "\(path).\(member.name)") else {
                    return false
                }
            }
            return true
        default: return false
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
        case .bytes(let bytes), .beginning(let bytes): bytes.hex
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
