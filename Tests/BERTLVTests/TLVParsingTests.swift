import BERTLV
import Octets
import TestSupport
import Testing

/// A directory as a card sent it: four templates in each other.
private let directory =
    "6F2D840E325041592E5359532E4444463031A51BBF0C1861164F07A0000000031010500B5649534120435245444954"

/// Messages with templates in templates, short and long lengths.
private let messages: [[UInt8]] = [
    (try? [UInt8](hex: directory)) ?? [],
    TLV(
        Tag(rawValue: 0x70),
        [
            TLV(Tag(rawValue: 0x90), [UInt8](repeating: 0x9F, count: 128)),
            TLV(Tag(rawValue: 0x8F), [0x92]),
        ]
    ).encoded,
]

@Suite("Reading BER-TLV objects")
struct TLVParsingTests {
    @Test(
        "A message cut anywhere inside an object is refused",
        arguments: [
            "6F1C8407A0000000041010A511500F505043204D43442030342020763230",
            "770E8202390094081801020120020400",
            directory, "70078F01949F320103",
            "9F1A820100" + String(repeating: "00", count: 256),
        ]
    )
    func refusesEveryPrefix(text: String) throws {
        let bytes = try [UInt8](hex: text)
        #expect(try TLV.parse(bytes).flatMap(\.encoded) == bytes)
        for count in 1..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            #expect(throws: TLVError.self, "cut to \(count) bytes") { try TLV.parse(prefix) }
        }
    }

    @Test("A byte too many is padding when zero, and the start of another object otherwise")
    func oneByteTooMany() throws {
        let object: [UInt8] = [0x9F, 0x27, 0x01, 0x80]
        let expected = [TLV(Tag(rawValue: 0x9F27), [0x80])]
        #expect(try TLV.parse(object + [0x00]) == expected)
        for extra: UInt8 in [0x01, 0x5F, 0x80, 0xFF] {
            let error = #expect(throws: TLVError.self) { try TLV.parse(object + [extra]) }
            #expect(error?.offset == (extra & 0x1F == 0x1F ? 4 : 5))
        }
    }

    @Test(
        "Lengths take the shortest form and come back, at every step of their size",
        arguments: [
            (0, [0x00]), (1, [0x01]), (127, [0x7F]),
            (128, [0x81, 0x80]), (255, [0x81, 0xFF]),
            (256, [0x82, 0x01, 0x00]), (65535, [0x82, 0xFF, 0xFF]),
            (65536, [0x83, 0x01, 0x00, 0x00]),
        ] as [(Int, [UInt8])]
    )
    func lengthBoundaries(count: Int, field: [UInt8]) throws {
        let object = TLV(Tag(rawValue: 0x5A), [UInt8](repeating: 0xA5, count: count))
        let bytes = object.encoded
        #expect(Array(bytes.prefix(1 + field.count)) == [0x5A] + field)
        #expect(bytes.count == 1 + field.count + count)
        #expect(try TLV.parse(bytes) == [object])
        #expect(throws: TLVError.self) { try TLV.parse(Array(bytes.dropLast())) }
    }

    @Test("An object may not run past the end of its template")
    func childOverrun() {
        // The child says three bytes where its template has two left, though the message goes on.
        let bytes: [UInt8] = [0x70, 0x04, 0x5A, 0x03, 0x01, 0x02, 0x5F, 0x34, 0x01, 0x01]
        #expect(throws: TLVError(.truncatedValue, at: 3)) { try TLV.parse(bytes) }
    }

    @Test("Zero bytes before, between and behind objects are passed over")
    func padding() throws {
        let bytes: [UInt8] = [0, 0, 0x70, 0x09, 0, 0x5A, 0x01, 0x12, 0, 0, 0x9C, 0x01, 0, 0, 0]
        #expect(
            try TLV.parse(bytes) == [
                TLV(
                    Tag(rawValue: 0x70),
                    [
                        TLV(Tag(rawValue: 0x5A), [0x12]),
                        TLV(Tag(rawValue: 0x9C), [0x00]),
                    ]
                )
            ]
        )
        #expect(try TLV.parse([0, 0, 0]) == [])
    }

    @Test("A template that holds something else than objects is refused where it breaks")
    func templateOfOtherBytes() {
        #expect(throws: TLVError(.truncatedLength, at: 3)) { try TLV.parse([0x77, 0x01, 0x82]) }
        #expect(throws: TLVError(.unsupportedLength, at: 3)) {
            try TLV.parse([0x77, 0x02, 0x82, 0x84])
        }
    }

    @Test("Tags of one to four bytes are read, longer ones refused")
    func tagLengths() throws {
        for number: UInt32 in [0x5A, 0x9F36, 0xDF8129, 0xDF81_8201] {
            let tag = Tag(rawValue: number)
            #expect(try TLV.parse(tag.bytes + [0x01, 0xFF]) == [TLV(tag, [0xFF])])
        }
        #expect(throws: TLVError(.tagTooLong, at: 0)) {
            try TLV.parse([0x9F, 0x81, 0x81, 0x81, 0x01, 0x00])
        }
    }

    @Test("Templates lie in each other eight deep, not nine")
    func nesting() throws {
        func nested(_ depth: Int) -> [UInt8] {
            (0..<depth).reduce([0x5A, 0x01, 0x12]) { inner, _ in
                [0xE1, UInt8(inner.count)] + inner
            }
        }
        #expect(try TLV.parse(nested(8)).count == 1)
        #expect(throws: TLVError(.nestedTooDeeply, at: 16)) { try TLV.parse(nested(9)) }
    }

    @Test("A message of more objects than anything in EMV holds is refused")
    func objectCount() throws {
        let most = [UInt8](repeating: 0x5A, count: 1) + [0x00]
        let bytes = Array(repeating: most, count: 4096).flatMap(\.self)
        #expect(try TLV.parse(bytes).count == 4096)
        #expect(throws: TLVError(.tooManyObjects, at: 8192)) { try TLV.parse(bytes + most) }
    }

    @Test("One object alone is read, none and two are not")
    func parseOne() throws {
        #expect(try TLV.parseOne([0x9C, 0x01, 0x20]).value == [0x20])
        #expect(throws: TLVError.self) { try TLV.parseOne([]) }
        #expect(throws: TLVError.self) { try TLV.parseOne([0x9C, 0x00, 0x9C, 0x00]) }
    }

    @Test("An object is found wherever it lies, the first of its tag")
    func findsObjects() throws {
        let objects = try TLV.parse(messages[0])
        #expect(TLV.first(Tag(rawValue: 0x50), in: objects)?.value == Array("VISA CREDIT".utf8))
        #expect(TLV.first(Tag(rawValue: 0x9F38), in: objects) == nil)
    }

    @Test("Random bytes are objects that can be written again, or a typed error")
    func randomBytes() {
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...64, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            guard let objects = try? TLV.parse(bytes) else { continue }
            #expect(
                (try? TLV.parse(objects.flatMap(\.encoded))) == objects,
                "\(generator), \(bytes.hex)"
            )
        }
    }

    @Test("Messages with one byte changed never trap")
    func changedBytes() {
        for message in messages {
            for index in message.indices {
                for byte: UInt8 in [0x00, 0x7F, 0x80, 0x81, 0x83, 0x84, 0xFF] {
                    var changed = message
                    changed[index] = byte
                    _ = try? TLV.parse(changed)
                }
            }
        }
    }
}
