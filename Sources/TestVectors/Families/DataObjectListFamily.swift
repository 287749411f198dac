import BERTLV
import EMVData
import Profiles

/// `data-object-lists`: what a card asks for (EMV Book 3, 5.4).
struct DataObjectListFamily: VectorFamily {
    var list: [UInt8]

    static let name = "data-object-lists"

    private enum Kind: String, CaseIterable { case parse }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        _ = try parameters.choice("of", of: Kind.self)
        list = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        let list = try DataObjectList(parsing: list)
        return ["value": Self.value(list), "count": .number(list.count)]
    }

    /// Entries as files write them: `["9F02", 6]`.
    static func value(_ list: DataObjectList) -> VectorValue {
        .list(list.entries.map { .list([.bytes($0.tag.bytes), .number($0.length)]) })
    }
}

/// `filled-data-object-lists`: the values a terminal gives (EMV Book 3, 5.4).
enum FilledDataObjectListFamily: VectorFamily {
    case fill(list: [UInt8], values: [DataObject])
    case fit(Tag, value: [UInt8], length: Int)
    case split(list: [UInt8], data: [UInt8])

    static let name = "filled-data-object-lists"

    private enum Kind: String, CaseIterable { case fill, fit, split }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .fill:
            self = .fill(list: try input.hex("list"), values: try input.dataObjects("values"))
        case .fit:
            self = .fit(
                try input.tag("tag"),
                value: try input.hex("value"),
                length: try input.count("length", 0...255)
            )
        case .split: self = .split(list: try input.hex("list"), data: try input.hex("data"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .fill(let list, let values):
            let filled = try DataObjectList(parsing: list).fill { tag in
                values.first { $0.tag == tag }?.value
            }
            return ["value": .bytes(filled)]
        case .fit(let tag, let value, let length):
            return ["value": .bytes(DataObjectList.fit(value, of: tag, to: length))]
        case .split(let list, let data):
            let objects = try DataObjectList(parsing: list).split(data)
                .orRefused(as: "wrongLength")
            return [
                "value": .list(objects.map { .list([.bytes($0.tag.bytes), .bytes($0.value)]) })
            ]
        }
    }
}

extension JSONObject {
    /// A tag in hexadecimal digits.
    mutating func tag(_ name: String) throws(ProfilesError) -> Tag {
        guard let tag = Tag(bytes: try hex(name, 1...4)) else {
            throw ProfilesError(path(to: name), "is no tag")
        }
        return tag
    }
}
