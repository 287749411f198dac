import EMVCrypto
import EMVData
import Octets
import Profiles
import TestSupport
import Testing

/// Terminal configurations and files of authority keys: read whole, or refused with the place.
@Suite struct TerminalConfigurationTests {
    @Test func readsLimitsAndCodes() throws {
        let visa = try #require(TerminalConfiguration.builtIn.combinations.first { $0.kernel == 3 })
        #expect(visa.transactionLimitMinorUnits == 1_000_000)
        #expect(visa.floorLimitMinorUnits == 1000)
        #expect(visa.cvmLimitMinorUnits == 5000)
        #expect(visa.transactionQualifiers?.hex == "36004080")
        #expect(visa.actionCodes == nil)
        let mastercard = try #require(
            TerminalConfiguration.builtIn.combinations.first { $0.kernel == 2 }
        )
        #expect(mastercard.actionCodes?.online.hex == "F45084800C")
        #expect(mastercard.dataObjects.contains(DataObject(.kernelConfiguration, [0xA0])))
    }

    @Test(arguments: [
        (#""country": 276,"#, "", "country: is missing"),
        (
            #""terminalType": "22""#, #""terminalType": 22"#,
            "terminalType: must be hexadecimal digits in a text, not a number"
        ),
        (
            "TAPWIRE00000001", "TAPWIRE1",
            "merchant.identifier: must be 15 letters, digits or signs of ASCII"
        ),
        ("5999", "59", "merchant.categoryCode: must be 4 digits"),
        (
            #""A0000000041010""#, #""A000""#,
            "combinations[0].aids[0]: must have 5 to 16 bytes, not 2"
        ),
        (
            #"["A0000000041010", "A0000000043060", "A0000000042203"]"#, "[]",
            "combinations[0].aids: must hold at least one AID"
        ),
        (
            #""transactionQualifiers": "36004080""#, #""transactionQualifiers": "3600""#,
            "combinations[1].transactionQualifiers: must have 4 bytes, not 2"
        ),
        (
            #""transactionQualifiers": "36004080""#, #""ttq": "36004080""#,
            "combinations[1].ttq: is not known here; known are actionCodes, aids, allowsZeroAmount, "
                + "cvmLimitMinorUnits, dataObjects, floorLimitMinorUnits, kernel, name, "
                + "supportsExtendedSelection, supportsStatusCheck, transactionLimitMinorUnits, "
                + "transactionQualifiers, transactionTypes"
        ),
        (
            #""floorLimitMinorUnits": 1000"#, #""floorLimitMinorUnits": 10.00"#,
            "combinations[0].floorLimitMinorUnits: must be a whole number from 0 to 999999999999"
        ),
        (
            #""DF8118": "60""#, #""DF8118": "6""#,
            "combinations[0].dataObjects.DF8118: has an odd number of hexadecimal digits, 1"
        ),
    ])
    func refuses(_ old: String, new: String, error: String) throws {
        let text = TerminalConfiguration.builtInJSON.replacing(old, with: new, maxReplacements: 1)
        #expect(text != TerminalConfiguration.builtInJSON)
        let thrown = #expect(throws: ProfilesError.self) {
            try TerminalConfiguration(json: [UInt8](text.utf8))
        }
        #expect(thrown?.description == error)
    }

    @Test func aTerminalMustAcceptSomething() {
        let text = TerminalConfiguration.builtInJSON
            .replacing("\"combinations\": [", with: "\"combinations\": [], \"rest\": [")
        #expect(throws: ProfilesError("combinations", "a terminal must accept something")) {
            try TerminalConfiguration(json: [UInt8](text.utf8))
        }
    }

    /// Visa's published test key 99 (1024 bits), whose check sum is known.
    private static let key = """
        "rid": "A000000003", "index": "99", "exponent": "03",
        "modulus": "AB79FCC9520896967E776E64444E5DCDD6E13611874F3985722520425295EEA4BD0C2781DE7F31CD3D041F565F747306EED62954B17EDABA3A6C5B85A1DE1BEB9A34141AF38FCF8279C9DEA0D5A6710D08DB4124F041945587E20359BAB47B7575AD94262D4B25F264AF33DEDCF28E09615E937DE32EDC03C54445FE7E382777",
        "checksum": "4ABFFD6B1C51212D05552E431C5B17007D2F5E6D"
        """

    @Test func takesKeysOfItsOwn() throws {
        let text = TerminalConfiguration.builtInJSON.replacing(
            "\"terminalType\"",
            with: "\"caKeys\": [{\(Self.key)}], \"terminalType\""
        )
        let keys = try TerminalConfiguration(json: [UInt8](text.utf8)).caKeys
        #expect(keys.map(\.index) == [0x99])
        #expect(keys.allSatisfy { $0.isChecksumValid })
    }

    @Test(
        arguments: [
            ("", "", nil),
            (
                #""exponent": "03""#, #""exponent": "05""#,
                "caKeys[0].exponent: must be 03 or 010001"
            ),
            (
                #""rid": "A000000003""#, #""rid": "A0000003""#,
                "caKeys[0].rid: must have 5 bytes, not 4"
            ),
            (
                #""index": "99""#, #""index": "98""#,
                "caKeys[0].checksum: is not the SHA-1 of RID, index, modulus and exponent, which is 0F5D745929340207856D684A85AFD870E3EF1C85"
            ),
            (#""index": "99","#, "", "caKeys[0].index: is missing"),
            (
                "AB79FCC9520896967E77", "0079FCC9520896967E77",
                "caKeys[0].modulus: must be an odd number without zeros before it"
            ),
        ] as [(String, String, String?)]
    )
    func readsKeyFiles(_ old: String, new: String, error: String?) throws {
        var text = "{\"caKeys\": [{\(Self.key)}]}"
        if !old.isEmpty { text = text.replacing(old, with: new) }
        guard let error else {
            let keys = try CAPublicKey.keys(json: [UInt8](text.utf8))
            #expect(keys.count == 1)
            return
        }
        let thrown = #expect(throws: ProfilesError.self) {
            try CAPublicKey.keys(json: [UInt8](text.utf8))
        }
        #expect(thrown?.description == error)
    }

    @Test func checkSumsMayBeLeftOutAndKeysMayNotComeTwice() throws {
        let key = Self.key.replacing(#","checksum"#, with: "")
        #expect(throws: ProfilesError("caKeys[1]", "another key has the same RID and index")) {
            try CAPublicKey.keys(json: [UInt8]("{\"caKeys\": [{\(key)}, {\(key)}]}".utf8))
        }
    }
}
