import Octets
import Testing

@Suite("Hexadecimal text")
struct HexTests {
    @Test(
        "Bytes read from text are written back upper case",
        arguments: [
            ("", [], ""),
            ("00", [0x00], "00"),
            ("fF", [0xFF], "FF"),
            ("9f36", [0x9F, 0x36], "9F36"),
            (" 9F 36 02 ", [0x9F, 0x36, 0x02], "9F3602"),
        ] as [(String, [UInt8], String)]
    )
    func readsBytes(text: String, bytes: [UInt8], written: String) throws {
        #expect(try [UInt8](hex: text) == bytes)
        #expect(bytes.hex == written)
    }

    @Test("Every byte survives the way through text")
    func everyByte() throws {
        let bytes = (UInt8.min...UInt8.max).map(\.self)
        #expect(try [UInt8](hex: bytes.hex) == bytes)
    }

    @Test(
        "Text that is not hexadecimal is refused where it breaks",
        arguments: [
            ("9", .oddDigitCount(1)),
            ("9F3", .oddDigitCount(3)),
            ("9 F", .notADigit(offset: 1)),
            ("9G", .notADigit(offset: 1)),
            ("0x9F", .notADigit(offset: 1)),
            ("9F-36", .notADigit(offset: 2)),
            ("9F\n", .notADigit(offset: 2)),
            ("é0", .notADigit(offset: 0)),
        ] as [(String, HexError)]
    )
    func refusesText(text: String, error: HexError) {
        #expect(throws: error) { try [UInt8](hex: text) }
    }

    @Test(
        "Numbers are written two digits to a byte",
        arguments: [
            (UInt16(0x9000).hex, "9000"), (UInt16(1).hex, "0001"), (UInt8(0).hex, "00"),
            (UInt32(0xDEAD_BEEF).hex, "DEADBEEF"), (UInt64.max.hex, "FFFFFFFFFFFFFFFF"),
        ]
    )
    func writesNumbers(written: String, expected: String) {
        #expect(written == expected)
    }
}
