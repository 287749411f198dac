import EMVData
import Testing

@Suite("Currencies")
struct CurrencyTests {
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
