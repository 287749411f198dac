/// Reads JSON (RFC 8259) strictly and says where it goes wrong.
///
/// Foundation's decoder gives no place, takes trailing commas and drops repeated names silently, and
/// these files are written by hand.
package struct JSONParser {
    /// How deep values may lie in each other.
    static let maximumDepth = 16

    private let bytes: [UInt8]
    private var offset = 0

    /// Reads one value that fills the text.
    /// - Throws: `ProfilesError` without a path, with line and column.
    package static func parse(_ text: [UInt8]) throws(ProfilesError) -> JSONValue {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw ProfilesError("", "is not JSON: the text is not UTF-8")
        }
        var parser = JSONParser(bytes: text)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.offset == text.count else { throw parser.failure("more follows the value") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) throws(ProfilesError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw failure("values lie too deep in each other") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            return .number(try number())
        case nil: throw failure("a value is missing")
        default: break
        }
        for (word, value) in [
            ("true", JSONValue.boolean(true)), ("false", .boolean(false)), ("null", .null),
        ]
        where bytes[offset...].starts(with: word.utf8) {
            offset += word.utf8.count
            return value
        }
        throw failure("no value starts like this")
    }

    private mutating func object(depth: Int) throws(ProfilesError) -> JSONValue {
        var members: [JSONValue.Member] = []
        offset += 1
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else {
                throw failure("a name in quotation marks is missing")
            }
            let start = offset
            let name = try string()
            guard !members.contains(where: { $0.name == name }) else {
                offset = start
                throw failure("\"\(name)\" is here a second time")
            }
            guard take(":") else { throw failure("\":\" is missing") }
            members.append(.init(name, try value(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw failure("\",\" or \"}\" is missing") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(ProfilesError) -> JSONValue {
        var elements: [JSONValue] = []
        offset += 1
        if take("]") { return .array([]) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw failure("\",\" or \"]\" is missing") }
        return .array(elements)
    }

    private mutating func number() throws(ProfilesError) -> String {
        let start = offset
        if peek == UInt8(ascii: "-") { offset += 1 }
        let whole = digits()
        guard whole == 1 || whole > 1 && bytes[offset - whole] != UInt8(ascii: "0") else {
            throw failure("a number has no leading zeros")
        }
        if peek == UInt8(ascii: ".") {
            offset += 1
            guard digits() > 0 else { throw failure("a digit is missing") }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            guard digits() > 0 else { throw failure("a digit is missing") }
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Passes over digits and returns how many there were.
    private mutating func digits() -> Int {
        let start = offset
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
        return offset - start
    }

    private mutating func string() throws(ProfilesError) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                offset += 1
                text += try escaped().utf8
            case ..<0x20:
                throw failure("a text may not run over the end of a line")
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw failure("a text has no end")
    }

    /// Reads what follows a backslash.
    private mutating func escaped() throws(ProfilesError) -> String {
        let escapes: [UInt8: String] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
            UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n",
            UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        ]
        guard let byte = peek else { throw failure("a text has no end") }
        if let text = escapes[byte] {
            offset += 1
            return text
        }
        guard byte == UInt8(ascii: "u") else { throw failure("this escape is not JSON's") }
        offset += 1
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), bytes[offset...].starts(with: "\\u".utf8) {
            offset += 2
            units.append(try codeUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw failure("half of a surrogate pair is missing")
        }
        return text
    }

    private mutating func codeUnit() throws(ProfilesError) -> UInt16 {
        let text = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
        guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit),
            let unit = UInt16(text, radix: 16)
        else { throw failure("four hexadecimal digits are missing") }
        offset += 4
        return unit
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Passes over space and, when it comes next, `character`.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    /// An error that names line and column of the current place.
    private func failure(_ problem: String) -> ProfilesError {
        let before = bytes[..<offset]
        let line = before.count { $0 == 0x0A } + 1
        let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
        let column = String(decoding: bytes[lineStart..<offset], as: UTF8.self).count + 1
        return ProfilesError("", "is not JSON: line \(line), column \(column): \(problem)")
    }
}
