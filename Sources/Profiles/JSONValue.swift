/// What a JSON text holds (RFC 8259).
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number as it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members in the order written; no name occurs twice.
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// What kind of value it is, for people.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
