import EMVData
import TestSupport
import Testing

private struct Expected: Decodable, Sendable {
    var numeric: UInt16
    var exponent: Int
}

private typealias Published = VectorFile<NoParameters, String, Expected>

@Suite("Currencies")
struct CurrencyTests {
    @Test(
        "Codes and decimals are ISO 4217's",
        arguments: try Published.load("currencies").groups.flatMap(\.cases)
    )
    private func published(_ vector: VectorCase<String, Expected>) throws {
        let currency = try #require(Currency(alphabetic: vector.input))
        #expect(currency.rawValue == vector.expected.numeric)
        #expect(currency.exponent == vector.expected.exponent)
        #expect(Currency(rawValue: vector.expected.numeric).alphabetic == vector.input)
    }

    @Test(
        "Letters are read in either case, and nothing else is a currency",
        arguments: [
            ("EUR", 978), ("eur", 978), ("Usd", 840), ("UYW", 927),
            ("", nil), ("EU", nil), ("EURO", nil), ("978", nil), ("€", nil), ("XAU", nil),
            ("XXX", nil),
        ] as [(String, UInt16?)]
    )
    func letters(text: String, numeric: UInt16?) {
        #expect(Currency(alphabetic: text)?.rawValue == numeric)
    }

    @Test(
        "The value of 5F2A is three digits in two bytes",
        arguments: [
            ([0x09, 0x78], 978), ([0x00, 0x08], 8), ([0x08, 0x40], 840),
            ([0x19, 0x78], nil), ([0x0A, 0x78], nil), ([0x78], nil), ([0x00, 0x09, 0x78], nil),
        ] as [([UInt8], UInt16?)]
    )
    func bytes(bytes: [UInt8], numeric: UInt16?) {
        let currency = Currency(bytes: bytes)
        #expect(currency?.rawValue == numeric)
        if let currency { #expect(currency.bytes == bytes) }
    }

    @Test("A code nobody knows survives and prints as digits")
    func unknown() {
        let currency = Currency(rawValue: 1)
        #expect(currency.alphabetic == nil)
        #expect(currency.description == "001")
        #expect(currency.exponent == 2)
    }
}
