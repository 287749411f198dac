import BERTLV
import CardEngine
import EMVCrypto
import EMVData
import Octets
import Profiles
import Testing

/// What personalisation makes: records a terminal can read and certificates it can verify.
///
/// The bytes themselves are compared with values of other programs in `CardAnswerTests`.
@Suite struct PersonalizationTests {
    /// Reads everything a locator lists.
    private func readRecords(
        of card: inout Card,
        _ locator: [UInt8]
    ) throws -> (objects: [TLV], staticData: [UInt8]) {
        var objects: [TLV] = []
        var staticData: [UInt8] = []
        for record in try ApplicationFileLocator(parsing: locator).records {
            let parameters = record.readRecordParameters
            let response = card.response(
                to: [0x00, 0xB2, UInt8(parameters >> 8), UInt8(parameters & 0xFF), 0x00]
            )
            #expect(response.count <= 258)
            let template = try TLV.parseOne([UInt8](response.dropLast(2)))
            #expect(template.tag == .recordTemplate)
            objects += template.objects
            if record.isAuthenticated { staticData += template.value }
        }
        return (objects, staticData)
    }

    @Test(arguments: Scheme.allCases)
    func aTerminalCanVerifyTheChain(_ scheme: Scheme) throws {
        let profile = CardProfile.builtIn(scheme)
        let application = profile.applications[0]
        var card = try CardPersonalization(profile).makeCard()
        card.reserve(
            PaymentKey(transactionCounter: 1, cryptogramKey: DoubleLengthKey(left: 1, right: 2))
        )
        card.addRandomBytes([UInt8](repeating: 7, count: 8).span)
        _ = card.response(to: [0x00, 0xA4, 0x04, 0x00, 0x07] + application.aid + [0x00])
        let values = application.processingOptionsList.fill { tag in
            switch tag {
            case .terminalTransactionQualifiers: [0x36, 0x00, 0x40, 0x80]
            case .transactionCurrencyCode: [0x09, 0x78]
            case .terminalCountryCode: [0x02, 0x76]
            default: nil
            }
        }
        let body = [0x83, UInt8(values.count)] + values
        let response = card.response(
            to: [0x80, 0xA8, 0x00, 0x00, UInt8(body.count)] + body + [0x00]
        )
        let options = try TLV.parseOne([UInt8](response.dropLast(2))).objects
        let locator = try #require(TLV.first(.applicationFileLocator, in: options)?.value)
        let interchange = try #require(
            TLV.first(.applicationInterchangeProfile, in: options)?.value
        )
        let (objects, staticData) = try readRecords(of: &card, locator)
        func value(_ tag: BERTLV.Tag) -> [UInt8] { TLV.first(tag, in: objects)?.value ?? [] }

        let authority = try #require(
            TerminalConfiguration.builtIn.caKeys.first {
                $0.rid == scheme.rid && [$0.index] == value(.certificationAuthorityKeyIndex)
            }
        )
        let issuer = try IssuerCertificate.recover(
            certificate: value(.issuerPublicKeyCertificate),
            remainder: value(.issuerPublicKeyRemainder),
            exponent: value(.issuerPublicKeyExponent),
            caKey: authority
        )
        try issuer.checkIssuer(ofPAN: application.pan.digits)
        let certificate = try ICCCertificate.recover(
            certificate: value(.iccPublicKeyCertificate),
            remainder: value(.iccPublicKeyRemainder),
            exponent: value(.iccPublicKeyExponent),
            issuerKey: issuer.key,
            staticData: staticData + interchange
        )
        try certificate.checkPAN(application.pan.digits)
        #expect(certificate.key.modulus.count == 128)
        #expect(value(.staticDataAuthenticationTagList) == [0x82])
        // No object may come twice, in the response and the records together.
        let tags = (options + objects).map(\.tag)
        #expect(Set(tags).count == tags.count)
    }

    @Test func anApplicationWithoutSignatureHasNoCertificates() throws {
        var profile = CardProfile.builtIn(.mastercard)
        profile.applications[0].interchangeProfile.supportsCDA = false
        profile.applications[0].risk.offlineLimitMinorUnits = nil
        var card = try CardPersonalization(profile).makeCard()
        card.reserve(
            PaymentKey(transactionCounter: 1, cryptogramKey: DoubleLengthKey(left: 1, right: 2))
        )
        _ = card.response(
            to: [0x00, 0xA4, 0x04, 0x00, 0x07] + profile.applications[0].aid + [0x00]
        )
        _ = card.response(to: [0x80, 0xA8, 0x00, 0x00, 0x02, 0x83, 0x00, 0x00])
        let (objects, staticData) = try readRecords(of: &card, [0x10, 0x01, 0x01, 0x00])
        #expect(staticData.isEmpty)
        #expect(TLV.first(.staticDataAuthenticationTagList, in: objects) == nil)
        #expect(TLV.first(.applicationPAN, in: objects)?.value == profile.applications[0].pan.bytes)
        #expect(card.response(to: [0x00, 0xB2, 0x01, 0x1C, 0x00]) == [0x6A, 0x82])
    }

    @Test func aProfileBringsItsOwnIssuer() throws {
        let issuer = """
            "issuers": [{
                "name": "Other bank", "scheme": "visa", "identificationNumber": "40000012",
                "masterKey": "00112233445566778899AABBCCDDEEFF", "derivation": "B"
            }],
            "applications": [
            """
        let text = CardProfile.builtInJSON(.visa)
            .replacing("\"applications\": [", with: issuer)
            .replacing("4761739001010010", with: "4000001234567899")
        let profile = try CardProfile(json: [UInt8](text.utf8))
        let personalization = try CardPersonalization(profile)
        #expect(personalization.issuers.map(\.name) == ["Other bank"])
        #expect(profile.issuers[0].masterKey.derivation == .optionB)
    }

    @Test func extraObjectsComeIntoTheRecord() throws {
        var profile = CardProfile.builtIn(.visa)
        profile.applications[0].recordObjects = [
            DataObject(.paymentAccountReference, [UInt8](repeating: 0x30, count: 29))
        ]
        var card = try CardPersonalization(profile).makeCard()
        card.reserve(
            PaymentKey(transactionCounter: 1, cryptogramKey: DoubleLengthKey(left: 1, right: 2))
        )
        _ = card.response(
            to: [0x00, 0xA4, 0x04, 0x00, 0x07] + profile.applications[0].aid + [0x00]
        )
        let values = [0x36, 0x00, 0x40, 0x80] + [UInt8](repeating: 0, count: 29)
        _ = card.response(to: [0x80, 0xA8, 0x00, 0x00, 0x23, 0x83, 0x21] + values + [0x00])
        let (objects, _) = try readRecords(of: &card, [0x10, 0x01, 0x01, 0x01])
        #expect(TLV.first(.paymentAccountReference, in: objects)?.value.count == 29)
    }
}
