import BERTLV
import EMVData
import Octets
import TerminalKernels
import Testing

@Suite("Kernel 2: decisions")
struct Kernel2DecisionTests {
    @Test("Below every limit: TC with CDA, approved offline (EMV Book C-2, 7.6, S910.74)")
    func approvedOffline() throws {
        let tap = try TestTerminal.mastercard().tap(MastercardCard().card())
        #expect(tap.requestedCryptogram == 0x50)
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.cvm == .noCVM)
        #expect(!tap.outcome.isReceiptNeeded)
        #expect(tap.authentication == .successful(.combined))
        #expect(tap.value(.terminalVerificationResults) == "0000000001")
        #expect(tap.value(.cvmResults) == "1F0302")
        #expect(tap.value(.terminalCapabilities) == "200808")
        #expect(tap.value(.iccDynamicNumber) == MastercardCard.iccDynamicNumber.hex)
        #expect(tap.messageIdentifiers == [.presentCard, .clearDisplay, .approved])
        #expect(tap.messages[1].status == .cardReadSuccessfully)
        #expect(tap.outcome.uiRequestOnOutcome?.holdTime == 13)
        #expect(tap.outcome.parameterSet.hex == "10F0F000B0F0FF00")
    }

    @Test("The data record and the discretionary data have the book's objects in its order")
    func records() throws {
        let tap = try TestTerminal.mastercard().tap(MastercardCard().card())
        let record = try #require(tap.outcome.dataRecord)
        #expect(
            record.map(\.tag.description) == [
                "9F02", "9F03", "9F26", "5F24", "82", "50", "5A", "5F34", "9F36", "9F07", "9F09",
                "9F27", "9F34", "84", "9F1E", "9F10", "9F33", "9F1A", "9F35", "95", "57", "5F2A",
                "9A", "9C", "9F37",
            ]
        )
        let discretionary = try #require(tap.outcome.discretionaryData)
        #expect(discretionary.map(\.tag.description) == ["9F42", "DF8115"])
        #expect(discretionary.last?.value.hex == "0000000000FF")
    }

    @Test("Above the floor limit: TVR byte 4 bit 8, ARQC with CDA, online (S456.37)")
    func onlineByFloorLimit() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.minorUnits = 2001
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.requestedCryptogram == 0x90)
        #expect(tap.value(.terminalVerificationResults) == "0000008001")
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.authentication == .successful(.combined))
        #expect(tap.messageIdentifiers == [.presentCard, .clearDisplay, .authorising])
        #expect(tap.outcome.parameterSet.hex == "30F0F000B0F0FF00")

        // The kernel compares with "over": the limit itself is not exceeded.
        terminal.minorUnits = 2000
        #expect(
            try terminal.tap(MastercardCard().card()).value(.terminalVerificationResults)
                == "0000000001"
        )
    }

    @Test(
        "The terminal type decides what is asked when nothing speaks against approving (7.8)",
        arguments: [
            (0x11, 0x90), (0x21, 0x90), (0x14, 0x90), (0x24, 0x90), (0x34, 0x90), (0x12, 0x50),
            (0x22, 0x50), (0x15, 0x50), (0x25, 0x50), (0x35, 0x50), (0x13, 0x50), (0x23, 0x50),
            (0x16, 0x50), (0x26, 0x50), (0x36, 0x50),
        ] as [(UInt8, UInt8)]
    )
    func terminalTypes(type: UInt8, requested: UInt8) throws {
        var terminal = try TestTerminal.mastercard()
        terminal.terminalData[.terminalType] = [type]
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.requestedCryptogram == requested)
    }

    @Test("An offline-only terminal declines what it would send online (7.8)")
    func offlineOnly() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.terminalData[.terminalType] = [0x26]
        terminal.minorUnits = 2001
        try terminal.set(.terminalActionCodeDefault, "0000008000")
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.requestedCryptogram == 0x00)
        #expect(tap.outcome.status == .tryAnotherInterface)
    }

    @Test("A card may go online when asked for an approval (S9.23)")
    func cardGoesOnline() throws {
        var card = MastercardCard()
        card.decide = { _ in .arqc }
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.requestedCryptogram == 0x50)
        #expect(tap.outcome.status == .onlineRequest)
    }

    @Test(
        "A card may not give more than it was asked for: card data error (S9.24)",
        arguments: [CryptogramKind.tc, .reserved]
    )
    func tooMuch(kind: CryptogramKind) throws {
        var terminal = try TestTerminal.mastercard()
        terminal.terminalData[.terminalType] = [0x21]
        var card = MastercardCard()
        card.decide = { _ in kind }
        let tap = try terminal.tap(card.card())
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .cardDataError)
        #expect(tap.outcome.error.concerning == .cryptogramInformationData)
        #expect(tap.outcome.uiRequestOnOutcome?.message == .tryAnotherCard)
        #expect(tap.outcome.error.bytes.hex == "00060000001C")
    }

    @Test("An ARQC for an AAC asked for is a card data error too (S9.24)")
    func tooMuchForRefusal() throws {
        var terminal = try TestTerminal.mastercard()
        try terminal.set(.terminalActionCodeDenial, "0000008000")
        terminal.minorUnits = 2001
        var card = MastercardCard()
        card.decide = { _ in .arqc }
        let tap = try terminal.tap(card.card())
        #expect(tap.requestedCryptogram == 0x00)
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .cardDataError)
    }

    @Test("An expired card: TVR byte 2 bit 7, declined when an action code says so (7.7)")
    func expired() throws {
        var card = MastercardCard()
        card.expiration = "261129"
        card.recordObjects = [(.issuerActionCodeDenial, "0040000000")]
        let declined = try TestTerminal.mastercard().tap(card.card())
        #expect(declined.value(.terminalVerificationResults) == "0040000001")
        #expect(declined.requestedCryptogram == 0x00)
        #expect(declined.outcome.status == .tryAnotherInterface)
        #expect(declined.outcome.uiRequestOnOutcome?.message == .insertCard)

        card.recordObjects = []
        let online = try TestTerminal.mastercard().tap(card.card())
        #expect(online.requestedCryptogram == 0x90)
        #expect(online.outcome.status == .onlineRequest)

        // The last day is still good.
        card.expiration = "261130"
        #expect(
            try TestTerminal.mastercard().tap(card.card()).value(.terminalVerificationResults)
                == "0000000001"
        )
    }

    @Test(
        "An AAC: another interface for a card, declined for a device or without contacts (S910.74)",
        arguments: [
            (
                profile: "1180", thirdParty: nil, capability: "20",
                Outcome.Status.tryAnotherInterface
            ),
            ("1180", nil, "00", .declined),
            ("1180", "0056000031310000", "20", .declined),
            ("1180", "0056000030300000", "20", .tryAnotherInterface),
            ("1180", "00568000313100", "20", .tryAnotherInterface),
            ("11C0", nil, "20", .declined),
        ] as [(profile: String, thirdParty: String?, capability: String, Outcome.Status)]
    )
    func refused(
        profile: String,
        thirdParty: String?,
        capability: String,
        expected: Outcome.Status
    ) throws {
        var terminal = try TestTerminal.mastercard()
        try terminal.set(.cardDataInputCapability, capability)
        var card = MastercardCard()
        card.profile = profile
        card.decide = { _ in .aac }
        if let thirdParty { card.recordObjects = [(.thirdPartyData, thirdParty)] }
        let tap = try terminal.tap(card.card())
        #expect(tap.outcome.status == expected)
        let isDeclined = expected == .declined
        #expect(
            tap.outcome.uiRequestOnOutcome?.message == (isDeclined ? .notAuthorised : .insertCard)
        )
        #expect(tap.outcome.alternateInterface == (isDeclined ? nil : .contactChip))
        #expect(tap.outcome.dataRecord != nil)
    }

    @Test("An AAC for a transaction without goods or cash ends the application (S910.74)")
    func refusedInquiry() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.type = .inquiry
        var card = MastercardCard()
        card.decide = { _ in .aac }
        let tap = try terminal.tap(card.card())
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.uiRequestOnOutcome == nil)
    }

    @Test("A card without CDA answers in either format and is not authenticated (6.5.5.4)")
    func withoutAuthentication() throws {
        var card = MastercardCard()
        card.profile = "1080"
        card.recordObjects = [(.issuerActionCodeOnline, "0000000000")]
        var terminal = try TestTerminal.mastercard()
        try terminal.set(.terminalActionCodeOnline, "0000000000")
        let format2 = try terminal.tap(card.card())
        #expect(format2.requestedCryptogram == 0x40)
        #expect(format2.value(.terminalVerificationResults) == "8000000001")
        #expect(format2.outcome.status == .approved)
        #expect(format2.authentication == .notPerformed)

        var other = try card.card()
        other[.cryptogram] = .data(try [UInt8](hex: "800D4000010102030405060708AABB"))
        let format1 = try terminal.tap(other)
        #expect(format1.outcome.status == .approved)
        #expect(format1.value(.applicationCryptogram) == "0102030405060708")
        #expect(format1.value(.issuerApplicationData) == "AABB")
    }

    @Test("A card that detects when the field goes gets it switched off for DF8130 (S1.8)")
    func fieldOffDetection() throws {
        var card = MastercardCard()
        card.selectionObjects = [(.applicationCapabilitiesInformation, "000400")]
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.outcome.fieldOffHoldTime == 13)
    }
}

@Suite("Kernel 2: the kernel's own limits")
struct Kernel2LimitTests {
    @Test("Over the transaction limit: Select Next, then End Application (S456.14, S456.15)")
    func overLimit() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.minorUnits = 10001
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.kernelOutcome?.status == .selectNext)
        #expect(tap.kernelOutcome?.start == .c)
        #expect(tap.kernelOutcome?.error.l2 == .maximumLimitExceeded)
        #expect(tap.kernelOutcome?.parameterSet.hex == "5020F0F010F0FF00")
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .emptyCandidateList)
        #expect(tap.messageIdentifiers == [.presentCard, .tryAnotherCard])
        #expect(tap.command(0xAE) == nil)

        // The limit itself is allowed.
        terminal.minorUnits = 10000
        #expect(try terminal.tap(MastercardCard().card()).outcome.status == .onlineRequest)
    }

    @Test("The next application of the card is tried, with the same data")
    func nextApplication() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.minorUnits = 10001
        var maestro = terminal.combinations[0]
        maestro.applicationIdentifier = try RecordedTerminal.aid("A0000000043060")
        maestro.kernelData[.readerContactlessTransactionLimitNoOnDeviceCVM] = [
            0, 0, 0, 0x09, 0x00, 0x00,
        ]
        terminal.combinations[0].applicationIdentifier = try RecordedTerminal.aid(
            MastercardCard.aid
        )
        terminal.combinations.append(maestro)
        var card = try MastercardCard().card()
        card[.selectDirectory] = CardFile.directory([
            try CardFile.entry("A0000000043060", priority: 2, label: "Maestro"),
            try CardFile.entry(MastercardCard.aid, priority: 1, label: "Mastercard"),
        ])
        card[.select("A0000000043060")] = try CardFile.application("A0000000043060", [])
        let tap = try terminal.tap(card)
        #expect(
            tap.conclusion.attempts.map(\.applicationIdentifier.description) == [
                "A0000000041010", "A0000000043060",
            ]
        )
        #expect(
            tap.conclusion.attempts.map { $0.label.map { String(decoding: $0, as: UTF8.self) } }
                == ["Mastercard", "Maestro"]
        )
        #expect(tap.outcome.status == .onlineRequest)
    }

    @Test("A device that verifies its user has a limit of its own (S3.33)")
    func onDeviceLimit() throws {
        var terminal = try TestTerminal.mastercard()
        var card = MastercardCard()
        card.profile = "0380"
        terminal.minorUnits = 20000
        #expect(try terminal.tap(card.card()).outcome.status == .onlineRequest)
        terminal.minorUnits = 20001
        let tap = try terminal.tap(card.card())
        #expect(tap.kernelOutcome?.error.l2 == .maximumLimitExceeded)
    }

    @Test("Nothing configured means limits of zero: every amount is over (Table 5.5)")
    func defaults() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.combinations[0].kernelData = [:]
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.kernelOutcome?.error.l2 == .maximumLimitExceeded)
    }
}

@Suite("Kernel 2: cardholder verification")
struct Kernel2CardholderTests {
    @Test("Over the CVM limit: online PIN, receipt, DF8118 in 9F33 (S456.30; CVM.18)")
    func onlinePIN() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.minorUnits = 5001
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.value(.terminalCapabilities) == "206008")
        #expect(tap.value(.cvmResults) == "420300")
        #expect(tap.value(.terminalVerificationResults) == "0000048001")
        #expect(tap.outcome.cvm == .onlinePIN)
        #expect(tap.outcome.isReceiptNeeded)
        #expect(tap.outcome.uiRequestOnOutcome?.message == .enterPIN)
        #expect(tap.outcome.parameterSet.hex == "30F0F020B8F0FF00")

        terminal.minorUnits = 5000
        #expect(try terminal.tap(MastercardCard().card()).outcome.cvm == .noCVM)
    }

    @Test("Signature: receipt, approved with the request to sign (CVM.18; S910.75)")
    func signature() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.minorUnits = 5001
        try terminal.set(.cvmCapabilityCVMRequired, "20")
        try terminal.set(.readerContactlessFloorLimit, "000000010000")
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.value(.cvmResults) == "1E0300")
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.cvm == .obtainSignature)
        #expect(tap.outcome.uiRequestOnOutcome?.message == .approvedPleaseSign)
        #expect(tap.outcome.parameterSet.hex == "10F0F010B8F0FF00")
    }

    @Test("A signature needs a receipt below the CVM limit too (CVM.18)")
    func signatureBelowLimit() throws {
        var terminal = try TestTerminal.mastercard()
        try terminal.set(.cvmCapabilityNoCVMRequired, "20")
        let tap = try terminal.tap(MastercardCard().card())
        #expect(tap.outcome.cvm == .obtainSignature)
        #expect(tap.outcome.isReceiptNeeded)
        #expect(tap.outcome.uiRequestOnOutcome?.message == .approvedPleaseSign)
    }

    @Test("CVM not met: TVR byte 3 bit 8, and the action codes decide (CVM.22 to CVM.25)")
    func notMet() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.minorUnits = 5001
        var card = MastercardCard()
        card.cvmList = "00000000000000000100"
        let online = try terminal.tap(card.card())
        #expect(online.value(.terminalVerificationResults) == "0000808001")
        #expect(online.value(.cvmResults) == "3F0001")
        #expect(online.outcome.cvm == .noCVM)
        #expect(online.outcome.status == .onlineRequest)

        card.recordObjects = [(.issuerActionCodeDenial, "0000800000")]
        let declined = try terminal.tap(card.card())
        #expect(declined.requestedCryptogram == 0x00)
        #expect(declined.outcome.status == .tryAnotherInterface)
    }

    @Test("On-device verification is taken over the limit and not needed below it (CVM.1 to CVM.4)")
    func onDevice() throws {
        var terminal = try TestTerminal.mastercard()
        var card = MastercardCard()
        card.profile = "0380"
        let below = try terminal.tap(card.card())
        #expect(below.value(.cvmResults) == "3F0002")
        #expect(below.outcome.cvm == .noCVM)

        terminal.minorUnits = 5001
        let over = try terminal.tap(card.card())
        #expect(over.value(.cvmResults) == "010002")
        #expect(over.outcome.cvm == .confirmationCodeVerified)
        #expect(over.outcome.parameterSet.hex == "30F0F030B8F0FF00")
    }

    @Test("A device whose word is not signed gets an AAC (GAC.22)")
    func onDeviceUnsigned() throws {
        var terminal = try TestTerminal.mastercard()
        terminal.environment.keys = []
        var card = MastercardCard()
        card.profile = "0380"
        let tap = try terminal.tap(card.card())
        #expect(tap.value(.terminalVerificationResults) == "0400000001")
        #expect(tap.requestedCryptogram == 0x00)
    }

    @Test("A card without cardholder verification has none (CVM.5)")
    func unsupported() throws {
        var card = MastercardCard()
        card.profile = "0180"
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.value(.cvmResults) == "3F0000")
        #expect(tap.outcome.cvm == .noCVM)
    }

    @Test("No CVM list: ICC data missing; a list without rules: nothing (CVM.7 to CVM.9)")
    func noList() throws {
        var card = MastercardCard()
        card.cvmList = ""
        let without = try TestTerminal.mastercard().tap(card.card())
        #expect(without.value(.cvmResults) == "3F0000")
        #expect(without.value(.terminalVerificationResults) == "2000000001")
        card.cvmList = "0000000000000000"
        let empty = try TestTerminal.mastercard().tap(card.card())
        #expect(empty.value(.cvmResults) == "3F0000")
        #expect(empty.value(.terminalVerificationResults) == "0000000001")
    }

    @Test(
        "A CVM list with half a rule is a card data error",
        arguments: ["00", "00000000000000000203FF"]
    )
    func malformedList(list: String) throws {
        var card = MastercardCard()
        card.cvmList = list
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .cardDataError)
        #expect(tap.outcome.error.concerning == .cvmList)
    }
}
