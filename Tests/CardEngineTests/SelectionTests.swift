import CardEngine
import EMVData
import ISO7816
import Octets
import Profiles
import Testing

/// A card with three applications: two Visa ones of which one has the longer name, and a Mastercard one.
private func makeThreeApplications() throws -> CardProfile {
    var profile = CardProfile.builtIn(.visa)
    var second = profile.applications[0]
    second.aid += [0x01]
    second.label = "VISA SECOND"
    second.priority = 2
    profile.applications += [second, CardProfile.builtIn(.mastercard).applications[0]]
    return profile
}

/// SELECT: the directory, names whole and partial, and the next of a name (EMV Book 1, 11.3; EMV Book B, 3.3).
@Suite struct SelectionTests {
    @Test func listsApplicationsWithPriorityAndKernel() throws {
        var card = try makeCard(makeThreeApplications())
        let (response, event) = try card.exchange(Command.selectDirectory)
        #expect(
            try response
                == bytes(
                    "6F72 840E325041592E5359532E4444463031 A560 BF0C5D"
                        + "611D 4F07A0000000031010 500B56495341 20435245444954 870101 9F2A0103"
                        + "611E 4F08A000000003101001 500B56495341205345434F4E44 870102 9F2A0103"
                        + "611C 4F07A0000000041010 500A4D415354455243415244 870101 9F2A0102"
                        + "9000"
                )
        )
        #expect(event == .environmentSelected)
    }

    @Test func fileControlInformationAsksForTerminalData() throws {
        var visa = try makeCard(.visa)
        #expect(
            try visa.exchange(Command.selectVisa).response
                == bytes(
                    "6F3B 8407A0000000031010 A530 500B5649534120435245444954 870101 5F2D02656E"
                        + "9F3818 9F6604 9F0206 9F0306 9F1A02 9505 5F2A02 9A03 9C01 9F3704 9000"
                )
        )
        var mastercard = try makeCard(.mastercard) { application in
            guard case .mastercard(var details) = application.details else { return }
            details.capabilities = [0x01, 0x02, 0x03]
            application.details = .mastercard(details)
        }
        #expect(
            try mastercard.exchange(Command.selectMastercard).response
                == bytes(
                    "6F28 8407A0000000041010 A51D 500A4D415354455243415244 870101 5F2D02656E"
                        + "BF0C06 9F5D03010203 9000"
                )
        )
    }

    @Test(arguments: [
        ("whole name", "00A4040007A000000003101000", 0),
        ("longer name", "00A4040008A00000000310100100", 1),
        ("RID alone", "00A4040005A00000000300", 0),
        ("one byte", "00A4040001A000", 0),
        ("other scheme", "00A4040005A00000000400", 2),
    ])
    func findsTheFirstOfAName(_ name: String, command: String, application: Int) throws {
        var card = try makeCard(makeThreeApplications())
        let (response, event) = try card.exchange(command)
        #expect(event == .selected(application: application))
        #expect(response.suffix(2) == [0x90, 0x00])
    }

    @Test func nextEndsWhenNoneIsLeft() throws {
        var card = try makeCard(makeThreeApplications())
        #expect(try card.exchange("00A4040005A00000000300").event == .selected(application: 0))
        #expect(try card.exchange("00A4040205A00000000300").event == .selected(application: 1))
        for _ in 0..<3 {
            #expect(try card.status("00A4040205A00000000300") == "6A82")
        }
        // Refused, so the second application is still the selected one.
        #expect(try card.status("80CA9F3600") == "9000")
        #expect(try card.exchange("00A4040205A00000000400").event == .selected(application: 2))
    }

    @Test(arguments: [
        ("unknown AID", "00A4040007A000000025010100", "6A82"),
        ("name longer than any", "00A4040010A000000003101001020304050607080900", "6A82"),
        ("contact directory", "00A404000E315041592E5359532E444446303100", "6A82"),
        ("next of the directory", "00A404020E325041592E5359532E444446303100", "6A82"),
        ("next with nothing selected", Command.selectNextVisa, "6A82"),
        ("by file identifier", "00A40000023F0000", "6A86"),
        ("previous occurrence", "00A4040307A000000003101000", "6A86"),
        ("without response data", "00A4040C07A000000003101000", "6A86"),
        ("without a name", "00A4040000", "6700"),
        ("without Le", "00A4040007A0000000031010", "6700"),
        ("extended lengths", "00A40400000007A00000000310100000", "6700"),
    ])
    func refuses(_ name: String, command: String, status: String) throws {
        var card = try makeCard(makeThreeApplications())
        let (response, event) = try card.exchange(command)
        #expect(response.hex == status)
        #expect(event == .refused(StatusWord(rawValue: try #require(UInt16(status, radix: 16)))))
    }

    @Test func otherLeGetsTheWholeResponse() throws {
        var card = try makeCard(.visa)
        let whole = try card.exchange(Command.selectVisa).response
        #expect(try card.exchange("00A4040007A000000003101001").response == whole)
        #expect(try card.exchange("00A4040007A0000000031010FF").response == whole)
    }

    @Test func fieldStartsFromNothing() throws {
        var card = try makeCard(.visa)
        _ = try card.exchange(Command.selectVisa)
        card.fieldOff()
        #expect(try card.status(Command.readCounter) == "6985")
        _ = try card.exchange(Command.selectVisa)
        card.fieldOn()
        #expect(try card.status(Command.readCounter) == "6985")
    }
}
