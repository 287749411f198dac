import BERTLV
import EMVData
import Octets
import TestSupport
import Testing

@testable import TerminalKernels

/// What strangers' cards answer to their final selection, and the command that follows.
@Suite("Selected applications")
struct SelectionTests {
    /// Taps a card that has this selection and refuses everything behind it.
    private func tap(_ response: [UInt8], name: [UInt8]) throws -> Tap {
        var card = HandmadeCard()
        card[.selectDirectory] = CardFile.directory([try CardFile.entry(name.hex)])
        card[.select(name.hex)] = .data(response)
        card[.processingOptions] = .status(0x6985)
        let isVisa = name.starts(with: ApplicationIdentifier.visaRID)
        return try (isVisa ? TestTerminal.visa() : TestTerminal.mastercard()).tap(card)
    }

    @Test(
        "Every card is asked with as much data as it wants (EMV Book 3, 5.4)",
        arguments: try RecordedSelection.applications()
    )
    func processingOptions(vector: RecordedSelection.Case) throws {
        let expected = vector.expected
        let tap = try tap(vector.answer, name: expected.name.bytes)
        let isVisa = expected.name.bytes.starts(with: ApplicationIdentifier.visaRID)
        guard !isVisa || !expected.pdol.isEmpty else {
            // Contact applications do not ask for 9F66 (EMV Book B, 3.3.3.6).
            #expect(tap.command(0xA8) == nil)
            return
        }
        let command = try #require(tap.command(0xA8))
        let count = expected.pdol.reduce(0) { $0 + $1.length }
        // From 128 on a length of BER takes two bytes.
        let template: [UInt8] = count < 0x80 ? [0x83, UInt8(count)] : [0x83, 0x81, UInt8(count)]
        let start = 5 + template.count
        #expect(Array(command[4..<start]) == [UInt8(template.count + count)] + template)
        #expect(command.count == start + count + 1)
        // Where the amount is wanted, it is there.
        var offset = start
        for entry in expected.pdol {
            if entry.tag.bytes == [0x9F, 0x02] {
                #expect(command[offset..<offset + 6].hex == "000000001000")
            }
            offset += entry.length
        }
        #expect(
            tap.conclusion.attempts[0].report.dataObjects[.dedicatedFileName] == expected.name.bytes
        )
    }

    @Test(
        "Every proper prefix of a selection, and one byte too many, ends with an error",
        arguments: try RecordedSelection.applications()
    )
    func prefixes(vector: RecordedSelection.Case) throws {
        let bytes = vector.answer
        let name = vector.expected.name.bytes
        for broken in bytes.indices.map({ Array(bytes.prefix($0)) }) + [bytes + [0xA5]] {
            let tap = try tap(broken, name: name)
            #expect(tap.command(0xA8) == nil)
            #expect(tap.outcome.status == .endApplication)
            #expect(tap.outcome.error.l2 == .emptyCandidateList)
        }
    }

    @Test("Issuers' own objects do not stop a card, whatever another kernel calls them")
    func issuerObjects() throws {
        var mastercard = MastercardCard()
        mastercard.selectionObjects = [
            (BERTLV.Tag(rawValue: 0xDF61), "04"), (BERTLV.Tag(rawValue: 0xDF62), "4080"),
            (.amountAuthorised, "01"),
        ]
        #expect(try TestTerminal.mastercard().tap(mastercard.card()).outcome.status == .approved)
        var visa = VisaCard()
        visa.optionObjects = [(BERTLV.Tag(rawValue: 0xDF60), "0B1E")]
        #expect(try TestTerminal.visa().tap(visa.card()).outcome.status == .onlineRequest)
    }
}
