import EMVData
import Octets
import Testing

@Suite("Application file locators")
struct ApplicationFileLocatorTests {
    // EMV Book 3, 10.2.
    @Test(
        "Each rule is checked at its byte",
        arguments: [
            ("09010100", .invalidFileIdentifier, 0), ("00010100", .invalidFileIdentifier, 0),
            ("F8010100", .invalidFileIdentifier, 0), ("08000100", .invalidRecordRange, 1),
            ("08020100", .invalidRecordRange, 2), ("08010102", .invalidRecordRange, 3),
            ("0801010110000101", .invalidRecordRange, 5), ("", .wrongLength, 0),
            ("080101", .wrongLength, 3), ("0801010010", .wrongLength, 5),
        ] as [(String, EMVDataError.Reason, Int)]
    )
    func rules(text: String, reason: EMVDataError.Reason, offset: Int) throws {
        let bytes = try [UInt8](hex: text)
        #expect(throws: EMVDataError(reason, at: offset)) {
            try ApplicationFileLocator(parsing: bytes)
        }
    }

    @Test(
        "The largest identifiers and ranges are read",
        arguments: [
            "F001FF00", "0801FFFF", "08FFFF01", "F0FFFF00",
        ]
    )
    func boundaries(text: String) throws {
        #expect(try ApplicationFileLocator(parsing: [UInt8](hex: text)).bytes.hex == text)
    }

    @Test("63 ranges are read, 64 are not")
    func longest() throws {
        let ranges = Array(repeating: [0x08, 0x01, 0x01, 0x00] as [UInt8], count: 63)
        #expect(try ApplicationFileLocator(parsing: ranges.flatMap(\.self)).records.count == 63)
        let tooMany = (ranges + [[0x08, 0x01, 0x01, 0x00]]).flatMap(\.self)
        #expect(throws: EMVDataError(.wrongLength, at: 256)) {
            try ApplicationFileLocator(parsing: tooMany)
        }
    }

    @Test("Records are listed in the order they are read, the authenticated ones first")
    func records() throws {
        let locator = try ApplicationFileLocator(parsing: [UInt8](hex: "10010301180202 00"))
        #expect(
            locator.records.map { [$0.shortFileIdentifier, $0.number, $0.isAuthenticated ? 1 : 0] }
                == [[2, 1, 1], [2, 2, 0], [2, 3, 0], [3, 2, 0]]
        )
        // READ RECORD 1 of file 2 is 00 B2 01 14.
        #expect(locator.records.first?.readRecordParameters == 0x0114)
    }
}
