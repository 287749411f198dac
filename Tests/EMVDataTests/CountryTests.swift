import EMVData
import Testing

@Suite("Countries")
struct CountryTests {
    @Test(
        "The value of 9F1A is three digits in two bytes",
        arguments: [
            ([0x00, 0x56], "Belgium"), ([0x08, 0x40], "United States"),
            ([0x00, 0x04], "Afghanistan"),
            ([0x00, 0x00], nil), ([0x09, 0x99], nil),
        ] as [([UInt8], String?)]
    )
    func bytes(bytes: [UInt8], name: String?) throws {
        #expect(try #require(Country(bytes: bytes)).name == name)
    }

    @Test(
        "Anything else is no code",
        arguments: [[], [0x56], [0x10, 0x56], [0x0A, 0x56], [0, 0, 0x56]]
    )
    func refused(bytes: [UInt8]) { #expect(Country(bytes: bytes) == nil) }
}
