import BERTLV
import EMVData
import Octets
import TestSupport
import Testing

/// The PDOL of a Visa card, which most tests here are about.
private let visaList = "9F66049F02069F03069F1A0295055F2A029A039C019F3704"

@Suite("Data object lists")
struct DataObjectListTests {
    // EMV Book 3, 5.4, step 2; one row for each of its rules.
    @Test(
        "Values are brought to the length asked for",
        arguments: [
            (Tag.amountAuthorised, "000000001234", 6, "000000001234"),
            (.amountAuthorised, "000000001234", 3, "001234"),
            (.amountAuthorised, "000000001234", 8, "0000000000001234"),
            (.terminalCountryCode, "0250", 4, "00000250"),
            (.applicationPAN, "541333008902001F", 10, "541333008902001FFFFF"),
            (.applicationPAN, "541333008902001F", 5, "5413330089"),
            (.terminalVerificationResults, "8000048000", 3, "800004"),
            (.terminalVerificationResults, "8000048000", 7, "80000480000000"),
            (.merchantNameAndLocation, "53484F50", 6, "53484F500000"),
            (.unpredictableNumber, "DEADBEEF", 0, ""),
            (.applicationPAN, "", 4, "00000000"),
            (Tag(rawValue: 0xDF79), "0102", 3, "010200"),
        ] as [(Tag, String, Int, String)]
    )
    func fits(tag: Tag, value: String, length: Int, expected: String) throws {
        let fitted = DataObjectList.fit(try [UInt8](hex: value), of: tag, to: length)
        #expect(fitted.hex == expected)
    }

    @Test("What is unknown, or a template, is answered with zeros")
    func unknown() throws {
        let list = try DataObjectList(parsing: [UInt8](hex: "9F660470029F3704"))
        let filled = list.fill { tag in tag == .unpredictableNumber ? [1, 2, 3, 4] : nil }
        #expect(filled.hex == "00000000" + "0000" + "01020304")
        #expect(list.fill { _ in [0xAA, 0xBB, 0xCC, 0xDD] }.hex == "AABBCCDD0000AABBCCDD")
    }

    // russss/python-emv#22: a card that asks for 9A twice got an answer three bytes short.
    @Test("A tag asked for twice is answered twice")
    func duplicates() throws {
        let list = try DataObjectList(parsing: [UInt8](hex: "9A039F37049A03"))
        #expect(list.entries.count == 3)
        #expect(list.count == 10)
        let filled = list.fill { $0 == .transactionDate ? [0x26, 0x11, 0x30] : nil }
        #expect(filled.hex == "26113000000000261130")
    }

    @Test("An answer is split into the objects asked for")
    func splits() throws {
        let list = try DataObjectList(parsing: [UInt8](hex: "9F02069A03"))
        let filled = try [UInt8](hex: "000000001234261130")
        #expect(
            list.split(filled) == [
                TLV(.amountAuthorised, [0, 0, 0, 0, 0x12, 0x34]),
                TLV(.transactionDate, [0x26, 0x11, 0x30]),
            ]
        )
        #expect(list.split(Array(filled.dropLast())) == nil)
        #expect(list.split(filled + [0]) == nil)
        #expect(try DataObjectList(parsing: []).split([]) == [])
    }

    @Test("A list cut inside an entry is refused at that entry")
    func prefixes() throws {
        let bytes = try [UInt8](hex: visaList)
        let list = try DataObjectList(parsing: bytes)
        var starts: [Int] = []
        for entry in list.entries { starts.append((starts.last ?? 0) + entry.tag.byteCount + 1) }
        for count in 0...bytes.count {
            let prefix = Array(bytes.prefix(count))
            if count == 0 || starts.contains(count) {
                _ = try DataObjectList(parsing: prefix)
            } else {
                let start = starts.last { $0 < count } ?? 0
                #expect(throws: EMVDataError(.malformedList, at: start)) {
                    try DataObjectList(parsing: prefix)
                }
            }
        }
    }

    @Test(
        "A length is one byte, whatever it would be to BER",
        arguments: [
            ("9F0200", 0), ("9F027F", 127), ("9F0280", 128), ("9F0281", 129), ("9F0282", 130),
            ("9F02A0", 160), ("9F02FF", 255), ("9F028180", nil), ("9F0281FF", nil),
        ] as [(String, Int?)]
    )
    func lengths(text: String, length: Int?) throws {
        let bytes = try [UInt8](hex: text)
        guard let length else {
            #expect(throws: EMVDataError(.malformedList, at: 3)) {
                try DataObjectList(parsing: bytes)
            }
            return
        }
        let list = try DataObjectList(parsing: bytes)
        #expect(list.entries == [.init(.amountAuthorised, length)])
        #expect(list.bytes == bytes)
    }

    @Test("Random bytes are a list that can be filled, or a typed error")
    func randomBytes() {
        var generator = SeededGenerator()
        for _ in 0..<1000 {
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            guard let list = try? DataObjectList(parsing: bytes) else { continue }
            #expect(list.fill { _ in [1, 2, 3] }.count == list.count, "\(generator), \(bytes.hex)")
        }
    }
}
