import ISO7816
import Octets
import Testing

@Suite("Response APDUs and status words")
struct ResponseAPDUTests {
    @Test(
        "A response is its data and two bytes of status",
        arguments: [
            ("9000", "", 0x9000), ("6A82", "", 0x6A82), ("6F00840100", "6F0084", 0x0100),
        ]
    )
    func reads(text: String, body: String, status: UInt16) throws {
        let bytes = try [UInt8](hex: text)
        let response = try ResponseAPDU(parsing: bytes)
        #expect(response.body.hex == body)
        #expect(response.status == StatusWord(rawValue: status))
        #expect(response.bytes == bytes)
    }

    @Test("A response has at least two bytes")
    func tooShort() {
        #expect(throws: APDUError.tooShort(count: 0)) { try ResponseAPDU(parsing: []) }
        #expect(throws: APDUError.tooShort(count: 1)) { try ResponseAPDU(parsing: [0x90]) }
    }

    @Test("A status word nobody knows survives")
    func unknownStatus() throws {
        #expect(try ResponseAPDU(parsing: [0x63, 0xC2]).status.rawValue == 0x63C2)
    }

    @Test("A status word is appended high byte first")
    func appendsStatus() {
        let bytes = [UInt8](capacity: 2) { (output: inout OutputSpan<UInt8>) in
            output.append(StatusWord.fileNotFound)
        }
        #expect(bytes == [0x6A, 0x82])
    }

    @Test(
        "Only the classes without secure messaging are known",
        arguments: [
            (0x00A4, true), (0x80A8, true), (0x04DA, false), (0x84DA, false), (0xFFCA, false),
            (0x01A4, false),
        ] as [(UInt16, Bool)]
    )
    func classes(code: UInt16, isKnown: Bool) {
        #expect(CommandCode(rawValue: code).hasKnownClass == isKnown)
    }
}
