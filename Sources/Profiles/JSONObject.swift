import BERTLV
package import EMVData
import Octets

/// One object of a JSON file while it is read: it knows its path, and which of its members were asked for.
///
/// `finish` must be called when everything was read; it refuses members nobody asked for.
package struct JSONObject {
    package let path: String
    private let members: [JSONValue.Member]
    private var known: Set<String> = []

    /// Reads a file that must hold one object.
    package init(parsing text: [UInt8]) throws(ProfilesError) {
        try self.init(JSONParser.parse(text), path: "")
    }

    /// Looks into a value that must be an object.
    package init(_ value: JSONValue, path: String) throws(ProfilesError) {
        guard case .object(let members) = value else {
            throw ProfilesError(path, "must be an object in braces, not \(value.kind)")
        }
        self.path = path
        self.members = members
    }

    /// The names of all members.
    package var names: [String] { members.map(\.name) }

    /// The path of a member.
    package func path(to name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Refuses members that were not asked for.
    package func finish() throws(ProfilesError) {
        for member in members where !known.contains(member.name) {
            throw ProfilesError(
                path(to: member.name),
                "is not known here; known are \(known.sorted().joined(separator: ", "))"
            )
        }
    }

    /// A member; nil when it is not there or null.
    package mutating func optional(_ name: String) -> JSONValue? {
        known.insert(name)
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else {
            return nil
        }
        return value
    }

    /// A member that must be there.
    package mutating func value(_ name: String) throws(ProfilesError) -> JSONValue {
        guard let value = optional(name) else { throw ProfilesError(path(to: name), "is missing") }
        return value
    }

    /// Whether a member is there and not null.
    package mutating func has(_ name: String) -> Bool {
        known.insert(name)
        return members.contains { $0.name == name && $0.value != .null }
    }

    package mutating func string(_ name: String) throws(ProfilesError) -> String {
        try string(value(name), name)
    }

    /// A text of one line that anybody may print.
    package mutating func line(_ name: String) throws(ProfilesError) -> String {
        let text = try string(name)
        let hasControls = text.unicodeScalars.contains {
            [.control, .format].contains($0.properties.generalCategory)
        }
        guard !hasControls else {
            throw ProfilesError(path(to: name), "must be one line without control characters")
        }
        return text
    }

    /// A text of printable ASCII characters.
    package mutating func text(
        _ name: String,
        _ counts: ClosedRange<Int>
    ) throws(ProfilesError) -> String {
        let text = try string(name)
        guard counts.contains(text.utf8.count), text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw ProfilesError(
                path(to: name),
                "must be \(Self.text(counts)) letters, digits or signs of ASCII"
            )
        }
        return text
    }

    package mutating func optionalString(_ name: String) throws(ProfilesError) -> String? {
        guard let value = optional(name) else { return nil }
        return try string(value, name)
    }

    package mutating func boolean(_ name: String) throws(ProfilesError) -> Bool {
        let value = try value(name)
        guard case .boolean(let boolean) = value else {
            throw ProfilesError(path(to: name), "must be true or false, not \(value.kind)")
        }
        return boolean
    }

    package mutating func integer(
        _ name: String,
        in range: ClosedRange<UInt64>
    ) throws(ProfilesError) -> UInt64 {
        try integer(value(name), name, in: range)
    }

    package mutating func optionalInteger(
        _ name: String,
        in range: ClosedRange<UInt64>
    ) throws(ProfilesError) -> UInt64? {
        guard let value = optional(name) else { return nil }
        return try integer(value, name, in: range)
    }

    package mutating func hex(
        _ name: String,
        _ counts: ClosedRange<Int>
    ) throws(ProfilesError) -> [UInt8] {
        try Self.hex(value(name), path(to: name), counts)
    }

    package mutating func optionalHex(
        _ name: String,
        _ counts: ClosedRange<Int>
    ) throws(ProfilesError) -> [UInt8]? {
        guard let value = optional(name) else { return nil }
        return try Self.hex(value, path(to: name), counts)
    }

    /// Decimal digits in a text, one an element.
    package mutating func digits(
        _ name: String,
        _ counts: ClosedRange<Int>
    ) throws(ProfilesError) -> [UInt8] {
        let text = try string(name)
        guard let digits = PackedDigits.digits(of: text), counts.contains(digits.count) else {
            throw ProfilesError(path(to: name), "must be \(Self.text(counts)) digits")
        }
        return digits
    }

    package mutating func date(_ name: String) throws(ProfilesError) -> TransactionDate {
        try date(string(name), name)
    }

    package mutating func optionalDate(_ name: String) throws(ProfilesError) -> TransactionDate? {
        guard let text = try optionalString(name) else { return nil }
        return try date(text, name)
    }

    /// A text that is one of a few.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        of type: Choice.Type
    ) throws(ProfilesError) -> Choice {
        let text = try string(name)
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw ProfilesError(path(to: name), "must be one of \(choices), not \"\(text)\"")
        }
        return choice
    }

    package mutating func object(_ name: String) throws(ProfilesError) -> JSONObject {
        try JSONObject(value(name), path: path(to: name))
    }

    /// The elements of a list with their paths.
    package mutating func elements(
        _ name: String
    ) throws(ProfilesError) -> [(value: JSONValue, path: String)] {
        let value = try value(name)
        guard case .array(let elements) = value else {
            throw ProfilesError(path(to: name), "must be a list in brackets, not \(value.kind)")
        }
        return elements.enumerated().map { ($1, "\(path(to: name))[\($0)]") }
    }

    /// A list of texts.
    package mutating func texts(_ name: String) throws(ProfilesError) -> [String] {
        var texts: [String] = []
        for element in try elements(name) {
            guard case .string(let text) = element.value else {
                throw ProfilesError(element.path, "must be a text, not \(element.value.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    /// The members of an object with their paths, whatever they are called.
    package mutating func members(
        of name: String
    ) throws(ProfilesError) -> [(name: String, value: JSONValue, path: String)] {
        let object = try object(name)
        return object.members.map { ($0.name, $0.value, object.path(to: $0.name)) }
    }

    /// Data objects, written `{"9F33": "E0F8C8"}`; empty when the member is not there.
    package mutating func dataObjects(_ name: String) throws(ProfilesError) -> [DataObject] {
        guard let value = optional(name) else { return [] }
        let object = try JSONObject(value, path: path(to: name))
        var objects: [DataObject] = []
        for member in object.members {
            let path = object.path(to: member.name)
            guard let bytes = try? [UInt8](hex: member.name), let tag = Tag(bytes: bytes) else {
                throw ProfilesError(path, "is no tag in hexadecimal digits")
            }
            guard !objects.contains(where: { $0.tag == tag }) else {
                throw ProfilesError(path, "is here a second time")
            }
            objects.append(DataObject(tag, try Self.hex(member.value, path, 0...255)))
        }
        return objects
    }

    package static func hex(
        _ value: JSONValue,
        _ path: String,
        _ counts: ClosedRange<Int>
    ) throws(ProfilesError) -> [UInt8] {
        guard case .string(let text) = value else {
            throw ProfilesError(path, "must be hexadecimal digits in a text, not \(value.kind)")
        }
        let bytes: [UInt8]
        do throws(HexError) {
            bytes = try [UInt8](hex: text)
        } catch {
            switch error {
            case .oddDigitCount(let count):
                throw ProfilesError(
                    path,
                    "has an odd number of hexadecimal digits, \(count)"
                )
            case .notADigit(let offset):
                throw ProfilesError(path, "has no hexadecimal digit at character \(offset + 1)")
            }
        }
        guard counts.contains(bytes.count) else {
            throw ProfilesError(path, "must have \(Self.text(counts)) bytes, not \(bytes.count)")
        }
        return bytes
    }

    private func string(_ value: JSONValue, _ name: String) throws(ProfilesError) -> String {
        guard case .string(let text) = value else {
            throw ProfilesError(path(to: name), "must be a text, not \(value.kind)")
        }
        return text
    }

    private func integer(
        _ value: JSONValue,
        _ name: String,
        in range: ClosedRange<UInt64>
    ) throws(ProfilesError) -> UInt64 {
        guard case .number(let text) = value, let number = UInt64(text), range.contains(number)
        else {
            throw ProfilesError(
                path(to: name),
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    private func date(_ text: String, _ name: String) throws(ProfilesError) -> TransactionDate {
        guard let date = TransactionDate(text: text) else {
            throw ProfilesError(path(to: name), "must be a day such as 2030-12-31, not \"\(text)\"")
        }
        return date
    }

    private static func text(_ counts: ClosedRange<Int>) -> String {
        counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
    }
}
