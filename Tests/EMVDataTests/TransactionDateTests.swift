import EMVData
import Octets
import Testing

@Suite("Dates")
struct TransactionDateTests {
    // The first three: openemv/emv-utils tools/CMakeLists.txt, emv_decode_test3.
    @Test(
        "Two digits of a year are of this century up to 49",
        arguments: [
            ("221215", "2022-12-15"), ("491231", "2049-12-31"), ("500101", "1950-01-01"),
            ("000229", "2000-02-29"), ("991231", "1999-12-31"),
        ]
    )
    func century(text: String, iso: String) throws {
        let bytes = try [UInt8](hex: text)
        let date = try #require(TransactionDate(bytes: bytes))
        #expect(date.description == iso)
        #expect(date.bytes == bytes)
        #expect(TransactionDate(text: iso) == date)
    }

    @Test(
        "Bytes that are no date are none",
        arguments: [
            "", "2612", "26123101", "261301", "260001", "261200", "261232", "2612A1", "F61201",
        ]
    )
    func refusesBytes(text: String) throws {
        #expect(try TransactionDate(bytes: [UInt8](hex: text)) == nil)
    }

    @Test("A card may end any month with the 31st")
    func endOfMonth() {
        #expect(TransactionDate(bytes: [0x26, 0x02, 0x31])?.description == "2026-02-31")
    }

    @Test(
        "Text is a day of the calendar or nothing",
        arguments: [
            ("2026-11-30", true), ("2024-02-29", true), ("2000-02-29", true),
            ("2025-02-29", false), ("2026-11-31", false), ("2026-00-10", false),
            ("2026-13-01", false),
            ("2026-1-01", false), ("26-11-30", false), ("2026/11/30", false),
            ("2026-11-30T", false),
            ("", false), ("--", false), ("2026-11-3０", false), ("1949-12-31", false),
            ("2050-01-01", false), (" 2026-11-30", false), ("+202-11-30", false),
        ]
    )
    func text(text: String, isDate: Bool) {
        #expect((TransactionDate(text: text) != nil) == isDate)
    }

    @Test("Dates are ordered by calendar, across the century too")
    func order() throws {
        let dates = try ["500101", "991231", "000101", "261130", "261201", "270101", "491231"].map {
            try #require(TransactionDate(bytes: [UInt8](hex: $0)))
        }
        #expect(dates == dates.sorted())
        #expect(!(dates[0] < dates[0]))
    }
}
