import BERTLV
import EMVCrypto
import EMVData
import Octets
import TerminalKernels
import Testing

@Suite("Kernel 2: cards that misbehave")
struct Kernel2FaultTests {
    /// Taps a card with one answer replaced.
    private func tap(_ command: CardCommand, _ answer: CardAnswer) throws -> Tap {
        var card = try MastercardCard().card()
        card[command] = answer
        return try TestTerminal.mastercard().tap(card)
    }

    /// Expects End Application with an error.
    private func expectEnd(
        _ tap: Tap,
        _ error: ErrorIndication.L2,
        _ tag: BERTLV.Tag? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(tap.outcome.status == .endApplication, sourceLocation: sourceLocation)
        #expect(tap.outcome.error.l2 == error, sourceLocation: sourceLocation)
        #expect(tap.outcome.error.message == .tryAnotherCard, sourceLocation: sourceLocation)
        #expect(
            tap.outcome.uiRequestOnOutcome?.message == .tryAnotherCard,
            sourceLocation: sourceLocation
        )
        #expect(
            tap.outcome.discretionaryData?.last?.value == tap.outcome.error.bytes,
            sourceLocation: sourceLocation
        )
        if let tag { #expect(tap.outcome.error.concerning == tag, sourceLocation: sourceLocation) }
    }

    @Test("A status word to GET PROCESSING OPTIONS: Select Next (S3.9)")
    func optionsStatus() throws {
        let tap = try tap(.processingOptions, .status(0x6985))
        #expect(tap.kernelOutcome?.status == .selectNext)
        #expect(tap.kernelOutcome?.error.bytes.hex == "0003006985FF")
        #expect(tap.outcome.error.l2 == .emptyCandidateList)
    }

    @Test("A status word to READ RECORD: End Application (S4.10)")
    func recordStatus() throws {
        let tap = try tap(.record(3, 1), .status(0x6A83))
        expectEnd(tap, .statusBytes)
        #expect(tap.outcome.error.bytes.hex == "0003006A831C")
    }

    @Test("A status word to GENERATE AC: End Application (S9.17)")
    func cryptogramStatus() throws {
        let tap = try tap(.cryptogram, .status(0x6985))
        expectEnd(tap, .statusBytes)
        #expect(tap.outcome.error.statusWord == 0x6985)
    }

    @Test(
        "An FCI without a name, or none at all: Select Next (S1.7)",
        arguments: [
            "6F09A507500541414141FF", "6F00", "", "7000", "6F0584A0000000",
            "6F0B8407A000000004101084", "6F128407A00000000410108407A0000000041010",
        ]
    )
    func selection(body: String) throws {
        let tap = try tap(.select(MastercardCard.aid), .data([UInt8](hex: body)))
        #expect(tap.kernelOutcome?.status == .selectNext)
        #expect([.parsingError, .cardDataMissing].contains(tap.kernelOutcome?.error.l2))
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.commands.count == 2)
    }

    @Test("No PDOL: an empty command template is sent (S1.11)")
    func withoutPDOL() throws {
        let tap = try TestTerminal.mastercard().tap(MastercardCard().card())
        #expect(tap.command(0xA8)?.hex == "80A8000002830000")
    }

    @Test("A PDOL: every value padded or cut as its format demands, a repeated tag twice (asks 13)")
    func withPDOL() throws {
        var card = MastercardCard()
        card.pdol = "9A039A039F02045F2A039F37089F33039F66049F1E045A02" + "DF0102"
        let tap = try TestTerminal.mastercard().tap(card.card())
        let expected = [
            "261130", "261130", "00001000", "000978", "0102030400000000", "200008", "00000000",
            "31323334", "0000", "0000",
        ].joined()
        let count = expected.count / 2
        #expect(
            tap.command(0xA8)?.hex
                == "80A80000" + [UInt8(count + 2), 0x83, UInt8(count)].hex + expected + "00"
        )
    }

    @Test(
        "A PDOL that asks for more than a command holds, or is malformed",
        arguments: [
            "9F02FF", "9F0281FD", "9F02", "9F0206DF",
        ]
    )
    func badPDOL(pdol: String) throws {
        var card = MastercardCard()
        card.pdol = pdol
        expectEnd(
            try TestTerminal.mastercard().tap(card.card()),
            .cardDataError,
            .processingOptionsList
        )
    }

    @Test("A CDOL that is malformed or asks for too much", arguments: ["9F02", "9F02FF9F0302"])
    func badCDOL(cdol: String) throws {
        var card = MastercardCard()
        card.recordObjects = [(.cardRiskManagementList1, cdol)]
        expectEnd(
            try TestTerminal.mastercard().tap(card.card()),
            .cardDataError,
            .cardRiskManagementList1
        )
    }

    @Test("A card that wants magnetic stripe mode is refused (S3.15 to S3.17)")
    func magneticStripe() throws {
        // As a published mag-stripe test card answers.
        let answer = try [UInt8](hex: "770A82020000940408010100")
        expectEnd(try tap(.processingOptions, .data(answer)), .magstripeNotSupported)

        var terminal = try TestTerminal.mastercard()
        try terminal.set(.kernelConfiguration, "E0")
        expectEnd(try terminal.tap(MastercardCard().card()), .magstripeNotSupported)
    }

    @Test("Where the reader could read stripe data, that record is left out (S3.30)")
    func magneticStripeRecord() throws {
        var terminal = try TestTerminal.mastercard()
        var card = try MastercardCard().card()
        card[.processingOptions] = .data(
            try [UInt8](hex: "771682021180941008010100100101011801010020010100")
        )
        try terminal.set(.kernelConfiguration, "20")
        #expect(try terminal.tap(card).outcome.status == .approved)

        // A reader that says it cannot reads it, and this card does not have it.
        try terminal.set(.kernelConfiguration, "A0")
        expectEnd(try terminal.tap(card), .statusBytes)

        // Nothing else to read is an error.
        try terminal.set(.kernelConfiguration, "20")
        card[.processingOptions] = .data(try [UInt8](hex: "770A82021180940408010100"))
        expectEnd(try terminal.tap(card), .cardDataError, .applicationFileLocator)
    }

    @Test(
        "AIP and AFL are mandatory (S3.13)",
        arguments: [
            ("7706940410010101", 0x82), ("770482021180", 0x94), ("7700", 0x82),
            ("7706820211809400", 0x94),
        ] as [(String, UInt32)]
    )
    func missingOptions(body: String, tag: UInt32) throws {
        let bytes = try [UInt8](hex: body)
        expectEnd(
            try tap(.processingOptions, .data(bytes)),
            .cardDataMissing,
            BERTLV.Tag(rawValue: tag)
        )
    }

    @Test("GET PROCESSING OPTIONS in format 1 (EMV Book 3, 6.5.8.4)")
    func format1() throws {
        let good = try [UInt8](hex: "800E1180100101011801010020010100")
        #expect(try tap(.processingOptions, .data(good)).outcome.status == .approved)
        for bad in ["8000", "80021180", "80051180100101", "80081180100101010101"] {
            expectEnd(try tap(.processingOptions, .data([UInt8](hex: bad))), .parsingError)
        }
    }

    @Test(
        "An AFL that breaks a rule of EMV Book 3, 10.2",
        arguments: [
            "090202001001040018010201", "08000100", "08020100", "08010102", "00010100", "F8010100",
            "100101", "10010101FF", "1001FF00180101001801FF00",
        ]
    )
    func badLocator(locator: String) throws {
        let bytes = try [UInt8](hex: locator)
        let answer = TLV(
            .responseTemplate2,
            [
                TLV(.applicationInterchangeProfile, [0x11, 0x80]),
                TLV(.applicationFileLocator, bytes),
            ]
        ).encoded
        let tap = try tap(.processingOptions, .data(answer))
        expectEnd(tap, .cardDataError, .applicationFileLocator)
        #expect(tap.command(0xB2) == nil)
    }

    @Test(
        "Mandatory objects of the records (S456.16)",
        arguments: [0x5A, 0x5F24, 0x8C] as [UInt32]
    )
    func missingRecordObject(tag: UInt32) throws {
        var card = MastercardCard()
        card.recordObjects = [(BERTLV.Tag(rawValue: tag), "")]
        expectEnd(
            try TestTerminal.mastercard().tap(card.card()),
            .cardDataMissing,
            BERTLV.Tag(rawValue: tag)
        )
    }

    @Test("An object given twice, in one record or in two, is a parsing error (4.5)")
    func duplicates() throws {
        var card = try MastercardCard().card()
        guard case .data(let bytes) = card[.record(2, 1)] else { return }
        let objects = try TLV.parseOne(bytes).objects
        let again = TLV(
            .recordTemplate,
            objects + [try TLV(.applicationPAN, hex: "5413330089600028")]
        )
        expectEnd(try tap(.record(2, 1), .data(again.encoded)), .parsingError, .applicationPAN)

        card[.record(4, 1)] = .data(
            TLV(.recordTemplate, [try TLV(.applicationUsageControl, hex: "FFC0")]).encoded
        )
        expectEnd(
            try TestTerminal.mastercard().tap(card),
            .parsingError,
            .applicationUsageControl
        )
    }

    @Test(
        "An object of the terminal's own is not taken from a card (4.5)",
        arguments: [
            0x9F02, 0x95, 0x9F37, 0xDF8123, 0xDF811B, 0x9F33, 0x9A,
        ] as [UInt32]
    )
    func foreignObject(tag: UInt32) throws {
        let tag = BERTLV.Tag(rawValue: tag)
        var card = MastercardCard()
        let length = 5
        card.recordObjects = [(tag, String(repeating: "00", count: length))]
        let tap = try TestTerminal.mastercard().tap(card.card())
        expectEnd(tap, .parsingError, tag)
    }

    @Test(
        "Lengths a definition does not allow; an empty value counts as absent",
        arguments: [
            (0x5F24, "3012", ErrorIndication.L2.parsingError), (0x5F34, "0101", .parsingError),
            (0x9F07, "FF", .parsingError), (0x5A, "5413330089600010000000", .parsingError),
            (0x9F0E, "00000000", .parsingError), (0x9F6E, "0056", .parsingError),
        ] as [(UInt32, String, ErrorIndication.L2)]
    )
    func lengths(tag: UInt32, value: String, error: ErrorIndication.L2) throws {
        var card = MastercardCard()
        card.recordObjects = [(BERTLV.Tag(rawValue: tag), value)]
        expectEnd(try TestTerminal.mastercard().tap(card.card()), error, BERTLV.Tag(rawValue: tag))
    }

    @Test(
        "Values that make no sense",
        arguments: [
            (0x5F24, "301331"), (0x5F25, "2A0101"), (0x9F42, "09A8"),
        ] as [(UInt32, String)]
    )
    func values(tag: UInt32, value: String) throws {
        var card = MastercardCard()
        card.recordObjects = [(BERTLV.Tag(rawValue: tag), value)]
        expectEnd(
            try TestTerminal.mastercard().tap(card.card()),
            .cardDataError,
            BERTLV.Tag(rawValue: tag)
        )
    }

    @Test(
        "A record is one template 70 (S4.24)",
        arguments: [
            "", "7700", "9F360100", "70025A", "70005A00", "708003000000",
        ]
    )
    func badRecord(body: String) throws {
        let bytes = try [UInt8](hex: body)
        expectEnd(try tap(.record(3, 1), .data(bytes)), .parsingError, .recordTemplate)
    }

    @Test("Files 11 to 30 are the issuer's own: read, not parsed, and authenticated whole (10.3)")
    func proprietaryFile() throws {
        var card = try MastercardCard().card()
        card[.processingOptions] = .data(
            try [UInt8](hex: "771682021180941010010101180101002001010058010100")
        )
        card[.record(11, 1)] = .data([0xDE, 0xAD])
        #expect(try TestTerminal.mastercard().tap(card).outcome.status == .approved)

        // A signed one must be a template, and takes part whole: this card did not sign it.
        card[.processingOptions] = .data(
            try [UInt8](hex: "771682021180941010010101180101002001010058010101")
        )
        expectEnd(try TestTerminal.mastercard().tap(card), .parsingError)
        card[.record(11, 1)] = .data([0x70, 0x00])
        let tap = try TestTerminal.mastercard().tap(card)
        #expect(tap.authentication == .failed(.combined, .iccCertificate(.wrongHash)))
    }

    @Test(
        "What an answer to GENERATE AC must have (S9.20 to S9.22)",
        arguments: [
            ("7700", ErrorIndication.L2.cardDataMissing), ("77059F36020001", .cardDataMissing),
            ("77049F270140", .cardDataMissing), ("800A40000101020304050607", .parsingError),
            ("7000", .parsingError), ("", .parsingError), ("77059F270140", .parsingError),
            ("77099F2701409F36020001FF", .parsingError),
            ("77099F2701409F36020001", .cardDataMissing),
        ]
    )
    func cryptogram(body: String, error: ErrorIndication.L2) throws {
        let bytes = try [UInt8](hex: body)
        expectEnd(try tap(.cryptogram, .data(bytes)), error)
    }

    @Test(
        "No answer: the card shall be presented again, at most as often as configured",
        arguments: [
            CardCommand.processingOptions, .record(3, 1), .cryptogram, .selectDirectory,
            .select(MastercardCard.aid),
        ]
    )
    func silence(command: CardCommand) throws {
        var terminal = try TestTerminal.mastercard()
        var card = try MastercardCard().card()
        let good = try #require(card[command])
        card[command] = .first(.failure(.timeout), then: good)
        let recovered = try terminal.tap(card)
        #expect(recovered.outcome.status == .approved)
        #expect(
            recovered.messageIdentifiers == [
                .presentCard, .presentAgain, .presentAgain, .clearDisplay, .approved,
            ]
        )
        #expect(recovered.messages[1].status == .processingError)
        #expect(recovered.messages[2].status == .readyToRead)

        card[command] = .failure(.transmission)
        terminal.maximumRestarts = 3
        let lost = try terminal.tap(card)
        #expect(lost.outcome.status == .endApplication)
        #expect(lost.outcome.error.l1 == .transmission)
        #expect(lost.outcome.error.bytes.hex == "02000000001C")
        #expect(lost.messages.filter { $0.status == .readyToRead }.count == 5)
    }
}

@Suite("Kernel 2: second tap")
struct Kernel2SecondTapTests {
    @Test("The device has to verify its user: see phone, field off, tap again (S910.72; DF8131)")
    func secondTap() throws {
        var first = MastercardCard()
        first.decide = { _ in .aac }
        first.cryptogramObjects = [(.posCardholderInteractionInformation, "000100")]
        var second = MastercardCard()
        second.cryptogramObjects = [(.posCardholderInteractionInformation, "001000")]
        var card = try second.card()
        card[.cryptogram] = .first(
            .made { [first] in try first.cryptogramAnswer($0) },
            then: .made { [second] in try second.cryptogramAnswer($0) }
        )
        let tap = try TestTerminal.mastercard().tap(card)
        let outcome = tap.conclusion.attempts[0].outcome
        #expect(outcome.status == .tryAgain)
        #expect(outcome.start == .b)
        #expect(outcome.uiRequestOnOutcome?.message == .seePhone)
        #expect(outcome.uiRequestOnRestart?.message == .presentAgain)
        #expect(outcome.fieldOffHoldTime == 13)
        #expect(outcome.parameterSet.hex == "7010F000F0F00D00")

        #expect(tap.fieldOffTimes == [.milliseconds(1300)])
        #expect(tap.outcome.status == .approved)
        #expect(
            tap.messageIdentifiers == [
                .presentCard, .clearDisplay, .seePhone, .presentAgain, .clearDisplay, .approved,
            ]
        )
    }

    @Test(
        "Each flag of DF4B that asks for a second tap, and those that do not",
        arguments: [
            ("000100", UserInterfaceRequest.Message.seePhone), ("000200", .seePhone),
            ("000001", .seePhone), ("000002", .notAuthorised), ("000400", nil), ("000800", nil),
            ("001000", nil), ("000000", nil),
        ] as [(String, UserInterfaceRequest.Message?)]
    )
    func flags(information: String, message: UserInterfaceRequest.Message?) throws {
        var card = MastercardCard()
        card.cryptogramObjects = [(.posCardholderInteractionInformation, information)]
        var terminal = try TestTerminal.mastercard()
        terminal.maximumRestarts = 1
        let tap = try terminal.tap(card.card())
        let first = try #require(tap.conclusion.attempts.first).outcome
        #expect(first.status == (message == nil ? .approved : .tryAgain))
        if let message { #expect(first.uiRequestOnOutcome?.message == message) }
    }

    @Test("A card that asks for ever is given up")
    func endless() throws {
        var card = MastercardCard()
        card.cryptogramObjects = [(.posCardholderInteractionInformation, "000100")]
        let tap = try TestTerminal.mastercard().tap(card.card())
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.conclusion.attempts.count == 6)
        #expect(tap.messageIdentifiers.last == .tryAnotherCard)
    }
}
