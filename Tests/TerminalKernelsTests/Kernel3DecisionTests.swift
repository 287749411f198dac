import BERTLV
import EMVCrypto
import EMVData
import Octets
import TerminalKernels
import Testing

@Suite("Kernel 3: decisions")
struct Kernel3DecisionTests {
    /// The qualifiers sent in GET PROCESSING OPTIONS.
    private func sentQualifiers(_ tap: Tap) -> String? {
        tap.command(0xA8).map { $0[7..<11].hex }
    }

    @Test(
        "TC with fDDA version 01: approved offline (EMV Book C-3, 5.6, 5.8)",
        arguments: [
            SignedDataFormat.fastDynamicData, .dynamicData,
        ]
    )
    func approvedOffline(format: SignedDataFormat) throws {
        var card = VisaCard()
        card.kind = .tc
        card.format = format
        let tap = try TestTerminal.visa().tap(card.card())
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.cvm == .noCVM)
        #expect(tap.authentication == .successful(.fastDynamicData))
        #expect(sentQualifiers(tap) == "26004000")
        #expect(tap.messageIdentifiers == [.presentCard, .cardReadOK, .approved])
        #expect(tap.messages[1].status == .cardReadSuccessfully)
        #expect(tap.outcome.parameterSet.hex == "10F0F000A0F0FF00")
        #expect(
            tap.outcome.dataRecord?.map(\.tag.description) == [
                "9F02", "9F26", "82", "9F36", "5F34", "9F10", "9F1A", "57", "5F2A", "9A", "9C",
                "9F37", "95", "9F27", "84",
            ]
        )
    }

    @Test("ARQC without records: online request (asks 15; 5.8.1)")
    func online() throws {
        let tap = try TestTerminal.visa().tap(VisaCard().card())
        #expect(tap.command(0xB2) == nil)
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.outcome.cvm == .noCVM)
        #expect(tap.authentication == .notPerformed)
        #expect(tap.messageIdentifiers == [.presentCard, .cardReadOK, .authorising])
        #expect(tap.outcome.parameterSet.hex == "30F0F000A0F0FF00")
    }

    @Test(
        "AAC, or a kind nobody knows: declined (5.4.3.2)",
        arguments: [
            CryptogramKind.aac, .reserved,
        ]
    )
    func declined(kind: CryptogramKind) throws {
        var card = VisaCard()
        card.kind = kind
        let tap = try TestTerminal.visa().tap(card.card())
        #expect(tap.outcome.status == .declined)
        #expect(tap.messageIdentifiers == [.presentCard, .cardReadOK, .notAuthorised])
        #expect(tap.outcome.dataRecord == nil)
        #expect(tap.outcome.parameterSet.hex == "20F0F00080F0FF00")
    }

    @Test(
        "Over the floor limit the reader asks for an online cryptogram, and takes no TC (3.1.1.9)"
    )
    func overFloorLimit() throws {
        var terminal = try TestTerminal.visa()
        terminal.minorUnits = 2001
        var card = VisaCard()
        card.kind = .tc
        let tap = try terminal.tap(card.card())
        #expect(sentQualifiers(tap) == "26804000")
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.authentication == .notPerformed)
    }

    @Test(
        "The kind of cryptogram from issuer application data, where the card sends no 9F27 (5.4.3.1)",
        arguments: [
            ("06011103900000", Outcome.Status.approved), ("06011203A00000", .onlineRequest),
            ("06011203800000", .declined), ("06011203B00000", .declined),
            ("06010A03A00000", .onlineRequest), ("060112", .declined),
            ("1F220190800000000000043000010F0000000000000000000000000000000000", .declined),
            ("1F22010190000000000000043000010F00000000000000000000000000000000", .approved),
            ("1F220101A0000000000000043000010F00000000000000000000000000000000", .onlineRequest),
        ] as [(String, Outcome.Status)]
    )
    func kindFromApplicationData(data: String, expected: Outcome.Status) throws {
        var card = VisaCard()
        card.kind = .tc
        card.optionObjects = [
            (.cryptogramInformationData, ""), (.issuerApplicationData, data),
        ]
        #expect(try TestTerminal.visa().tap(card.card()).outcome.status == expected)
    }

    // MARK: Processing restrictions

    @Test(
        "An expired application: online if the card says so, else declined (5.5.1.1)",
        arguments: [
            ("261129", "0800", Outcome.Status.onlineRequest), ("261129", "0000", .declined),
            ("261129", nil, .declined), ("261130", "0000", .approved), ("", "0000", .declined),
            ("", "0800", .onlineRequest),
        ] as [(String, String?, Outcome.Status)]
    )
    func expired(expiration: String, qualifiers: String?, expected: Outcome.Status) throws {
        var card = VisaCard()
        card.kind = .tc
        card.qualifiers = qualifiers
        card.recordObjects = [(.applicationExpirationDate, expiration)]
        let tap = try TestTerminal.visa().tap(card.card())
        #expect(tap.outcome.status == expected)
        if expected == .declined {
            #expect(tap.outcome.uiRequestOnOutcome?.message == .notAuthorised)
        }
    }

    @Test("An account on the exception file is declined (5.5.1.2)")
    func exceptionFile() throws {
        var terminal = try TestTerminal.visa()
        terminal.environment.exceptionFile = [[4, 7, 6, 1, 7, 3, 9, 0, 0, 1, 0, 1, 0, 0, 1, 0]]
        var card = VisaCard()
        card.kind = .tc
        #expect(try terminal.tap(card.card()).outcome.status == .declined)
        card.kind = .arqc
        #expect(try terminal.tap(card.card()).outcome.status == .onlineRequest)
    }

    @Test(
        "Cash and cashback by usage control, where the reader checks it (5.5.1.3, 5.5.1.4)",
        arguments: [
            (TransactionType.cash, "FFC0", "0056", "0000", Outcome.Status.approved),
            (.cash, "7FC0", "0056", "0000", .declined),
            (.cash, "7FC0", "0056", "0400", .tryAnotherInterface),
            (.manualCash, "BFC0", "0840", "0000", .declined),
            (.manualCash, "BFC0", "0056", "0000", .approved),
            (.cash, "", "0056", "0000", .declined),
            (.cash, "FFC0", "", "0400", .tryAnotherInterface),
            (.cashback, "FFC0", "0056", "0000", .approved),
            (.cashback, "FF40", "0056", "0000", .declined),
            (.cashback, "FF40", "0056", "0200", .tryAnotherInterface),
            (.cashback, "FF80", "0840", "0200", .tryAnotherInterface),
            (.purchase, "0000", "0056", "0000", .approved),
        ] as [(TransactionType, String, String, String, Outcome.Status)]
    )
    func usage(
        type: TransactionType,
        control: String,
        country: String,
        qualifiers: String,
        expected: Outcome.Status
    ) throws {
        var terminal = try TestTerminal.visa()
        terminal.type = type
        if type == .cashback { terminal.amountOther = 500 }
        terminal.combinations[0].kernel3.checksUsageForCash = true
        terminal.combinations[0].kernel3.checksUsageForCashback = true
        var card = VisaCard()
        card.kind = .tc
        card.qualifiers = qualifiers
        card.recordObjects = [(.applicationUsageControl, control), (.issuerCountryCode, country)]
        let tap = try terminal.tap(card.card())
        #expect(tap.outcome.status == expected)
        if expected == .tryAnotherInterface {
            #expect(tap.outcome.uiRequestOnOutcome?.message == .insertOrSwipe)
            #expect(tap.outcome.alternateInterface == nil)
        }
        // A reader that does not check does not mind.
        terminal.combinations[0].kernel3 = Kernel3.Options()
        #expect(try terminal.tap(card.card()).outcome.status == .approved)
    }

    @Test("A card that is not for contactless cash machines is declined there (CTQ byte 1 bit 1)")
    func cashMachine() throws {
        var terminal = try TestTerminal.visa()
        terminal.type = .cash
        terminal.terminalData[.terminalType] = [0x15]
        terminal.terminalData[.additionalTerminalCapabilities] = [0x80, 0, 0, 0, 0]
        var card = VisaCard()
        card.qualifiers = "0100"
        #expect(try terminal.tap(card.card()).outcome.status == .declined)
        terminal.terminalData[.terminalType] = [0x25]
        #expect(try terminal.tap(card.card()).outcome.status == .onlineRequest)
    }

    // MARK: Cardholder verification

    @Test(
        "The method by both sides' qualifiers (5.7.1)",
        arguments: [
            // Reader (before the CVM limit is looked at), card, kind, amount, status, method.
            (
                "26004000", "0000", CryptogramKind.arqc, 1000, Outcome.Status.onlineRequest,
                Outcome.CVM.noCVM
            ),
            ("26004000", "8000", .arqc, 1000, .onlineRequest, .onlinePIN),
            ("26004000", "8000", .tc, 1000, .onlineRequest, .onlinePIN),
            ("22004000", "8000", .arqc, 1000, .onlineRequest, .noCVM),
            ("26004000", "4000", .tc, 1000, .approved, .obtainSignature),
            ("24004000", "4000", .tc, 1000, .approved, .noCVM),
            ("26004000", "C000", .arqc, 1000, .onlineRequest, .onlinePIN),
            ("22004000", "C000", .arqc, 1000, .onlineRequest, .obtainSignature),
            ("26004000", "4080", .tc, 1000, .approved, .confirmationCodeVerified),
            ("26004000", "0080", .arqc, 9000, .onlineRequest, .confirmationCodeVerified),
            // The reader needs a method and the card names none it can have: declined.
            ("26004000", "0000", .arqc, 5000, .declined, .noCVM),
            ("26004000", "0000", .arqc, 4999, .onlineRequest, .noCVM),
            ("24004000", "4000", .arqc, 5000, .declined, .noCVM),
            // Without card qualifiers the reader chooses.
            ("26004000", nil, .arqc, 1000, .onlineRequest, .noCVM),
            ("26004000", nil, .arqc, 5000, .onlineRequest, .obtainSignature),
            ("24004000", nil, .arqc, 5000, .onlineRequest, .onlinePIN),
            ("24000000", nil, .tc, 5000, .onlineRequest, .onlinePIN),
            ("20004000", nil, .arqc, 5000, .declined, .noCVM),
            ("20000000", nil, .arqc, 5000, .declined, .noCVM),
        ] as [(String, String?, CryptogramKind, UInt64, Outcome.Status, Outcome.CVM)]
    )
    func methods(
        reader: String,
        card: String?,
        kind: CryptogramKind,
        minorUnits: UInt64,
        status: Outcome.Status,
        cvm: Outcome.CVM
    ) throws {
        var terminal = try TestTerminal.visa()
        terminal.minorUnits = minorUnits
        terminal.combinations[0].limits.floor = 10000
        terminal.combinations[0].terminalTransactionQualifiers = TerminalTransactionQualifiers(
            bytes: try [UInt8](hex: reader)
        )
        var visa = VisaCard()
        visa.kind = kind
        visa.qualifiers = card
        let tap = try terminal.tap(visa.card())
        #expect(tap.outcome.status == status)
        #expect(tap.outcome.cvm == cvm)
        let message: UserInterfaceRequest.Message =
            switch (status, cvm) {
            case (.declined, _): .notAuthorised
            case (.approved, .obtainSignature): .approvedPleaseSign
            case (.approved, _): .approved
            case (_, .onlinePIN): .enterPIN
            default: .authorising
            }
        #expect(tap.outcome.uiRequestOnOutcome?.message == message)
    }

    @Test("A device's claim must be repeated under its signature, or go to the issuer (5.7.1.2)")
    func deviceClaim() throws {
        var card = VisaCard()
        card.kind = .tc
        card.qualifiers = "0080"
        card.repeatedQualifiers = "0000"
        #expect(try TestTerminal.visa().tap(card.card()).outcome.status == .declined)

        card.repeatedQualifiers = nil
        card.version = nil
        #expect(try TestTerminal.visa().tap(card.card()).outcome.status == .declined)
        card.kind = .arqc
        let online = try TestTerminal.visa().tap(card.card())
        #expect(online.outcome.status == .onlineRequest)
        #expect(online.outcome.cvm == .confirmationCodeVerified)
    }

    // MARK: Outcome

    @Test("Issuer update: present the card again when the issuer has answered (5.8.1.2)")
    func issuerUpdate() throws {
        var terminal = try TestTerminal.visa()
        terminal.combinations[0].terminalTransactionQualifiers = TerminalTransactionQualifiers(
            rawValue: 0x2600_C000
        )
        var card = VisaCard()
        card.qualifiers = "0040"
        let tap = try terminal.tap(card.card())
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.outcome.start == .b)
        #expect(tap.outcome.onlineResponseData == .emvData)
        #expect(tap.outcome.uiRequestOnRestart?.message == .presentAgain)
        #expect(tap.outcome.parameterSet.hex == "30101000E0F00000")
        card.qualifiers = "0000"
        #expect(try terminal.tap(card.card()).outcome.start == nil)
    }

    @Test("What is left on the card is shown and told to the merchant (4.3.1.1)")
    func balance() throws {
        var card = VisaCard()
        card.optionObjects = [(.availableOfflineSpendingAmount, "000000012345")]
        for kind in [CryptogramKind.arqc, .tc, .aac] {
            card.kind = kind
            let tap = try TestTerminal.visa().tap(card.card())
            let request = try #require(tap.outcome.uiRequestOnOutcome)
            #expect(request.value == Amount(minorUnits: 12345, currency: .eur).map { .balance($0) })
            #expect(tap.outcome.discretionaryData?.map(\.encoded.hex) == ["9F5D06000000012345"])
        }
    }

    @Test("The low nibble of the form factor indicator's last byte is cleared (4.1.1.1)")
    func formFactor() throws {
        var card = VisaCard()
        card.optionObjects = [(.formFactorIndicator, "238C00FF")]
        let tap = try TestTerminal.visa().tap(card.card())
        #expect(
            tap.outcome.dataRecord?.first { $0.tag == .formFactorIndicator }?.value.hex
                == "238C00F0"
        )
    }

    @Test(
        "Customer exclusive data go online as the card gave them, whatever the terminal has in 9F7C"
    )
    func customerExclusiveData() throws {
        var terminal = try TestTerminal.visa()
        terminal.terminalData[.merchantCustomData] = [UInt8](repeating: 0, count: 20)
        var card = VisaCard()
        card.optionObjects = [(.customerExclusiveData, "C0FFEE")]
        let tap = try terminal.tap(card.card())
        #expect(
            tap.outcome.dataRecord?.first { $0.tag == .customerExclusiveData }?.value.hex
                == "C0FFEE"
        )
    }
}

@Suite("Kernel 3: offline data authentication")
struct Kernel3AuthenticationTests {
    private func tc() -> VisaCard {
        var card = VisaCard()
        card.kind = .tc
        return card
    }

    @Test(
        "Legacy fDDA: over the unpredictable number alone, where the reader accepts that",
        arguments: [
            nil, 0,
        ] as [UInt8?]
    )
    func legacy(version: UInt8?) throws {
        var terminal = try TestTerminal.visa()
        var card = tc()
        card.version = version
        let accepted = try terminal.tap(card.card())
        #expect(accepted.outcome.status == .approved)
        #expect(accepted.authentication == .successful(.fastDynamicData))

        terminal.combinations[0].kernel3.acceptsLegacyDynamicData = false
        let refused = try terminal.tap(card.card())
        #expect(refused.outcome.status == .declined)
        let failure: OfflineDataAuthentication.Failure =
            version == nil
            ? .missing(.cardAuthenticationRelatedData) : .unsupportedVersion(0)
        #expect(refused.authentication == .failed(.fastDynamicData, failure))
    }

    @Test("Any other version of 9F69 fails")
    func unknownVersion() throws {
        var card = tc()
        card.version = 2
        let tap = try TestTerminal.visa().tap(card.card())
        #expect(tap.authentication == .failed(.fastDynamicData, .unsupportedVersion(2)))
        #expect(tap.outcome.status == .declined)
    }

    @Test("SDA, where the card has no dynamic signature (5.6)")
    func staticData() throws {
        var card = tc()
        card.isStatic = true
        let tap = try TestTerminal.visa().tap(card.card())
        #expect(tap.authentication == .successful(.staticData))
        #expect(tap.outcome.status == .approved)

        card.recordObjects = [(.applicationExpirationDate, "311231")]
        var tampered = try card.card()
        var other = card
        other.recordObjects = []
        tampered[.record(4, 1)] = try other.card()[.record(4, 1)]
        let failed = try TestTerminal.visa().tap(tampered)
        #expect(failed.authentication == .failed(.staticData, .signature(.wrongHash)))
        #expect(failed.outcome.status == .declined)
    }

    @Test(
        "A tampered signature: what the qualifiers of both sides say (5.6.1)",
        arguments: [
            ("26004000", "0000", Outcome.Status.declined), ("26004000", nil, .declined),
            ("26004000", "2000", .onlineRequest), ("2E004000", "2000", .declined),
            ("36004000", "1000", .tryAnotherInterface), ("26004000", "1000", .declined),
            ("36004000", "3000", .onlineRequest), ("3E004000", "3000", .tryAnotherInterface),
        ] as [(String, String?, Outcome.Status)]
    )
    func tampered(reader: String, qualifiers: String?, expected: Outcome.Status) throws {
        var terminal = try TestTerminal.visa()
        terminal.combinations[0].terminalTransactionQualifiers = TerminalTransactionQualifiers(
            bytes: try [UInt8](hex: reader)
        )
        var card = tc()
        card.qualifiers = qualifiers
        card.tamper = { objects in
            objects.map { object in
                guard object.tag == .signedDynamicApplicationData else { return object }
                var value = object.value
                value[77] ^= 0x10
                return TLV(object.tag, value)
            }
        }
        let tap = try terminal.tap(card.card())
        guard case .failed(.fastDynamicData, .signature) = tap.authentication else {
            Issue.record("not failed: \(String(describing: tap.authentication))")
            return
        }
        #expect(tap.outcome.status == expected)
        #expect(tap.outcome.error.l2 == .camFailed)
        let message: UserInterfaceRequest.Message =
            switch expected {
            case .declined: .notAuthorised
            case .onlineRequest: .authorising
            default: .insertCard
            }
        #expect(tap.outcome.uiRequestOnOutcome?.message == message)
        if expected == .tryAnotherInterface {
            #expect(tap.outcome.alternateInterface == .contactChip)
        }
    }

    @Test(
        "Unknown CA key: as any failure",
        arguments: [
            ("0000", Outcome.Status.declined), ("2000", .onlineRequest),
        ]
    )
    func unknownKey(qualifiers: String, expected: Outcome.Status) throws {
        var terminal = try TestTerminal.visa()
        terminal.environment.keys = []
        var card = tc()
        card.qualifiers = qualifiers
        let tap = try terminal.tap(card.card())
        #expect(tap.authentication == .failed(.fastDynamicData, .unknownCAKey(index: 0x92)))
        #expect(tap.outcome.status == expected)
    }

    @Test("A CA key whose check sum is wrong is not used")
    func wrongCheckSum() throws {
        var terminal = try TestTerminal.visa()
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
        let tap = try terminal.tap(tc().card())
        #expect(tap.authentication == .failed(.fastDynamicData, .unknownCAKey(index: 0x92)))
    }

    @Test("The card's own certificate may have expired (EMV Book 2, 6.4)")
    func expiredCertificate() throws {
        var card = try tc().card()
        guard case .data(let bytes) = card[.record(2, 1)],
            case .data(let last) = card[.record(4, 1)]
        else { return }
        let icc = try CardKeys.cardCertificate(
            pan: [4, 7, 6, 1, 7, 3, 9, 0, 0, 1, 0, 1, 0, 0, 1, 0],
            staticData: try TLV.parseOne(bytes).value + [0x20, 0x00],
            expiryYear: 2025
        )
        let objects = try TLV.parseOne(last).objects.map { object in
            object.tag == .iccPublicKeyCertificate ? TLV(object.tag, icc.certificate) : object
        }
        card[.record(4, 1)] = .data(TLV(.recordTemplate, objects).encoded)
        let tap = try TestTerminal.visa().tap(card)
        #expect(tap.authentication == .failed(.fastDynamicData, .iccCertificate(.expired)))
    }

    @Test(
        "Objects of the chain that are missing",
        arguments: [
            (CardCommand.record(3, 1), 0x8F), (.record(3, 1), 0x90), (.record(3, 1), 0x9F32),
            (.record(4, 1), 0x9F46), (.record(4, 1), 0x9F47),
        ] as [(CardCommand, UInt32)]
    )
    func missing(command: CardCommand, tag: UInt32) throws {
        let tag = BERTLV.Tag(rawValue: tag)
        var card = try tc().card()
        guard case .data(let bytes) = card[command] else { return }
        let objects = try TLV.parseOne(bytes).objects.filter { $0.tag != tag }
        card[command] = .data(TLV(.recordTemplate, objects).encoded)
        let tap = try TestTerminal.visa().tap(card)
        #expect(tap.authentication == .failed(.fastDynamicData, .missing(tag)))
        #expect(tap.outcome.status == .declined)
    }

    @Test("A signed object that was changed, and a signed amount or currency that differs")
    func changed() throws {
        var card = tc()
        card.recordObjects = [(.issuerCountryCode, "0840")]
        var mixed = try tc().card()
        mixed[.record(2, 1)] = try card.card()[.record(2, 1)]
        let record = try TestTerminal.visa().tap(mixed)
        #expect(record.authentication == .failed(.fastDynamicData, .iccCertificate(.wrongHash)))

        // The answer of another amount.
        var terminal = try TestTerminal.visa()
        var replayed = try tc().card()
        guard case .made(let make) = replayed[.processingOptions],
            let command = try terminal.tap(replayed).command(0xA8)
        else { return }
        replayed[.processingOptions] = try make(command)
        terminal.minorUnits = 999
        let amount = try terminal.tap(replayed)
        #expect(amount.authentication == .failed(.fastDynamicData, .signature(.wrongHash)))
        terminal.minorUnits = 1000
        terminal.currency = .usd
        let currency = try terminal.tap(replayed)
        #expect(currency.authentication == .failed(.fastDynamicData, .signature(.wrongHash)))
        terminal.currency = .eur
        #expect(try terminal.tap(replayed).outcome.status == .approved)
    }

    @Test("The account number in 57 is compared with the certificate where the card has no 5A")
    func track2Only() throws {
        var card = tc()
        card.recordObjects = [(.applicationPAN, "")]
        #expect(try TestTerminal.visa().tap(card.card()).outcome.status == .approved)
    }

    @Test("Authentication of online transactions, for readers that want it (5.4.2.1, 5.6)")
    func authenticatedOnline() throws {
        var terminal = try TestTerminal.visa()
        terminal.combinations[0].terminalTransactionQualifiers = TerminalTransactionQualifiers(
            rawValue: 0x2700_4000
        )
        terminal.combinations[0].kernel3.authenticatesForOnline = true
        terminal.minorUnits = 2001
        let good = try terminal.tap(tc().card())
        #expect(good.outcome.status == .onlineRequest)
        #expect(good.authentication == .successful(.fastDynamicData))

        var card = tc()
        card.tamper = { objects in
            objects.map { object in
                object.tag == .signedDynamicApplicationData
                    ? TLV(object.tag, [UInt8](repeating: 1, count: 128)) : object
            }
        }
        let bad = try terminal.tap(card.card())
        #expect(bad.outcome.status == .declined)
        #expect(bad.outcome.error.l2 == .camFailed)

        // An ARQC without the objects ends the application.
        let without = try terminal.tap(VisaCard().card())
        #expect(without.outcome.status == .endApplication)
        #expect(without.outcome.error.l2 == .cardDataMissing)
    }
}
