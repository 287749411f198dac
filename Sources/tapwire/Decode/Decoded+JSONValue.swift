import BERTLV
import CommandLineKit
import EMVData
import Octets

extension JSONValue {
    /// Everything `decode` found.
    init(_ decoded: Decoded) {
        let decoding = decoded.decoding
        var members = [Member("title", .string(decoding.title))]
        if let guess = decoded.guess {
            members.append(Member("kind", .string(guess.kind.rawValue)))
            members.append(Member("guessed", true))
            let others = guess.alternatives.map { JSONValue.string($0.rawValue) }
            members.append(Member("alternatives", .array(others)))
        }
        if let count = decoding.byteCount {
            members.append(Member("byteCount", .integer(Int64(count))))
        }
        members.append(Member("masked", .bool(decoding.isMasked)))
        members.append(
            Member("sections", .array(decoding.sections.map { JSONValue(section: $0) }))
        )
        members.append(
            Member(
                "faults",
                .array(
                    decoding.faults.map { fault in
                        [
                            "offset": .integer(Int64(fault.offset)),
                            "message": .string(fault.sentence),
                        ]
                    }
                )
            )
        )
        self = .object(members)
    }

    private init(section: Decoding.Section) {
        var members = [Member("name", .string(section.name))]
        if let title = section.title { members.append(Member("title", .string(title))) }
        if !section.parts.isEmpty {
            members.append(Member("parts", .array(section.parts.map { JSONValue(part: $0) })))
        }
        if !section.rows.isEmpty {
            members.append(Member("objects", .array(section.rows.map { JSONValue(row: $0) })))
        }
        self = .object(members)
    }

    private init(part: DecodedPart) {
        var members = [Member("place", .string(part.place))]
        if !part.digits.isEmpty { members.append(Member("value", .string(part.digits))) }
        if !part.text.isEmpty { members.append(Member("text", .string(part.text))) }
        self = .object(members)
    }

    private init(row: DecodedRow) {
        var members: [Member] = []
        func add(_ name: String, _ text: String?) {
            if let text { members.append(Member(name, .string(text))) }
        }
        func add(_ name: String, _ texts: [String]) {
            guard !texts.isEmpty else { return }
            members.append(Member(name, .array(texts.map(JSONValue.string))))
        }
        if let offset = row.offset { members.append(Member("offset", .integer(Int64(offset)))) }
        add("tag", row.tag?.description)
        add("name", row.name)
        add("otherNames", row.otherNames)
        add("format", row.format?.rawValue)
        members.append(Member("length", .integer(Int64(row.length))))
        if row.presentCount != row.length {
            members.append(Member("presentCount", .integer(Int64(row.presentCount))))
        }
        if let tag = row.tag, !tag.isConstructed { add("value", row.value.hex) }
        if row.isMasked { members.append(Member("masked", true)) }
        add("text", row.text)
        if !row.parts.isEmpty {
            members.append(Member("parts", .array(row.parts.map { JSONValue(part: $0) })))
        }
        add("remarks", row.remarks)
        if row.tag?.isConstructed == true || !row.rows.isEmpty {
            members.append(Member("objects", .array(row.rows.map { JSONValue(row: $0) })))
        }
        self = .object(members)
    }
}
