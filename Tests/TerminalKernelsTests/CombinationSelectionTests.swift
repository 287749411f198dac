import BERTLV
import EMVData
import ISO7816
import Octets
import TestSupport
import Testing

@testable import TerminalKernels

/// Directories of cards, EMV Book B, 3.3.2.
@Suite("Payment directory")
struct PaymentDirectoryTests {
    @Test("Directories of strangers' cards", arguments: try RecordedSelection.directories())
    func strangers(vector: RecordedSelection.Case) throws {
        let directory = try PaymentDirectory(vector.answer)
        let expected = vector.expected.entries
        #expect(
            directory.entries.map(\.applicationIdentifier.bytes)
                == expected.map(\.applicationIdentifier.bytes)
        )
        #expect(
            directory.entries.map { $0.label.map { String(decoding: $0, as: UTF8.self) } }
                == expected.map(\.label)
        )
        // One of them has kernel identifiers behind its entries, which belong to none.
        #expect(directory.entries.allSatisfy { $0.kernelIdentifier == nil })
        #expect(
            directory.entries.map(\.priority) == expected.map { $0.priority?.bytes[0] ?? 15 }
        )
    }

    @Test(
        "Every proper prefix of a directory, and one byte too many, is refused",
        arguments: try RecordedSelection.directories()
    )
    func prefixes(vector: RecordedSelection.Case) throws {
        let bytes = vector.answer
        for count in bytes.indices {
            #expect(throws: CardFault.self) { try PaymentDirectory(Array(bytes.prefix(count))) }
        }
        #expect(throws: CardFault.self) { try PaymentDirectory(bytes + [0xA5]) }
        // Zeros are padding (EMV Book 3, Annex B1).
        #expect(try PaymentDirectory(bytes + [0x00]) == PaymentDirectory(bytes))
    }
}

@Suite("Combination selection")
struct CombinationSelectionTests {
    /// The names selected after the directory, and the outcome.
    private func select(
        _ entries: [TLV],
        _ combinations: [(String, KernelIdentifier)],
        extendedSelection: Bool = true
    ) throws -> (names: [String], outcome: Outcome) {
        var terminal = try TestTerminal.mastercard()
        terminal.combinations = try combinations.map { aid, kernel in
            var combination = Combination(
                applicationIdentifier: try RecordedTerminal.aid(aid),
                kernelIdentifier: kernel,
                transactionTypes: [.purchase]
            )
            combination.supportsExtendedSelection = extendedSelection
            return combination
        }
        var card = HandmadeCard()
        card[.selectDirectory] = CardFile.directory(entries)
        let tap = try terminal.tap(card)
        let names = tap.commands.dropFirst().map { $0[5..<5 + Int($0[4])].hex }
        return (Array(names), tap.outcome)
    }

    @Test("Priority first, then the card's order, then the reader's (3.3.2.5, 3.3.3.1)")
    func order() throws {
        let entries = [
            try CardFile.entry("A0000000041010", priority: 2),
            try CardFile.entry("A0000000031010", priority: nil),
            try CardFile.entry("A0000000043060", priority: 0x81),
            try CardFile.entry("A0000000032010", priority: 0),
            try CardFile.entry("A0000000042203", priority: 2),
        ]
        let result = try select(entries, [("A000000003", .kernel3), ("A000000004", .kernel2)])
        #expect(
            result.names == [
                "A0000000043060", "A0000000041010", "A0000000042203", "A0000000031010",
                "A0000000032010",
            ]
        )
        #expect(result.outcome.status == .endApplication)
        #expect(result.outcome.error.l2 == .emptyCandidateList)
        #expect(result.outcome.uiRequestOnOutcome?.status == .readyToRead)
    }

    @Test("Names match from their start; a longer name of the reader does not (3.3.2.5 B)")
    func partialNames() throws {
        let entries = [try CardFile.entry("A00000000410103333")]
        #expect(try select(entries, [("A0000000041010", .kernel2)]).names == ["A00000000410103333"])
        let shorter = [try CardFile.entry("A0000000041010")]
        #expect(try select(shorter, [("A00000000410103333", .kernel2)]).names.isEmpty)
        #expect(try select(shorter, [("A0000000043060", .kernel2)]).names.isEmpty)
    }

    @Test(
        "The kernel the card asks for (3.3.2.5 C and D)",
        arguments: [
            (nil, KernelIdentifier.kernel2, true), (nil, .kernel3, false), ("", .kernel2, true),
            ("02", .kernel2, true), ("02", .kernel3, false), ("00", .kernel3, true),
            ("03", .kernel2, false),
            ("0300000000000000", .kernel3, true), ("0200", .kernel2, true),
            ("810978", KernelIdentifier(rawValue: 0x810978), true), ("810978", .kernel2, false),
            ("8109", .kernel2, false), ("800978", KernelIdentifier(rawValue: 0x800978), false),
            ("C10001AABB", KernelIdentifier(rawValue: 0xC10001), true),
        ] as [(String?, KernelIdentifier, Bool)]
    )
    func kernels(requested: String?, kernel: KernelIdentifier, isCandidate: Bool) throws {
        let entries = [try CardFile.entry("A0000000041010", kernel: requested)]
        #expect(try select(entries, [("A0000000041010", kernel)]).names.isEmpty != isCandidate)
    }

    @Test("Several kernels for one name: the reader's order; one candidate each")
    func severalKernels() throws {
        let entries = [try CardFile.entry("A0000000041010", kernel: "00")]
        let combinations: [(String, KernelIdentifier)] = [
            ("A0000000041010", .kernel3), ("A000000004", .kernel2),
        ]
        #expect(
            try select(entries, combinations).names == ["A0000000041010", "A0000000041010"]
        )
    }

    @Test("Extended selection: appended where both fit 16 bytes and the reader can (3.3.3.2)")
    func extendedSelection() throws {
        let entries = [try CardFile.entry("A0000000041010", extendedSelection: "AABB")]
        let combinations: [(String, KernelIdentifier)] = [("A0000000041010", .kernel2)]
        #expect(try select(entries, combinations).names == ["A0000000041010AABB"])
        #expect(
            try select(entries, combinations, extendedSelection: false).names
                == ["A0000000041010"]
        )
        let long = [
            try CardFile.entry("A0000000041010", extendedSelection: "00112233445566778899")
        ]
        #expect(try select(long, combinations).names == ["A0000000041010"])
        let full = [
            try CardFile.entry("A0000000041010", extendedSelection: "001122334455667788")
        ]
        #expect(try select(full, combinations).names == ["A0000000041010001122334455667788"])
    }

    @Test("Entries without a valid name are passed over (3.3.2.5 A)")
    func invalidNames() throws {
        let entries = [
            TLV(.applicationTemplate, [TLV(.applicationPriority, [1])]),
            try CardFile.entry("A0000000"),
            try CardFile.entry("A0000000041010001122334455667788AA"),
            try CardFile.entry("A0000000041010", priority: 9),
        ]
        #expect(try select(entries, [("A000000004", .kernel2)]).names == ["A0000000041010"])
    }
}

@Suite("Entry point")
struct EntryPointTests {
    @Test(
        "At or over the transaction limit: Try Another Interface, before any card (3.1.1.13)",
        arguments: [
            10000, 10001, 999_999_999_999,
        ] as [UInt64]
    )
    func overLimit(minorUnits: UInt64) throws {
        var terminal = try TestTerminal.visa()
        terminal.minorUnits = minorUnits
        let tap = try terminal.tap(VisaCard().card())
        #expect(tap.commands.isEmpty)
        #expect(tap.outcome.status == .tryAnotherInterface)
        #expect(tap.messageIdentifiers == [.insertOrSwipe])
        #expect(tap.messages[0].status == .processingError)
        #expect(tap.outcome.parameterSet.hex == "60F0F0F080F0FF00")
        #expect(tap.outcome.error.l2 == .maximumLimitExceeded)
        terminal.minorUnits = 9999
        #expect(try terminal.tap(VisaCard().card()).outcome.status != .tryAnotherInterface)
    }

    @Test("A combination over its limit leaves the others")
    func oneOverLimit() throws {
        var terminal = try TestTerminal.visa()
        let mastercard = try TestTerminal.mastercard()
        terminal.combinations += mastercard.combinations
        terminal.environment.keys += mastercard.environment.keys
        terminal.combinations[0].limits.transaction = 500
        #expect(try terminal.tap(VisaCard().card()).outcome.error.l2 == .emptyCandidateList)
        #expect(try terminal.tap(MastercardCard().card()).outcome.status == .approved)
    }

    @Test("A transaction type nobody is configured for: Try Another Interface")
    func unknownType() throws {
        var terminal = try TestTerminal.visa()
        terminal.type = TransactionType(rawValue: 0x31)
        #expect(try terminal.tap(VisaCard().card()).outcome.status == .tryAnotherInterface)
    }

    @Test(
        "No PPSE, or none that can be read: End Application (3.3.2)",
        arguments: [
            (CardAnswer.status(0x6A82), ErrorIndication.L2.noPPSE),
            (.status(0x6283), .noPPSE), (.data([]), .ppseFault), (.data([0x6F, 0x00]), .ppseFault),
            (.data([0x6F, 0x02, 0xA5, 0x00]), .ppseFault),
            (.data([0x70, 0x00]), .ppseFault),
        ]
    )
    func noDirectory(answer: CardAnswer, error: ErrorIndication.L2) throws {
        var card = try VisaCard().card()
        card[.selectDirectory] = answer
        let tap = try TestTerminal.visa().tap(card)
        #expect(tap.commands.map(\.hex) == ["00A404000E325041592E5359532E444446303100"])
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == error)
        #expect(tap.messageIdentifiers == [.presentCard, .tryAnotherCard])
        #expect(tap.messages[1].status == .readyToRead)
    }

    @Test(
        "An empty directory, or nothing in it for this reader: End Application",
        arguments: [
            [], ["A0000000041010"],
        ]
    )
    func emptyCandidateList(names: [String]) throws {
        var card = try VisaCard().card()
        card[.selectDirectory] = CardFile.directory(try names.map { try CardFile.entry($0) })
        let tap = try TestTerminal.visa().tap(card)
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.error.l2 == .emptyCandidateList)
        #expect(tap.outcome.error.bytes.hex == "000A0000001C")
    }

    @Test("An application that cannot be selected is dropped and the next one taken (3.3.3.3)")
    func selectionFails() throws {
        var card = try VisaCard().card()
        card[.selectDirectory] = CardFile.directory([
            try CardFile.entry("A0000000032010", priority: 1),
            try CardFile.entry(VisaCard.aid, priority: 2),
        ])
        let tap = try TestTerminal.visa().tap(card)
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.commands[1].hex == "00A4040007A000000003201000")
        #expect(tap.commands[2].hex == "00A4040007A000000003101000")
    }

    @Test(
        "A Visa card that does not ask for 9F66 is dropped (3.3.3.6)",
        arguments: [
            "9F0206", "", "9F66", nil,
        ] as [String?]
    )
    func olderVisa(pdol: String?) throws {
        var card = try VisaCard().card()
        let objects = try pdol.map { [try TLV(.processingOptionsList, hex: $0)] } ?? []
        card[.select(VisaCard.aid)] = try CardFile.application(VisaCard.aid, objects)
        let tap = try TestTerminal.visa().tap(card)
        #expect(tap.commands.count == 2)
        #expect(tap.outcome.error.l2 == .emptyCandidateList)
    }

    /// A card that answers the same to everything.
    struct Parrot: TestCard {
        var response: [UInt8]

        func answer(_ command: [UInt8]) -> Result<[UInt8], FieldFailure> { .success(response) }
    }

    @Test(
        "A card that answers 9000, or any one thing, to everything (asks A)",
        arguments: [
            "9000", "6A82", "6F00", "61FF", "6C00", "770A820220009404100101009000",
            "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000410108701019000",
            "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000310108701019000",
            "70009000", "77009000",
        ]
    )
    func parrot(response: String) throws {
        for terminal in [try TestTerminal.visa(), try TestTerminal.mastercard()] {
            var card = Parrot(response: try [UInt8](hex: response))
            let tap = try terminal.tap(&card)
            #expect(tap.outcome.status == .endApplication)
            #expect(tap.outcome.error.l2 != .ok)
            #expect(tap.commands.count <= 3)
        }
    }

    @Test("More than one card: one card only, and the reader waits on (Book B, 3.2)")
    func collision() throws {
        var environment = TestEnvironment()
        let terminal = try TestTerminal.visa()
        var reader = EntryPoint(
            configuration: terminal.configuration,
            transaction: try terminal.transaction()
        )
        _ = reader.handle(.start, environment: &environment)
        let step = reader.handle(.collision, environment: &environment)
        #expect(
            step.signals == [.userInterface(UserInterfaceRequest(.oneCardOnly, .collision))]
        )
        guard case .awaitCard = step.action else {
            Issue.record("the reader does not wait")
            return
        }
        guard
            case .transmit(let command) = reader.handle(.cardPresent, environment: &environment)
                .action
        else {
            Issue.record("the reader does not go on")
            return
        }
        #expect(command.bytes.hex == "00A404000E325041592E5359532E444446303100")
    }

    @Test("The terminal may stop at any time: End Application, L3 stop")
    func stop() throws {
        for makeTerminal in [TestTerminal.visa, TestTerminal.mastercard] {
            let terminal = try makeTerminal()
            var visa = VisaCard()
            visa.kind = .tc
            let isVisa = terminal.combinations[0].kernelIdentifier == .kernel3
            let whole = isVisa ? try visa.card() : try MastercardCard().card()
            let stepCount = 2 + (try terminal.tap(whole)).commands.count
            for stopAfter in 0..<stepCount {
                var card = whole
                var environment = terminal.environment
                var reader = EntryPoint(
                    configuration: terminal.configuration,
                    transaction: try terminal.transaction()
                )
                var event = ReaderEvent.start
                for _ in 0..<stopAfter {
                    let step = reader.handle(event, environment: &environment)
                    switch step.action {
                    case .awaitCard: event = .cardPresent
                    case .transmit(let command):
                        let bytes = try card.answer(command.bytes).get()
                        event = .response(try ResponseAPDU(parsing: bytes), elapsed: .zero)
                    default: break
                    }
                }
                let step = reader.handle(.stop, environment: &environment)
                guard case .finish(let conclusion) = step.action else {
                    Issue.record("not finished after \(stopAfter) steps")
                    continue
                }
                #expect(conclusion.outcome.status == .endApplication)
                #expect(conclusion.outcome.error.l3 == .stop)
            }
        }
    }
}
