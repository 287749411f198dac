import EMVData
import Octets
import Testing

@Suite("Magnetic stripe tracks")
struct TrackTests {
    @Test(
        "A malformed track 2 is refused where it breaks",
        arguments: [
            ("", .missingSeparator, 0), ("4761739001010010", .missingSeparator, 8),
            ("4761739001010010C22122010", .missingSeparator, 8),
            ("4761739D22122010", .invalidAccountNumber, 0),
            ("47617390010100101234D2212201", .invalidAccountNumber, 0),
            ("4761739001010010D22122", .truncated, 11), ("4761739001010010D221220", .truncated, 12),
            ("4761739001010010D221320100", .invalidDate, 9),
            ("4761739001010010D220020100", .invalidDate, 9),
            ("4761739001010010D2A1220100", .notADigit, 9),
            ("4761739001010010D2212201D0", .notADigit, 12),
            ("4761739001010010D2212201FFFF", .notADigit, 12),
            ("4761739001010010D22122010000000000000000", .wrongLength, 19),
        ] as [(String, EMVDataError.Reason, Int)]
    )
    func malformed(text: String, reason: EMVDataError.Reason, offset: Int) throws {
        let bytes = try [UInt8](hex: text.count.isMultiple(of: 2) ? text : text + "F")
        #expect(throws: EMVDataError(reason, at: offset)) { try Track2(parsing: bytes) }
    }

    @Test("A track 2 cut anywhere before its service code ends is refused")
    func prefixes() throws {
        let bytes = try [UInt8](hex: "4761739001010010D22122011143804400000F")
        for count in 0..<12 {
            #expect(throws: EMVDataError.self) { try Track2(parsing: Array(bytes.prefix(count))) }
        }
        for count in 12...bytes.count {
            let track = try Track2(parsing: Array(bytes.prefix(count)))
            #expect(track.serviceCode == [2, 0, 1])
        }
    }

    @Test(
        "A malformed track 1 is refused where it breaks",
        arguments: [
            ("", .missingSeparator, 0), ("A4761739001010010^DOE^2212201", .missingSeparator, 0),
            ("B4761739001010010", .missingSeparator, 17),
            ("B4761739001010010^DOE", .missingSeparator, 21),
            ("B476173900101001X^DOE^2212201", .invalidAccountNumber, 1),
            ("B4761739001010010^DOE^221220", .truncated, 28),
            ("B4761739001010010^DOE^22A2201", .notADigit, 24),
            ("B4761739001010010^DOE^2213201", .invalidDate, 24),
            ("B4761739001010010^DOE^2212201" + String(repeating: "0", count: 48), .wrongLength, 76),
        ] as [(String, EMVDataError.Reason, Int)]
    )
    func malformedTrack1(text: String, reason: EMVDataError.Reason, offset: Int) {
        #expect(throws: EMVDataError(reason, at: offset)) { try Track1(parsing: Array(text.utf8)) }
    }
}
