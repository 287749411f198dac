import BERTLV
import Octets
import TestSupport
import Testing

/// The cases of `Vectors/ber-tlv.json`; inputs and results differ in shape, so each group has its own types.
private enum Published {
    private struct File: Decodable {
        struct Group: Decodable {
            struct Parameters: Decodable { var of: String }
            var parameters: Parameters
            var cases: [Case]
        }
        var groups: [Group]
    }

    typealias Case = VectorCase<Input, Expected>

    /// Encoded bytes, or the objects to encode.
    enum Input: Decodable, Sendable {
        case bytes([UInt8])
        case objects([Object])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let objects = try? container.decode([Object].self) {
                self = .objects(objects)
            } else {
                self = .bytes(try container.decode(HexBytes.self).bytes)
            }
        }
    }

    /// What the source says comes out.
    enum Expected: Decodable, Sendable {
        case objects([Object])
        case bytes([UInt8])
        case error(String)
        case isTag(Bool)
        case count(Int)

        private struct Failure: Decodable { var error: String }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let objects = try? container.decode([Object].self) {
                self = .objects(objects)
            } else if let failure = try? container.decode(Failure.self) {
                self = .error(failure.error)
            } else if let isTag = try? container.decode(Bool.self) {
                self = .isTag(isTag)
            } else if let count = try? container.decode(Int.self) {
                self = .count(count)
            } else if (try? container.decode([String: String].self)) == [:] {
                self = .isTag(false)
            } else {
                self = .bytes(try container.decode(HexBytes.self).bytes)
            }
        }
    }

    struct Object: Decodable, Sendable {
        var tag: HexBytes
        var value: HexBytes?
        var objects: [Object]?

        var tlv: TLV {
            get throws {
                let tag = try #require(Tag(bytes: tag.bytes))
                guard let objects else { return TLV(tag, try #require(value).bytes) }
                return TLV(tag, try objects.map { try $0.tlv })
            }
        }
    }

    static func cases(of kind: String) throws -> [Case] {
        try RepositoryFile.json("Vectors/ber-tlv.json", as: File.self).groups
            .filter { $0.parameters.of == kind }.flatMap(\.cases)
    }
}

extension TLVError.Reason {
    /// Which part the published tests blame.
    fileprivate var part: String {
        switch self {
        case .truncatedTag, .tagTooLong: "tag"
        case .truncatedLength: "length"
        case .unsupportedLength: "form"
        case .truncatedValue, .pastTemplate: "value"
        case .nestedTooDeeply, .tooManyObjects: "limit"
        case .duplicate, .filling: "content"
        }
    }
}

@Suite("Published BER-TLV objects")
struct PublishedObjectsTests {
    @Test("Objects are read as published", arguments: try Published.cases(of: "objects"))
    private func reads(_ vector: Published.Case) throws {
        guard case .bytes(let input) = vector.input, case .objects(let objects) = vector.expected
        else { return try #require(Bool(false), "the case has another shape") }
        #expect(try TLV.parse(input) == objects.map { try $0.tlv })
    }

    @Test("Objects are written as published", arguments: try Published.cases(of: "encoding"))
    private func writes(_ vector: Published.Case) throws {
        guard case .objects(let objects) = vector.input else {
            return try #require(Bool(false), "the case has another shape")
        }
        // The empty list is written as no bytes at all, which reads as no objects.
        let expected: [UInt8] = if case .bytes(let bytes) = vector.expected { bytes } else { [] }
        #expect(try objects.flatMap { try $0.tlv.encoded } == expected)
    }

    @Test(
        "Malformed objects are refused for the published reason",
        arguments: try Published.cases(of: "malformed")
    )
    private func refuses(_ vector: Published.Case) throws {
        guard case .bytes(let input) = vector.input, case .error(let part) = vector.expected else {
            return try #require(Bool(false), "the case has another shape")
        }
        let error = #expect(throws: TLVError.self) { try TLV.parse(input) }
        #expect(error?.reason.part == part)
    }

    @Test(
        "Zeros that fill a template are no objects",
        arguments: try Published.cases(of: "padding")
    )
    private func skipsPadding(_ vector: Published.Case) throws {
        guard case .bytes(let input) = vector.input, case .count(let count) = vector.expected else {
            return try #require(Bool(false), "the case has another shape")
        }
        let objects = try TLV.parse(input)
        #expect(objects.count == 2)
        #expect(objects.last?.objects.count == count)
    }

    @Test("A tag is a tag when published as one", arguments: try Published.cases(of: "tag"))
    private func readsTags(_ vector: Published.Case) throws {
        guard case .bytes(let input) = vector.input, case .isTag(let isTag) = vector.expected else {
            return try #require(Bool(false), "the case has another shape")
        }
        let tag = Tag(bytes: input)
        #expect((tag != nil) == isTag)
        if let tag { #expect(tag.bytes == input) }
    }
}
