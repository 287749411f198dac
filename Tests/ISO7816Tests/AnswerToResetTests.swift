import ISO7816
import Octets
import Testing

@Suite("Answer to reset")
struct AnswerToResetTests {
    /// Answers of cards and readers in the field, as the public ATR list of pcsc-tools has them.
    static let samples: [(hex: String, interface: AnswerToReset.Interface, historical: String)] = [
        // MIFARE Classic 1K behind a PC/SC reader.
        (
            "3B8F8001804F0CA000000306030001000000006A", .contactlessStorage,
            "804F0CA00000030603000100000000"
        ),
        // JCOP 31 through its contactless interface.
        ("3B8980014A434F5033315632324A", .contactless, "4A434F503331563232"),
        // A contactless card of type B, of whose ATQB eight bytes stand there (PC/SC part 3, 3.1.3.2.3.1).
        ("3B88800100000000338181003A", .contactless, "0000000033818100"),
        // A contactless card without historical bytes.
        ("3B80800101", .contactless, ""),
        // A bank card with contacts, T=0 alone and therefore without TCK.
        (
            "3B6E00000031807186650164022232809000", .contact, "0031807186650164022232809000"
        ),
    ]

    @Test("Known answers are taken apart", arguments: samples)
    func known(hex: String, interface: AnswerToReset.Interface, historical: String) throws {
        let answer = try AnswerToReset(parsing: [UInt8](hex: hex))
        #expect(answer.interface == interface)
        #expect(answer.historicalBytes.hex == historical)
    }

    @Test("Every proper prefix and one byte too many are refused", arguments: samples)
    func prefixes(hex: String, interface: AnswerToReset.Interface, historical: String) throws {
        let bytes = try [UInt8](hex: hex)
        for count in 0..<bytes.count {
            #expect(throws: AnswerToReset.Failure.self) {
                try AnswerToReset(parsing: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: AnswerToReset.Failure.excessBytes(offset: bytes.count)) {
            try AnswerToReset(parsing: bytes + [0])
        }
    }

    @Test("A wrong check character is refused")
    func checkCharacter() throws {
        #expect(throws: AnswerToReset.Failure.checkCharacter) {
            try AnswerToReset(parsing: [0x3B, 0x80, 0x80, 0x01, 0x00])
        }
    }

    @Test("An answer made for a contactless card reads back", arguments: [0, 1, 14, 15])
    func contactless(historicalCount: Int) throws {
        let historical = (0..<historicalCount).map { UInt8($0) }
        let made = AnswerToReset(contactlessHistoricalBytes: historical)
        #expect(try AnswerToReset(parsing: made.bytes) == made)
        #expect(made.interface == .contactless)
    }
}
