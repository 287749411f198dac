import CardEngine
import EMVCrypto
import EMVData
import Octets
import Profiles
import Testing

/// What comes with the program: cards, issuers, a terminal and keys.
@Suite struct BuiltInTests {
    @Test(arguments: Scheme.allCases)
    func cardsArePersonalisable(_ scheme: Scheme) throws {
        let profile = CardProfile.builtIn(scheme)
        #expect(profile.isPublic)
        #expect(profile.applications.map(\.scheme) == [scheme])
        #expect(profile.applications.allSatisfy { $0.pan.hasValidCheckDigit })
        let personalization = try CardPersonalization(profile)
        #expect(personalization.issuers.map(\.scheme) == [scheme])
        #expect(personalization.image.applicationCount == 1)
    }

    @Test(arguments: Scheme.allCases)
    func cardsCanBeTakenAsAStart(_ scheme: Scheme) throws {
        let text = CardProfile.builtInJSON(scheme)
        let profile = try CardProfile(json: [UInt8](text.utf8))
        #expect(profile.applications == CardProfile.builtIn(scheme).applications)
    }

    @Test(arguments: [(0, 0x00), (9, 0x09), (10, 0x10), (12, 0x12), (99, 0x99)] as [(Int, UInt8)])
    func aSequenceNumberIsTwoDigits(number: Int, packed: UInt8) throws {
        let text = CardProfile.builtInJSON(.visa)
            .replacing("\"panSequenceNumber\": 1,", with: "\"panSequenceNumber\": \(number),")
        let profile = try CardProfile(json: [UInt8](text.utf8))
        #expect(profile.applications.map(\.panSequenceNumber) == [packed])
    }

    @Test func theTerminalTrustsTheTestAuthorities() throws {
        let terminal = TerminalConfiguration.builtIn
        #expect(terminal.caKeys == CAPublicKey.testKeys)
        #expect(terminal.terminalType == 0x22)
        #expect(Set(terminal.combinations.map(\.kernel)) == [2, 3])
        #expect(
            terminal.combinations.map(\.aid.hex) == [
                "A0000000041010", "A0000000043060", "A0000000042203",
                "A0000000031010", "A0000000032010", "A0000000032020", "A0000000980840",
            ]
        )
        let text = TerminalConfiguration.builtInJSON
        #expect(
            try TerminalConfiguration(json: [UInt8](text.utf8)).combinations
                == terminal.combinations
        )
    }

    @Test func testKeysHaveCheckSums() {
        #expect(CAPublicKey.testKeys.map(\.rid.hex) == ["A000000003", "A000000004"])
        #expect(CAPublicKey.testKeys.allSatisfy { $0.checksum != nil && $0.isChecksumValid })
    }
}
