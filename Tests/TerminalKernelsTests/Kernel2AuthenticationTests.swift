import BERTLV
import EMVCrypto
import EMVData
import Octets
import TerminalKernels
import Testing

@Suite("Kernel 2: offline data authentication")
struct Kernel2AuthenticationTests {
    @Test("Unknown CA key: TVR byte 1 bit 3, no signature asked for, online by TAC (S456.25)")
    func unknownKeyOnline() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.environment.keys = []
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.value(.terminalVerificationResults) == "0400000001")
        #expect(tap.requestedCryptogram == 0x80)
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.authentication == .failed(.combined, .unknownCAKey(index: 0x92)))
    }

    @Test("Unknown CA key with the book's default action codes: AAC, another interface")
    func unknownKeyDefault() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.environment.keys = []
        terminal.combinations[0].kernelData[.terminalActionCodeDenial] = nil
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.requestedCryptogram == 0x00)
        #expect(tap.outcome.status == .tryAnotherInterface)
    }

    @Test("A CA key whose check sum is wrong is not used")
    func wrongCheckSum() throws {
        var terminal = try TestTerminal.mastercard()
        let key = terminal.environment.keys[0]
        terminal.environment.keys = [
            try CAPublicKey(
                rid: key.rid,
                index: key.index,
                modulus: key.modulus,
                exponent: key.exponent,
                checksum: [UInt8](repeating: 0, count: 20)
            )
        ]
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.authentication == .failed(.combined, .unknownCAKey(index: 0x92)))
    }

    @Test(
        "A missing object: ICC data missing and CDA failed (S456.25)",
        arguments: [0x8F, 0x90, 0x9F32, 0x9F46, 0x9F47, 0x9F4A] as [UInt32]
    )
    func missing(tag: UInt32) throws {
        let tag = BERTLV.Tag(rawValue: tag)
        var card = try MastercardCard().card()
        for record in [CardCommand.record(2, 1), .record(3, 1), .record(4, 1)] {
            guard case .data(let bytes) = card[record] else { continue }
            let objects = try TLV.parseOne(bytes).objects.filter { $0.tag != tag }
            card[record] = .data(TLV(.recordTemplate, objects).encoded)
        }
        let tap = try TestTerminal.mastercard().tap(card)
        #expect(tap.value(.terminalVerificationResults) == "2400000001")
        #expect(tap.requestedCryptogram == 0x80)
        #expect(tap.authentication == .failed(.combined, .missing(tag)))
    }

    @Test("A tag list that names something else than 82 (EMV Book 3, 10.3)")
    func tagList() throws {
        var card = MastercardCard()
        card.recordObjects = [(.staticDataAuthenticationTagList, "825A")]
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.value(.terminalVerificationResults) == "0400000001")
        #expect(tap.authentication == .failed(.combined, .invalidTagList))
    }

    @Test("Signed records of more than 2048 bytes: CDA failed")
    func staticDataTooLong() throws {
        var card = try MastercardCard().card()
        card[.processingOptions] = .data(
            try [UInt8](hex: "771682021180941010010101180101002001010030010909")
        )
        for number in 1...9 {
            // An unknown tag of its own, 245 bytes long, in each record.
            let filler = TLV(
                BERTLV.Tag(rawValue: 0xDF70 + UInt32(number)),
                [UInt8](repeating: 0xA5, count: 245)
            )
            card[.record(6, UInt8(number))] = .data(TLV(.recordTemplate, [filler]).encoded)
        }
        let tap = try TestTerminal.mastercard().tap(card)
        #expect(tap.value(.terminalVerificationResults) == "0400000001")
        #expect(tap.authentication == .failed(.combined, .staticDataTooLong))
        #expect(tap.requestedCryptogram == 0x80)
        #expect(tap.outcome.status == .onlineRequest)
    }

    /// Every way to spoil a signature, and what is told about it.
    struct Spoiled: Sendable, CustomTestStringConvertible {
        var name: String
        var failure: OfflineDataAuthentication.Failure?
        var tamper: @Sendable ([TLV]) -> [TLV]
        var testDescription: String { name }

        static func replace(
            _ tag: BERTLV.Tag,
            _ change: @escaping @Sendable (inout [UInt8]) -> Void
        ) -> @Sendable ([TLV]) -> [TLV] {
            { objects in
                objects.map { object in
                    guard object.tag == tag else { return object }
                    var value = object.value
                    change(&value)
                    return TLV(tag, value)
                }
            }
        }

        static let all = [
            Spoiled(
                name: "one bit of the signature",
                tamper: replace(.signedDynamicApplicationData) { $0[60] ^= 1 }
            ),
            Spoiled(
                name: "a signature one byte short",
                failure: .signature(.wrongLength(expected: 128, found: 127)),
                tamper: replace(.signedDynamicApplicationData) { $0.removeLast() }
            ),
            Spoiled(
                name: "another issuer application data",
                failure: .differentTransactionData,
                tamper: replace(.issuerApplicationData) { $0[5] ^= 1 }
            ),
            Spoiled(
                name: "another transaction counter",
                failure: .differentTransactionData,
                tamper: replace(.applicationTransactionCounter) { $0[1] += 1 }
            ),
            Spoiled(
                name: "an ARQC in clear for a signed TC",
                failure: .differentCryptogramInformation,
                tamper: replace(.cryptogramInformationData) { $0[0] = 0x80 }
            ),
            Spoiled(
                name: "the objects in another order",
                failure: .differentTransactionData,
                tamper: { $0.reversed() }
            ),
            Spoiled(
                name: "one object more",
                failure: .differentTransactionData,
                tamper: { $0 + [TLV(BERTLV.Tag(rawValue: 0xDF01), [1])] }
            ),
        ]
    }

    @Test(
        "A spoiled signature: TVR CDA failed, declined, CAM failed (S910.7)",
        arguments: Spoiled.all
    )
    func tampered(spoiled: Spoiled) throws {
        var card = MastercardCard()
        card.tamper = spoiled.tamper
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.outcome.status == .declined)
        #expect(tap.outcome.error.l2 == .camFailed)
        #expect(tap.outcome.error.bytes.hex == "000200000007")
        #expect(tap.outcome.uiRequestOnOutcome?.message == .notAuthorised)
        #expect(tap.value(.terminalVerificationResults) == "0400000001")
        guard case .failed(.combined, let failure) = tap.authentication else {
            Issue.record("not failed")
            return
        }
        if let expected = spoiled.failure { #expect(failure == expected) }
    }

    @Test("A spoiled signature can end the application instead (named option)")
    func tamperedEndsApplication() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.combinations[0].kernel2.failedAuthentication = .endApplication
        var card = MastercardCard()
        card.tamper = Spoiled.all[0].tamper
        let tap = try terminal.tap(card.card())
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .camFailed)
        #expect(tap.outcome.uiRequestOnOutcome?.message == .tryAnotherCard)
    }

    @Test("Another amount than the card signed is found out by its hash (EMV Book 2, 6.6.2)")
    func replayedAnswer() throws {
        var terminal = try TestTerminal.mastercard()
        var card = try MastercardCard().card()
        let first = try terminal.tap(card)
        let command = try #require(first.command(0xAE))
        card[.cryptogram] = try MastercardCard().cryptogramAnswer(command)
        terminal.minorUnits = 1001
        let second = try terminal.tap(card)
        #expect(second.authentication == .failed(.combined, .differentTransactionData))

        // With another unpredictable number the signature itself is wrong.
        terminal.minorUnits = 1000
        terminal.environment.number += 1
        let third = try terminal.tap(card)
        #expect(third.authentication == .failed(.combined, .signature(.wrongHash)))
    }

    @Test(
        "Certificates that do not belong to this card, or no longer",
        arguments: [
            (
                "5413330089600028", 2030, false,
                OfflineDataAuthentication.Failure.iccCertificate(.wrongHash)
            ),
            ("5413330089600010", 2025, false, .issuerCertificate(.expired)),
            ("5413330089600010", 2030, true, .revokedIssuerCertificate),
        ] as [(String, Int, Bool, OfflineDataAuthentication.Failure)]
    )
    func wrongCertificates(
        pan: String,
        expiryYear: Int,
        isRevoked: Bool,
        failure: OfflineDataAuthentication.Failure
    ) throws {
        var terminal = try TestTerminal.mastercard()
        if isRevoked { terminal.environment.revokedSerialNumbers = [[0, 0, 1]] }
        var card = try MastercardCard().card()
        let issuer = try CardKeys.issuerCertificate(
            identifier: [5, 4, 1, 3, 3, 3],
            expiryYear: expiryYear
        )
        card[.record(3, 1)] = .data(
            TLV(
                .recordTemplate,
                [
                    TLV(.certificationAuthorityKeyIndex, [0x92]),
                    TLV(.issuerPublicKeyCertificate, issuer.certificate),
                    TLV(.issuerPublicKeyRemainder, issuer.remainder),
                    TLV(.issuerPublicKeyExponent, issuer.exponent),
                ]
            ).encoded
        )
        if pan != "5413330089600010" {
            // The record of another account with this card's certificate.
            var other = MastercardCard()
            other.pan = pan
            card[.record(2, 1)] = try other.card()[.record(2, 1)]
        }
        let tap = try terminal.tap(card)
        #expect(tap.outcome.status == .declined)
        #expect(tap.authentication == .failed(.combined, failure))
    }

    @Test("A certificate of another issuer or card is refused although its hash is right")
    func wrongOwner() throws {
        // The issuer identifier is not the start of the account number.
        var card = MastercardCard()
        card.pan = "5413330089600010"
        var other = try card.card()
        let issuer = try CardKeys.issuerCertificate(identifier: [5, 5, 5, 5])
        other[.record(3, 1)] = .data(
            TLV(
                .recordTemplate,
                [
                    TLV(.certificationAuthorityKeyIndex, [0x92]),
                    TLV(.issuerPublicKeyCertificate, issuer.certificate),
                    TLV(.issuerPublicKeyRemainder, issuer.remainder),
                    TLV(.issuerPublicKeyExponent, issuer.exponent),
                ]
            ).encoded
        )
        let tap = try TestTerminal.mastercard().tap(other)
        #expect(tap.authentication == .failed(.combined, .issuerCertificate(.wrongIssuer)))

        // The certified account number is not the one in 5A.
        var stranger = try card.card()
        guard case .data(let bytes) = stranger[.record(2, 1)] else { return }
        let record = try TLV.parseOne(bytes)
        let icc = try CardKeys.cardCertificate(
            pan: [5, 4, 1, 3, 3, 3, 0, 0, 8, 9, 6, 0, 0, 0, 2, 8],
            staticData: record.value + [0x11, 0x80]
        )
        stranger[.record(4, 1)] = .data(
            TLV(
                .recordTemplate,
                [
                    TLV(.iccPublicKeyCertificate, icc.certificate),
                    TLV(.iccPublicKeyRemainder, icc.remainder),
                    TLV(.iccPublicKeyExponent, icc.exponent),
                ]
            ).encoded
        )
        let second = try TestTerminal.mastercard().tap(stranger)
        #expect(second.authentication == .failed(.combined, .iccCertificate(.wrongPAN)))
    }

    @Test("No signature where one was asked for: card data error (S910.30 to S910.38)")
    func unsigned() throws {
        var card = MastercardCard()
        card.signs = false
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .cardDataError)
        #expect(tap.outcome.error.concerning == .signedDynamicApplicationData)
    }

    @Test("An unsigned AAC for a TC asked for is taken; nothing at all is not")
    func unsignedRefusal() throws {
        var card = MastercardCard()
        card.decide = { _ in .aac }
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.outcome.status == .tryAnotherInterface)

        card.tamper = { $0.filter { $0.tag != .applicationCryptogram } }
        let bare = try TestTerminal.mastercard().tap(card.card())
        #expect(bare.outcome.error.l2 == .cardDataMissing)
        #expect(bare.outcome.error.concerning == .applicationCryptogram)
    }

    @Test("A card that signs every kind is asked to sign an AAC (GAC.25)")
    func signedRefusal() throws {
        var terminal = try TestTerminal.mastercard()
        try terminal.set(.terminalActionCodeDenial, "0000008000")
        terminal.minorUnits = 2001
        var card = MastercardCard()
        card.selectionObjects = [(.applicationCapabilitiesInformation, "000100")]
        let tap = try terminal.tap(card.card())
        #expect(tap.requestedCryptogram == 0x10)
        #expect(tap.authentication == .successful(.combined))
        #expect(tap.outcome.status == .tryAnotherInterface)

        card.signs = false
        let unsigned = try terminal.tap(card.card())
        #expect(unsigned.outcome.error.l2 == .cardDataError)
    }
}
