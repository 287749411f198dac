import Octets
import Testing

@Suite("Packed digits")
struct PackedDigitsTests {
    @Test(
        "Format n is right justified with zeros before",
        arguments: [
            ([], 1, [0x00]),
            ([5], 1, [0x05]),
            ([1, 2, 3], 2, [0x01, 0x23]),
            ([9, 7, 8], 3, [0x00, 0x09, 0x78]),
            ([1, 2, 3], 1, nil),
        ] as [([UInt8], Int, [UInt8]?)]
    )
    func numeric(digits: [UInt8], byteCount: Int, packed: [UInt8]?) {
        #expect(PackedDigits.numeric(digits, byteCount: byteCount) == packed)
    }

    @Test(
        "Format cn is left justified with F behind",
        arguments: [
            ([], 1, [0xFF]),
            ([5], 1, [0x5F]),
            ([1, 2, 3], 2, [0x12, 0x3F]),
            ([1, 2, 3, 4, 5], 4, [0x12, 0x34, 0x5F, 0xFF]),
            ([1, 2, 3], 1, nil),
        ] as [([UInt8], Int, [UInt8]?)]
    )
    func compressed(digits: [UInt8], byteCount: Int, packed: [UInt8]?) {
        #expect(PackedDigits.compressed(digits, byteCount: byteCount) == packed)
    }

    @Test(
        "Numbers of format n are read up to what a UInt64 holds",
        arguments: [
            ("", 0), ("00", 0), ("0123", 123), ("000000001234", 1234),
            ("18446744073709551615", .max), ("18446744073709551616", nil),
            ("0A", nil), ("F0", nil), ("99999999999999999999", nil),
        ] as [(String, UInt64?)]
    )
    func number(packed: String, number: UInt64?) throws {
        #expect(try PackedDigits.number([UInt8](hex: packed)) == number)
    }

    @Test(
        "Numbers are written when their digits fit",
        arguments: [
            (0, 1, "00"), (99, 1, "99"), (100, 1, nil), (123_456, 6, "000000123456"),
            (.max, 10, "18446744073709551615"), (.max, 9, nil),
        ] as [(UInt64, Int, String?)]
    )
    func writesNumber(number: UInt64, byteCount: Int, packed: String?) {
        #expect(PackedDigits.numeric(number, byteCount: byteCount)?.hex == packed)
    }

    @Test("Text is digits or nothing")
    func text() {
        #expect(PackedDigits.digits(of: "0190") == [0, 1, 9, 0])
        #expect(PackedDigits.digits(of: "") == [])
        #expect(PackedDigits.digits(of: "12 3") == nil)
        #expect(PackedDigits.digits(of: "-1") == nil)
        #expect(PackedDigits.digits(of: "１") == nil)
    }

    @Test("Nibbles packed again are the bytes they came from")
    func nibbles() {
        let bytes: [UInt8] = [0x54, 0x13, 0xD2, 0x0F]
        #expect(PackedDigits.nibbles(bytes) == [5, 4, 1, 3, 0xD, 2, 0, 0xF])
        #expect(PackedDigits.pack(PackedDigits.nibbles(bytes)) == bytes)
        #expect(PackedDigits.pack([1, 2, 3]) == [0x12, 0x3F])
        #expect(PackedDigits.pack([]) == [])
    }
}
