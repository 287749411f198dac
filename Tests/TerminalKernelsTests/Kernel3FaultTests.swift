import BERTLV
import EMVData
import Octets
import TerminalKernels
import Testing

@Suite("Kernel 3: cards that misbehave")
struct Kernel3FaultTests {
    private func tap(_ command: CardCommand, _ answer: CardAnswer) throws -> Tap {
        var visa = VisaCard()
        visa.kind = .tc
        var card = try visa.card()
        card[command] = answer
        return try TestTerminal.visa().tap(card)
    }

    private func expectEnd(
        _ tap: Tap,
        _ error: ErrorIndication.L2,
        _ tag: BERTLV.Tag? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(tap.outcome.status == .endApplication, sourceLocation: sourceLocation)
        #expect(tap.outcome.error.l2 == error, sourceLocation: sourceLocation)
        #expect(
            tap.outcome.uiRequestOnOutcome?.message == .tryAnotherCard,
            sourceLocation: sourceLocation
        )
        if let tag { #expect(tap.outcome.error.concerning == tag, sourceLocation: sourceLocation) }
    }

    @Test("6984 to GET PROCESSING OPTIONS: the contact chip (5.2.2.2)")
    func contactChip() throws {
        let tap = try tap(.processingOptions, .status(0x6984))
        #expect(tap.outcome.status == .tryAnotherInterface)
        #expect(tap.outcome.alternateInterface == .contactChip)
        #expect(tap.messageIdentifiers == [.presentCard, .insertCard])
        #expect(tap.messages[1].status == .processingError)
        #expect(tap.outcome.error.bytes.hex == "00030069841D")
        #expect(tap.outcome.parameterSet.hex == "60F0F0F08010FF00")
    }

    @Test("6985: Select Next, and End Application when there is no other (5.2.2.2)")
    func selectNext() throws {
        let tap = try tap(.processingOptions, .status(0x6985))
        #expect(tap.kernelOutcome?.status == .selectNext)
        #expect(tap.kernelOutcome?.start == .c)
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .emptyCandidateList)
    }

    @Test("6986: see phone, tap again (5.2.2.2), or End Application (named option)")
    func seePhone() throws {
        var card = try VisaCard().card()
        let good = try #require(card[.processingOptions])
        card[.processingOptions] = .first(.status(0x6986), then: good)
        var terminal = try TestTerminal.visa()
        let tap = try terminal.tap(card)
        let first = tap.conclusion.attempts[0].outcome
        #expect(first.status == .tryAgain)
        #expect(first.parameterSet.hex == "7010F0F0C0F00D00")
        #expect(
            first.uiRequestOnOutcome
                == UserInterfaceRequest(.seePhone, .processingError, holdTime: 13)
        )
        #expect(tap.fieldOffTimes == [.milliseconds(1300)])
        #expect(
            tap.messageIdentifiers == [
                .presentCard, .seePhone, .presentAgain, .cardReadOK, .authorising,
            ]
        )
        #expect(tap.outcome.status == .onlineRequest)

        terminal.combinations[0].kernel3.conditionsNotMet = .endApplication
        expectEnd(try terminal.tap(card), .statusBytes)
    }

    @Test(
        "Any other status word: End Application, or Select Next (named option)",
        arguments: [
            0x6A81, 0x6D00, 0x6283, 0x6F00, 0x9001,
        ] as [UInt16]
    )
    func otherStatus(status: UInt16) throws {
        var card = try VisaCard().card()
        card[.processingOptions] = .status(status)
        var terminal = try TestTerminal.visa()
        let end = try terminal.tap(card)
        expectEnd(end, .statusBytes)
        #expect(end.outcome.error.statusWord == status)
        terminal.combinations[0].kernel3.unknownStatusWord = .selectNext
        #expect(try terminal.tap(card).kernelOutcome?.status == .selectNext)
    }

    @Test("A status word to READ RECORD: End Application (5.3)")
    func recordStatus() throws {
        let tap = try tap(.record(4, 1), .status(0x6A83))
        expectEnd(tap, .statusBytes)
        #expect(tap.outcome.error.bytes.hex == "0003006A831C")
    }

    @Test(
        "Mandatory objects of the card (5.4.2.1)",
        arguments: [
            0x82, 0x9F10, 0x9F26, 0x9F36, 0x57,
        ] as [UInt32]
    )
    func mandatory(tag: UInt32) throws {
        var card = VisaCard()
        card.optionObjects = [(BERTLV.Tag(rawValue: tag), "")]
        let tap = try TestTerminal.visa().tap(card.card())
        expectEnd(tap, .cardDataMissing, BERTLV.Tag(rawValue: tag))
        #expect(tap.messageIdentifiers == [.presentCard, .cardReadOK, .tryAnotherCard])
    }

    @Test("A terminal without its own mandatory objects says so")
    func terminalData() throws {
        var terminal = try TestTerminal.visa()
        terminal.terminalData[.terminalCountryCode] = nil
        let tap = try terminal.tap(VisaCard().card())
        expectEnd(tap, .terminalDataError, .terminalCountryCode)
    }

    @Test("The account numbers in 57 and 5A must be the same")
    func differentAccounts() throws {
        var card = VisaCard()
        card.kind = .tc
        card.recordObjects = [(.applicationPAN, "4761739001010028")]
        expectEnd(
            try TestTerminal.visa().tap(card.card()),
            .cardDataError,
            .track2EquivalentData
        )
    }

    @Test("An object given twice ends the application (5.4.2.2)")
    func duplicates() throws {
        let inOptions = VisaCard(tamper: { $0 + [TLV(.panSequenceNumber, [1])] })
        expectEnd(try TestTerminal.visa().tap(inOptions.card()), .parsingError, .panSequenceNumber)
        let record = TLV(.recordTemplate, [TLV(.panSequenceNumber, [1])]).encoded
        expectEnd(try tap(.record(3, 1), .data(record)), .parsingError, .panSequenceNumber)
    }

    @Test(
        "Answers to GET PROCESSING OPTIONS that are none",
        arguments: [
            "", "77", "7700FF", "7001", "77038202", "770382020000", "8000", "80032000AA", "6F00",
        ]
    )
    func options(body: String) throws {
        expectEnd(try tap(.processingOptions, .data([UInt8](hex: body))), .parsingError)
    }

    @Test("Format 1 is read, but a qVSDC card cannot put a cryptogram into it")
    func format1() throws {
        let tap = try tap(.processingOptions, .data([UInt8](hex: "8006200018010100")))
        #expect(tap.command(0xB2)?.hex == "00B2011C00")
        expectEnd(tap, .cardDataMissing)
    }

    @Test("A malformed AFL ends the application", arguments: ["100100", "08020100", "F8010100"])
    func locator(locator: String) throws {
        var card = VisaCard()
        card.optionObjects = [(.applicationFileLocator, locator)]
        expectEnd(
            try TestTerminal.visa().tap(card.card()),
            .cardDataError,
            .applicationFileLocator
        )
    }

    @Test(
        "Objects with impossible lengths or values",
        arguments: [
            (0x9F6C, "00", ErrorIndication.L2.parsingError), (0x9F6E, "23", .parsingError),
            (0x57, "4761739001010010", .cardDataError), (0x9F27, "8000", .parsingError),
            (0x9F5D, "00", .parsingError), (0x9F69, "01", .parsingError),
        ] as [(UInt32, String, ErrorIndication.L2)]
    )
    func values(tag: UInt32, value: String, error: ErrorIndication.L2) throws {
        var card = VisaCard()
        card.optionObjects = [(BERTLV.Tag(rawValue: tag), value)]
        if tag == 0x57 { card.kind = .tc }
        expectEnd(try TestTerminal.visa().tap(card.card()), error, BERTLV.Tag(rawValue: tag))
    }

    @Test("Objects of the terminal's own that a card sends change nothing")
    func foreignObjects() throws {
        var card = VisaCard()
        card.optionObjects = [
            (.amountAuthorised, "000000000001"), (.terminalVerificationResults, "FFFFFFFFFF"),
            (.terminalTransactionQualifiers, "FFFFFFFF"),
        ]
        let tap = try TestTerminal.visa().tap(card.card())
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.value(.amountAuthorised) == "000000001000")
        #expect(
            tap.outcome.dataRecord?.first { $0.tag == .amountAuthorised }?.value.hex
                == "000000001000"
        )
        #expect(
            tap.outcome.dataRecord?.first { $0.tag == .terminalVerificationResults }?.value.hex
                == "0000000000"
        )
    }

    @Test(
        "No answer: the card shall be presented again",
        arguments: [
            CardCommand.processingOptions, .record(3, 1),
        ]
    )
    func silence(command: CardCommand) throws {
        var visa = VisaCard()
        visa.kind = .tc
        var card = try visa.card()
        let good = try #require(card[command])
        card[command] = .first(.failure(.timeout), then: good)
        let tap = try TestTerminal.visa().tap(card)
        #expect(tap.conclusion.attempts[0].outcome.error.l1 == .timeout)
        #expect(tap.conclusion.attempts[0].outcome.status == .tryAgain)
        #expect(tap.outcome.status == .approved)
        card[command] = .failure(.protocolViolation)
        let lost = try TestTerminal.visa().tap(card)
        #expect(lost.outcome.status == .endApplication)
        #expect(lost.outcome.error.l1 == .protocolViolation)
    }
}
