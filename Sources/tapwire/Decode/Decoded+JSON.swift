import BERTLV
import CommandLineKit
import Octets

extension JSONValue {
    /// A data object, with all that is in it.
    init(_ object: DecodedObject) {
        var members = [Member("tag", .string(object.tag.description))]
        if let name = object.name { members.append(Member("name", .string(name))) }
        if object.tag.isConstructed {
            members.append(Member("objects", .array(object.objects.map { JSONValue($0) })))
        } else {
            members.append(Member("value", .string(object.value.hex)))
        }
        if let text = object.text { members.append(Member("text", .string(text))) }
        if !object.meanings.isEmpty {
            members.append(Member("meanings", .array(object.meanings.map(JSONValue.string))))
        }
        self = .object(members)
    }

    /// A command, its response, and what both mean.
    init(_ exchange: DecodedExchange) {
        self = [
            "title": .string(exchange.title),
            "command": .string(exchange.command.hex),
            "response": exchange.response.map { .string($0.hex) } ?? nil,
            "status": .string(exchange.status),
            "masked": .bool(exchange.isMasked),
            "elapsedNanoseconds": exchange.elapsed.map { .integer($0.nanoseconds) } ?? nil,
            "sent": .array(exchange.sent.map { JSONValue($0) }),
            "received": .array(exchange.received.map { JSONValue($0) }),
        ]
    }
}

extension Duration {
    /// The whole nanoseconds.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
