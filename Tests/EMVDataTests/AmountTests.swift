import EMVData
import Octets
import TestSupport
import Testing

@Suite("Amounts")
struct AmountTests {
    @Test(
        "An amount is read in its currency's main unit",
        arguments: [
            ("12.34", Currency.eur, 1234), ("12", .eur, 1200), ("12.3", .eur, 1230), ("0", .eur, 0),
            ("0.01", .eur, 1), ("007.00", .eur, 700), ("1500", .jpy, 1500),
            ("1.234", Currency(rawValue: 414), 1234), ("1.2345", Currency(rawValue: 990), 12345),
            ("9999999999.99", .eur, 999_999_999_999), ("999999999999", .jpy, 999_999_999_999),
        ] as [(String, Currency, UInt64)]
    )
    func reads(text: String, currency: Currency, minorUnits: UInt64) throws {
        #expect(try Amount(parsing: text, currency: currency).minorUnits == minorUnits)
    }

    @Test(
        "What is not an amount of the currency is refused where it breaks",
        arguments: [
            ("", Currency.eur, .notAnAmount, 0), ("-1", .eur, .notAnAmount, 0),
            ("+1", .eur, .notAnAmount, 0), (" 1", .eur, .notAnAmount, 0),
            ("1 ", .eur, .notAnAmount, 1),
            (".", .eur, .notAnAmount, 0), (".5", .eur, .notAnAmount, 0),
            ("1.", .eur, .notAnAmount, 2),
            ("1,50", .eur, .notAnAmount, 1), ("1.2.3", .eur, .notAnAmount, 3),
            ("1e3", .eur, .notAnAmount, 1), ("0x10", .eur, .notAnAmount, 1),
            ("１２", .eur, .notAnAmount, 0), ("NaN", .eur, .notAnAmount, 0),
            ("1.234", .eur, .tooManyDecimals, 4), ("1.000", .eur, .tooManyDecimals, 4),
            ("1.5", .jpy, .tooManyDecimals, 1), ("1.0", .jpy, .tooManyDecimals, 1),
            ("10000000000.00", .eur, .amountTooLarge, 13),
            ("10000000000", .eur, .amountTooLarge, 11),
            ("1000000000000", .jpy, .amountTooLarge, 12),
            ("99999999999999999999999999999999", .eur, .amountTooLarge, 12),
        ] as [(String, Currency, EMVDataError.Reason, Int)]
    )
    func refuses(text: String, currency: Currency, reason: EMVDataError.Reason, offset: Int) {
        #expect(throws: EMVDataError(reason, at: offset)) {
            try Amount(parsing: text, currency: currency)
        }
    }

    @Test(
        "An amount is written with its currency's decimals",
        arguments: [
            (1234, Currency.eur, "12.34 EUR"), (5, .eur, "0.05 EUR"), (0, .usd, "0.00 USD"),
            (1500, .jpy, "1500 JPY"), (7, Currency(rawValue: 414), "0.007 KWD"),
            (100, Currency(rawValue: 1), "1.00 001"),
        ] as [(UInt64, Currency, String)]
    )
    func writes(minorUnits: UInt64, currency: Currency, text: String) {
        #expect(Amount(minorUnits: minorUnits, currency: currency)?.description == text)
    }

    @Test(
        "The value of 9F02 is twelve digits",
        arguments: [
            (0, "000000000000"), (1234, "000000001234"), (999_999_999_999, "999999999999"),
        ] as [(UInt64, String)]
    )
    func numeric(minorUnits: UInt64, text: String) throws {
        let bytes = try [UInt8](hex: text)
        #expect(Amount(minorUnits: minorUnits, currency: .eur)?.numeric == bytes)
        #expect(Amount(numeric: bytes, currency: .eur)?.minorUnits == minorUnits)
    }

    @Test("Thirteen digits are no amount, nor are bytes that are not digits")
    func limits() {
        #expect(Amount(minorUnits: 1_000_000_000_000, currency: .eur) == nil)
        #expect(Amount(minorUnits: .max, currency: .eur) == nil)
        #expect(Amount(numeric: [0, 0, 0, 0, 0, 0x0A], currency: .eur) == nil)
        #expect(Amount(numeric: [0, 0, 0, 0, 0x12], currency: .eur) == nil)
        #expect(Amount(numeric: [0, 0, 0, 0, 0, 0, 0x12], currency: .eur) == nil)
    }

    @Test("Every amount of two decimals comes back from its text")
    func roundTrip() throws {
        var generator = SeededGenerator()
        for _ in 0..<500 {
            let minorUnits = UInt64.random(in: 0..<1_000_000_000_000, using: &generator)
            let amount = try #require(Amount(minorUnits: minorUnits, currency: .gbp))
            let again = try? Amount(parsing: amount.decimalText, currency: .gbp)
            #expect(again == amount, "\(generator)")
        }
    }
}
