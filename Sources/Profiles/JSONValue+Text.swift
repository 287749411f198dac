extension JSONValue {
    /// The value as a file holds it: two spaces a level, with a line end behind it.
    package var text: String {
        var text = ""
        write(to: &text, indent: "\n")
        return text + "\n"
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let value): text += Self.quoted(value)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                text += (index == 0 ? "" : ",") + indent + "  "
                value.write(to: &text, indent: indent + "  ")
            }
            text += values.isEmpty ? "]" : indent + "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "" : ",") + indent + "  \(Self.quoted(member.name)): "
                member.value.write(to: &text, indent: indent + "  ")
            }
            text += members.isEmpty ? "}" : indent + "}"
        }
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    /// A text.
    package init(stringLiteral value: String) { self = .string(value) }

    /// A number.
    package init(_ number: some BinaryInteger) { self = .number(String(number)) }

    /// A number or null.
    package init(_ number: (some BinaryInteger)?) { self = number.map { Self($0) } ?? .null }

    /// A text or null.
    package init(_ text: String?) { self = text.map { .string($0) } ?? .null }
}
