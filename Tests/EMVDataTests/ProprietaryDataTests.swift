import EMVData
import Octets
import Testing

/// Objects whose coding the schemes, or registered identifiers, decide.
@Suite("Proprietary data")
struct ProprietaryDataTests {
    @Test("Third party data are refused where they break")
    func thirdParty() throws {
        // emv-utils, emv_decode_9F6E_test2.
        let bytes = try [UInt8](hex: "0250000330350002000200")
        for count in 0..<7 {
            #expect(throws: EMVDataError(.wrongLength, at: count)) {
                try ThirdPartyData(parsing: Array(bytes.prefix(count)))
            }
        }
        for count in 7...bytes.count {
            let data = try ThirdPartyData(parsing: Array(bytes.prefix(count)))
            #expect(data.country.alphabetic == "FR")
            #expect(data.deviceType == "05")
            #expect(data.proprietaryData == Array(bytes[6..<count]))
            _ = data.parts
        }
        // Without a device type five bytes do.
        let short = try ThirdPartyData(parsing: [0x02, 0x50, 0x80, 0x03, 0x00])
        #expect(short.deviceType == nil)
        #expect(throws: EMVDataError(.wrongLength, at: 4)) {
            try ThirdPartyData(parsing: [0x02, 0x50, 0x80, 0x03])
        }
        #expect(throws: EMVDataError(.notADigit, at: 0)) {
            try ThirdPartyData(parsing: [0x0A, 0x50, 0x80, 0x03, 0x00])
        }
        let longest = bytes + [UInt8](repeating: 0, count: 21)
        #expect(try ThirdPartyData(parsing: longest).proprietaryData.count == 26)
        #expect(throws: EMVDataError(.wrongLength, at: 33)) {
            try ThirdPartyData(parsing: longest + [0])
        }
    }

    @Test("Registered data are refused at the entry that is cut")
    func registered() throws {
        let bytes = try [UInt8](hex: "0001010200030204000002FF")
        let starts = [0, 4, 9]
        for count in 0..<9 {
            let prefix = Array(bytes.prefix(count))
            if starts.contains(count) {
                #expect(
                    try RegisteredData.list(parsing: prefix).count == starts.firstIndex(of: count)
                )
            } else {
                let start = starts.last { $0 < count } ?? 0
                #expect(throws: EMVDataError(.truncated, at: start)) {
                    try RegisteredData.list(parsing: prefix)
                }
            }
        }
        // The last entry says 255 bytes and has none.
        #expect(throws: EMVDataError(.truncated, at: 9)) {
            try RegisteredData.list(parsing: bytes)
        }
        let longest = [0x00, 0x02, 0xFF] + [UInt8](repeating: 7, count: 255)
        #expect(try RegisteredData.list(parsing: longest).first?.value.count == 255)
    }

    @Test(
        "Issuer Authentication Data have 8 to 16 bytes",
        arguments: [(7, nil), (8, 0), (9, 1), (10, nil), (11, 3), (16, 8), (17, nil)]
            as [(Int, Int?)]
    )
    func issuerAuthentication(count: Int, own: Int?) {
        let data = IssuerAuthenticationData(bytes: [UInt8](repeating: 0x30, count: count))
        guard let own else {
            #expect(data?.cardStatusUpdate == nil)
            #expect(data?.responseCode == (count == 10 ? [0x30, 0x30] : nil))
            return
        }
        #expect(data?.cryptogram.count == 4)
        #expect(data?.proprietaryData.count == own)
    }

    @Test("Script results are five bytes each")
    func scriptResults() throws {
        let bytes = try [UInt8](hex: "2000000001" + "1F80000000")
        for count in 0...bytes.count {
            let list = IssuerScriptResult.list(Array(bytes.prefix(count)))
            #expect(list?.count == (count.isMultiple(of: 5) ? count / 5 : nil))
        }
        #expect(
            IssuerScriptResult.list(bytes)?.map(\.description) == [
                "Script 00000001: successful", "Script 80000000: failed at command 15 or later",
            ]
        )
    }

    @Test(
        "Languages are two letters each, one to four of them",
        arguments: [
            ("656E", ["English"]),
            ("656E667264656974", ["English", "French", "German", "Italian"]),
            ("4445", ["German"]), ("7878", ["xx"]), ("", nil), ("65", nil), ("656E66", nil),
            ("656E6672646569746573", nil), ("3132", nil), ("656E2020", nil), ("40C0", nil),
        ] as [(String, [String]?)]
    )
    func languages(text: String, names: [String]?) throws {
        #expect(Language.list(try [UInt8](hex: text))?.map(\.description) == names)
    }

    @Test(
        "A response code is two letters or digits",
        arguments: [
            ("3030", "approved"), ("5931", "offline approved"), ("3531", "not sufficient funds"),
            ("5151", nil), ("30", nil), ("303030", nil), ("3020", nil),
        ] as [(String, String?)]
    )
    func responseCodes(text: String, meaning: String?) throws {
        #expect(AuthorisationResponseCode(bytes: try [UInt8](hex: text))?.meaning == meaning)
    }

    @Test("Whatever the value, a definition says something or nothing, and never traps")
    func everyObject() {
        for definition in DataObjectDefinition.all {
            for count in 0...40 {
                for filler in [0x00, 0x01, 0x0F, 0x1F, 0x30, 0x81, 0xFF] as [UInt8] {
                    let value = [UInt8](repeating: filler, count: count)
                    _ = definition.meanings(of: value, in: definition.kernel)
                }
            }
        }
    }
}
