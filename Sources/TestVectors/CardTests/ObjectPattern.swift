import Octets
import Profiles

/// What is expected of a data object.
enum ObjectPattern: Hashable, Sendable {
    /// It is there, whatever it holds.
    case present
    /// It is not there.
    case absent
    /// It is there, and its value fits all that is said.
    case value(ValuePattern)

    /// What is said of a value; what is nil is not.
    struct ValuePattern: Hashable, Sendable {
        /// The values that are right.
        var anyOf: [[UInt8]]?
        /// What it starts with.
        var prefix: [UInt8]?
        /// How many bytes it has.
        var counts: ClosedRange<Int>?

        func matches(_ value: [UInt8]) -> Bool {
            (anyOf?.contains(value) ?? true) && value.starts(with: prefix ?? [])
                && (counts?.contains(value.count) ?? true)
        }
    }

    /// Reads `"present"`, `"absent"`, or an object with `equals`, `anyOf`, `prefix` or `length`.
    /// - Throws: `ProfilesError` with the path of what is wrong.
    init(_ value: JSONValue, path: String) throws(ProfilesError) {
        switch value {
        case .string("present"): self = .present
        case .string("absent"): self = .absent
        case .object(let members) where !members.isEmpty:
            var object = try JSONObject(value, path: path)
            self = .value(try ValuePattern(&object))
            try object.finish()
        default:
            throw ProfilesError(
                path,
                "must be \"present\", \"absent\", or an object with equals, anyOf, prefix or length"
            )
        }
    }

    /// Whether an object fits; nil stands for one that is not there.
    func matches(_ value: [UInt8]?) -> Bool {
        switch self {
        case .present: value != nil
        case .absent: value == nil
        case .value(let pattern): value.map { pattern.matches($0) } ?? false
        }
    }

    /// The pattern for people.
    var text: String {
        switch self {
        case .present: return "present"
        case .absent: return "absent"
        case .value(let pattern):
            var words: [String] = []
            if let values = pattern.anyOf {
                words.append(values.map(\.hex).joined(separator: " or "))
            }
            if let prefix = pattern.prefix { words.append("\(prefix.hex)…") }
            if let counts = pattern.counts {
                words.append(
                    counts.count == 1
                        ? "of \(counts.lowerBound) bytes"
                        : "of \(counts.lowerBound) to \(counts.upperBound) bytes"
                )
            }
            return words.joined(separator: " ")
        }
    }
}

extension ObjectPattern.ValuePattern {
    fileprivate init(_ object: inout JSONObject) throws(ProfilesError) {
        if object.has("equals") { anyOf = [try object.hex("equals")] }
        if object.has("anyOf") {
            guard anyOf == nil else {
                throw ProfilesError(object.path(to: "anyOf"), "has no place beside equals")
            }
            anyOf = try object.hexList("anyOf", 0...0xFFFF)
        }
        prefix = try object.optionalHex("prefix")
        guard let length = object.optional("length") else { return }
        let path = object.path(to: "length")
        switch length {
        case .array(let bounds) where bounds.count == 2:
            let lower = try Self.count(bounds[0], path)
            let upper = try Self.count(bounds[1], path)
            guard lower <= upper else {
                throw ProfilesError(path, "the first of both must not be the larger one")
            }
            counts = lower...upper
        default:
            let count = try Self.count(length, path)
            counts = count...count
        }
    }

    private static func count(_ value: JSONValue, _ path: String) throws(ProfilesError) -> Int {
        guard case .number(let text) = value, let count = Int(text), 0...0xFFFF ~= count else {
            throw ProfilesError(
                path,
                "must be a number of bytes, or a list of the least and the most"
            )
        }
        return count
    }
}
