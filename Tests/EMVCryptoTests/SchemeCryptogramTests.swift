import BERTLV
import EMVCrypto
import EMVData
import Octets
import Testing

@Suite("Application cryptograms by scheme")
struct SchemeCryptogramTests {
    @Test(
        "Issuer Application Data of each scheme name their version",
        arguments: [
            ("A000000003", "06010A03A00000", ApplicationCryptogram.visaCVN10),
            ("A000000098", "06011203A00000", .visaCVN18),
            (
                "A000000003",
                "1F430132A00000000010030273000000004000000000000000000000000000000000", nil
            ),
            (
                "A000000003", "1F430132A0000000100302730430000100000000000000000000000000000000",
                .visaCVN43
            ),
            (
                "A000000003", "1F4A0132A0000000100302730430000100000000000000000000000000000000",
                .visaCVN4A
            ),
            ("A000000003", "1F440132A0000000100302730430000100000000000000000000000000000000", nil),
            ("A000000004", "0114A00003220000000000000000000000FF", .mchipCVN14),
            ("A000000025", "0602010360B800", .amexCVN01),
            ("A000000025", "0602020360B800", .amexCVN02),
            ("A000000025", "0602030360B800", nil),
            ("A000000065", "0701010360B80000", .jcbCVN01),
            ("A000000065", "0701020360B80000", .jcbCVN02),
            ("A000000333", "07010103A0000001", .unionPayCVN01),
            ("A000000333", "07011103A0000001", .unionPayCVN17),
            ("A000000152", "0106201409600000", .discoverCVN06),
            ("A000000620", "0106A00003400000", .discoverCVN06),
            ("A000000152", "010F20B080100000B800", nil),
            ("A000000277", "1501850440B100000000B00000000000000000000000", .interacCVN133),
            ("A000000999", "06010A03A00000", nil),
            ("A000000003", "", nil),
            ("A000000333", "070101", nil),
        ]
    )
    func versions(rid: String, issuerData: String, expected: ApplicationCryptogram?) throws {
        let version = try ApplicationCryptogram(
            issuerApplicationData: [UInt8](hex: issuerData),
            rid: [UInt8](hex: rid)
        )
        #expect(version == expected)
    }

    /// The key is CryptoCarver's capture of a calculator; the index travels in 9F10.
    @Test("A limited use key is found through the index in 9F10")
    func limitedUseKey() throws {
        let keyBytes = try [UInt8](hex: "C8B507136D921FD05864C81F79F2D30B")
        let objects: [BERTLV.Tag: [UInt8]] = [
            .issuerApplicationData: try [UInt8](
                hex: "1F430132A0000000100302730057020100000000000000000000000000000000"
            )
        ]
        guard let cardKey = DoubleLengthKey(keyBytes.span) else { throw VectorFault.noKey }
        let key = try ApplicationCryptogram.visaCVN43.sessionKey(cardKey: cardKey) { objects[$0] }
        #expect(key.exportedBytes.hex == "3EA78DED27B7BB01F9069B8E34C443BC")
        #expect(throws: ApplicationCryptogramError.malformed(.issuerApplicationData)) {
            _ = try ApplicationCryptogram.visaCVN43.sessionKey(cardKey: cardKey) { _ in
                [UInt8](repeating: 0xAA, count: 32)
            }
        }
    }

    /// Sources differ in what ends the input; the capture signs four bytes of CVR.
    @Test("Cloud cards sign what the option says")
    func cloudInput() throws {
        let issuerData = try [UInt8](
            hex: "1F430103A4A0820010030273005702010000000000000000000000000000000F"
        )
        var objects: [BERTLV.Tag: [UInt8]] = [.issuerApplicationData: issuerData]
        for (tag, value) in [
            (BERTLV.Tag.amountAuthorised, "000000001000"), (.amountOther, "000000000000"),
            (.terminalCountryCode, "0710"), (.terminalVerificationResults, "0000000000"),
            (.transactionCurrencyCode, "0710"), (.transactionDate, "130205"),
            (.transactionType, "00"), (.unpredictableNumber, "30901B6A"),
            (.applicationInterchangeProfile, "3C00"), (.applicationTransactionCounter, "0055"),
        ] {
            objects[tag] = try [UInt8](hex: value)
        }
        let start = "0000000010000000000000000710000000000007101302050030901B6A3C000055"
        func input(_ cloudInput: ApplicationCryptogram.CloudInput) throws -> String {
            try ApplicationCryptogram.visaCVN43.input(cloudInput: cloudInput) { objects[$0] }.hex
        }
        #expect(try input(.issuerApplicationData) == start + issuerData.hex)
        #expect(try input(.withoutLength) == start + issuerData.dropFirst().hex)
        #expect(try input(.verificationResults) == start + "03A4A082")
    }

    /// Where the key of a version comes from.
    enum KeySource { case card, common, mastercard, pboc }

    /// What is known of each version: for most from published values, for the rest from descriptions alone.
    @Test(
        "Each version has its padding, key and answer",
        arguments: [
            (
                ApplicationCryptogram.visaCVN10, RetailMAC.Padding.zeros, KeySource.card,
                KeySource.card, 1
            ),
            (.visaCVN17, .zeros, .card, .card, 1), (.visaCVN18, .marked, .common, .common, 2),
            (.visaCVN22, .marked, .common, .common, 2),
            (.mchipCVN10, .marked, .mastercard, .card, 1),
            (.mchipCVN11, .marked, .mastercard, .card, 1),
            (.mchipCVN14, .marked, .common, .common, 1),
            (.mchipCVN15, .marked, .common, .common, 1),
            (.commonCore, .marked, .common, .common, 2),
            (.interacCVN133, .marked, .mastercard, .mastercard, 1),
            (.discoverCVN06, .marked, .common, .common, 1), (.amexCVN01, .marked, .card, .card, 1),
            (.amexCVN02, .marked, .common, .common, 1), (.jcbCVN01, .zeros, .card, .card, 1),
            (.jcbCVN02, .marked, .common, .common, 2), (.unionPayCVN01, .marked, .pboc, .pboc, 1),
            (.unionPayCVN17, .marked, .pboc, .pboc, 1),
        ]
    )
    func recipes(
        version: ApplicationCryptogram,
        padding: RetailMAC.Padding,
        source: KeySource,
        responseSource: KeySource,
        method: Int
    ) throws {
        let counter: UInt16 = 0x001C
        let number: UInt32 = 0x1234_5678
        let cryptogram: UInt64 = 0x29CC_A15A_E665_FA2E
        func cardKey() -> DoubleLengthKey {
            DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0xFEDC_BA98_7654_3210)
        }
        func key(_ source: KeySource) -> DoubleLengthKey {
            var cipher = TripleDES(key: cardKey())
            return switch source {
            case .card: cardKey()
            case .common: cipher.commonSessionKey(counter: counter)
            case .mastercard:
                cipher.mastercardSessionKey(counter: counter, unpredictableNumber: number)
            case .pboc: cipher.pbocSessionKey(counter: counter)
            }
        }
        let objects: [BERTLV.Tag: [UInt8]] = [
            .applicationTransactionCounter: [0x00, 0x1C],
            .unpredictableNumber: [0x12, 0x34, 0x56, 0x78],
            .applicationCryptogram: cryptogram.bytes,
            .issuerApplicationData: [UInt8](repeating: 0x06, count: 32),
        ]
        #expect(version.padding == padding)
        #expect(version.isKeyedByUnpredictableNumber == (source == .mastercard))
        let sessionKey = try version.sessionKey(cardKey: cardKey()) { objects[$0] }
        #expect(sessionKey.exportedBytes == key(source).exportedBytes)
        let answer = try version.issuerAuthenticationData(
            cardKey: cardKey(),
            responseCode: 0x3030,
            cardStatusUpdate: 0x0082_0000
        ) { objects[$0] }
        if method == 1 {
            let response = ResponseCryptogram.method1(
                cryptogram: cryptogram,
                responseCode: 0x3030,
                key: key(responseSource)
            )
            #expect(answer == response.bytes + [0x30, 0x30])
        } else {
            let response = ResponseCryptogram.method2(
                cryptogram: cryptogram,
                cardStatusUpdate: 0x0082_0000,
                key: key(responseSource)
            )
            #expect(answer == UInt64(response).bytes.suffix(4) + [0x00, 0x82, 0x00, 0x00])
        }
    }

    @Test("Every version has a name and says how well it is known")
    func labels() {
        let names = Set(ApplicationCryptogram.allCases.map(\.name))
        #expect(names.count == ApplicationCryptogram.allCases.count)
        #expect(ApplicationCryptogram.unionPayCVN01.evidence == .description)
        #expect(ApplicationCryptogram.visaCVN10.evidence == .testCards)
    }
}
