import BERTLV
import Octets
import Profiles

/// `ber-tlv`: data objects read and written (EMV Book 3, Annex B).
enum BERTLVFamily: VectorFamily {
    case objects([UInt8])
    /// Zeros fill a template: how many objects the last template has is what counts.
    case padding([UInt8])
    case encoding([TLV])
    case tag([UInt8])
    case tagList([UInt8])
    case text(String)

    static let name = "ber-tlv"

    private enum Kind: String, CaseIterable {
        case objects, padding, malformed, encoding, tag, tagList, text
    }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .objects, .malformed: self = .objects(try input.message("data"))
        case .padding: self = .padding(try input.message("data"))
        case .encoding: self = .encoding(try Self.objects(input.elements("data")))
        case .tag: self = .tag(try input.hex("data"))
        case .tagList: self = .tagList(try input.hex("data"))
        case .text: self = .text(try input.string("text"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .objects(let bytes):
            let objects = try TLV.parse(bytes)
            return ["value": Self.value(objects), "count": .number(objects.count)]
        case .padding(let bytes):
            return ["value": .number(try TLV.parse(bytes).last?.objects.count ?? 0)]
        case .encoding(let objects): return ["value": .bytes(objects.flatMap(\.encoded))]
        case .tag(let bytes):
            let tag = try Tag(bytes: bytes).orRefused(as: "notATag")
            return ["tag": .bytes(tag.bytes), "isConstructed": .boolean(tag.isConstructed)]
        case .tagList(let bytes):
            return ["tags": .list(try Tag.list(parsing: bytes).map { .bytes($0.bytes) })]
        case .text(let text): return ["data": .bytes(try [UInt8](hex: text))]
        }
    }

    /// Objects as files write them: a tag with a value, or with objects.
    private static func value(_ objects: [TLV]) -> VectorValue {
        .list(
            objects.map { object in
                let contents: (String, VectorValue) =
                    object.tag.isConstructed
                    ? ("objects", value(object.objects)) : ("value", .bytes(object.value))
                return .object(["tag": .bytes(object.tag.bytes), contents.0: contents.1])
            }
        )
    }

    private static func objects(
        _ elements: [(value: JSONValue, path: String)]
    ) throws(ProfilesError) -> [TLV] {
        var objects: [TLV] = []
        for element in elements {
            var object = try JSONObject(element.value, path: element.path)
            guard let tag = Tag(bytes: try object.hex("tag")) else {
                throw ProfilesError(object.path(to: "tag"), "is no tag")
            }
            if object.has("objects") {
                objects.append(TLV(tag, try Self.objects(object.elements("objects"))))
            } else {
                objects.append(TLV(tag, try object.message("value")))
            }
            try object.finish()
        }
        return objects
    }
}

extension JSONObject {
    /// Bytes of a whole message, more than any one object has.
    mutating func message(_ name: String) throws(ProfilesError) -> [UInt8] {
        try hex(name, 0...1 << 20)
    }
}
