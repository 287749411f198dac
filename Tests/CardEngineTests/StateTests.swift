import CardEngine
import EMVData
import ISO7816
import Octets
import Profiles
import TestSupport
import Testing

/// Commands out of order, malformed or cut: a status word, and the card as it was before.
@Suite struct StateTests {
    /// A whole tap of each scheme, as the commands a terminal sends.
    static let taps: [(Scheme, [String])] = [
        (
            .visa,
            [
                Command.selectDirectory, Command.selectVisa,
                Command.visaOptions(amount: "000000001000"), Command.readStaticRecord,
                Command.readCounter, "FFCA000000",
            ]
        ),
        (
            .mastercard,
            [
                Command.selectDirectory, Command.selectMastercard, Command.processingOptions,
                Command.readStaticRecord, Command.readCounter, Command.generate(),
            ]
        ),
    ]

    @Test(arguments: taps)
    func cutAndLengthenedCommandsChangeNothing(_ scheme: Scheme, commands: [String]) throws {
        // The answers of a tap nobody disturbs.
        var undisturbed = try makeCard(scheme)
        let expected = try commands.map { try undisturbed.exchange($0).response }
        #expect(expected.allSatisfy { $0.suffix(2) == [0x90, 0x00] })

        // The same tap with every wrong form of each command before it.
        var card = try makeCard(scheme)
        for (command, expected) in zip(commands, expected) {
            let command = try bytes(command)
            for count in command.indices {
                let (response, event) = card.exchange([UInt8](command[..<count]))
                #expect(response.count == 2, "\(count) bytes of \(command.hex)")
                #expect(event != .none && response != [0x90, 0x00])
            }
            let (response, event) = card.exchange(command + [0x00])
            #expect(response.hex == "6700", "\(command.hex) and a byte")
            #expect(event == .refused(.wrongLength))
            #expect(card.exchange(command).response.hex == expected.hex)
        }
    }

    @Test func randomCommandsLeaveTheCardUsable() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for (scheme, commands) in Self.taps {
            var undisturbed = try makeCard(scheme)
            let expected = try commands.map { try undisturbed.exchange($0).response }
            var card = try makeCard(scheme)
            for (command, expected) in zip(commands, expected) {
                for _ in 0..<200 {
                    var noise = try bytes(command)
                    noise[0] = 0x0C  // a class no command has, so that none of them is a good one
                    for index in noise.indices.dropFirst() where generator.next() % 4 == 0 {
                        noise[index] = UInt8(truncatingIfNeeded: generator.next())
                    }
                    let response = card.exchange(noise).response
                    #expect(response.count == 2, "seed \(seed)")
                }
                #expect(try card.exchange(command).response.hex == expected.hex, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        ("nothing", "", "6700"),
        ("READ RECORD before GPO", Command.readStaticRecord, "6985"),
        ("GPO before SELECT", Command.visaOptions(), "6985"),
        ("GENERATE AC before SELECT", Command.generate(), "6985"),
        ("GET DATA before SELECT", Command.readCounter, "6985"),
        ("unknown instruction", "00FF0000", "6D00"),
        ("unknown proprietary instruction", "80EA000004010203 0400", "6D00"),
        ("unknown class", "90A40400", "6E00"),
        ("reader command not known", "FFB0000000", "6E00"),
    ])
    func refusesWithNothingSelected(_ name: String, command: String, status: String) throws {
        var card = try makeCard(.visa)
        #expect(try card.exchange(command).response.hex == status)
    }

    @Test(arguments: [
        ("no template", "80A8000000", "6700"),
        ("other template", "80A80000028400 00", "6A80"),
        ("template without length", "80A80000018300", "6A80"),
        ("template longer than the data", "80A80000028301 00", "6A80"),
        ("template shorter than the data", "80A8000003830000 00", "6A80"),
        ("length in two bytes, cut", "80A80000028381 00", "6A80"),
        ("length in three bytes", "80A8000004 83820000 00", "6A80"),
        ("no PDOL values", "80A8000002830000", "6700"),
        ("one PDOL value too many", "80A80000248322" + String(repeating: "00", count: 35), "6700"),
        ("parameters", "80A8010002830000", "6A86"),
        ("amount that is no number", Command.visaOptions(amount: "00000000000A"), "6A80"),
        ("currency that is no number", Command.visaOptions(currency: "F978"), "6A80"),
        ("reader without EMV mode", Command.visaOptions(qualifiers: "86004080"), "6985"),
        ("READ RECORD before GPO", Command.readStaticRecord, "6985"),
        ("GENERATE AC before GPO", Command.generate(), "6985"),
        ("unknown object", "80CA9F1300", "6A88"),
        ("GET DATA with data", "80CA9F36010000", "6700"),
    ])
    func refusalAfterSelectionSpendsNothing(_ name: String, command: String, status: String) throws
    {
        var card = try makeCard(.visa, after: 7, keyCount: 1)
        _ = try card.exchange(Command.selectVisa)
        #expect(try card.exchange(command).response.hex == status)
        #expect(try card.exchange(Command.readCounter).response.hex == "9F360200079000")
        #expect(card.reservedKeyCount() == 1)
        #expect(try card.status(Command.visaOptions()) == "9000")
        #expect(try card.exchange(Command.readCounter).response.hex == "9F360200089000")
    }

    @Test(arguments: [
        ("reserved kind", "80AEC000", "6A86"),
        ("reserved bit", "80AE8100", "6A86"),
        ("P2", "80AE8001", "6A86"),
    ])
    func refusesGenerateParameters(_ name: String, header: String, status: String) throws {
        var card = try makeCard(.mastercard)
        _ = try card.exchange(Command.selectMastercard)
        _ = try card.exchange(Command.processingOptions)
        let command = header + Command.generate().dropFirst(8)
        #expect(try card.exchange(command).response.hex == status)
        #expect(try card.status(Command.generate()) == "9000")
    }

    @Test func generateTakesExactlyTheCDOLValues() throws {
        var card = try makeCard(.mastercard)
        _ = try card.exchange(Command.selectMastercard)
        _ = try card.exchange(Command.processingOptions)
        let values = try bytes(Command.generate()).dropFirst(5).dropLast()
        for count in [1, values.count - 1, values.count + 1, 255] {
            let other = (values + [UInt8](repeating: 0, count: 255)).prefix(count)
            let command = try bytes("80AE9000") + [UInt8(count)] + other + [0]
            #expect(card.exchange(command).response.hex == "6700")
        }
        #expect(
            try card.exchange(Command.generate(amount: "00000000000F")).response.hex == "6A80"
        )
        #expect(try card.status(Command.generate()) == "9000")
    }

    @Test func aTransactionHasOneCryptogram() throws {
        var mastercard = try makeCard(.mastercard)
        _ = try mastercard.exchange(Command.selectMastercard)
        _ = try mastercard.exchange(Command.processingOptions)
        #expect(try mastercard.status(Command.processingOptions) == "6985")
        _ = try mastercard.exchange(Command.generate())
        #expect(try mastercard.status(Command.generate()) == "6985")
        #expect(try mastercard.status(Command.readStaticRecord) == "9000")

        var visa = try makeCard(.visa)
        _ = try visa.exchange(Command.selectVisa)
        _ = try visa.exchange(Command.visaOptions())
        #expect(try visa.status(Command.visaOptions()) == "6985")
        #expect(try visa.status(Command.generate()) == "6D00")
        #expect(visa.reservedKeyCount() == 3)
    }

    @Test func leavingATransactionGivesUpItsKey() throws {
        var card = try makeCard(.mastercard, keyCount: 3)
        for counter: UInt16 in 1...2 {
            _ = try card.exchange(Command.selectMastercard)
            #expect(
                try card.exchange(Command.processingOptions).event
                    == .processingOptions(application: 0, transactionCounter: counter)
            )
        }
        card.fieldOff()
        _ = try card.exchange(Command.selectMastercard)
        #expect(try card.status(Command.generate()) == "6985")
        #expect(card.reservedKeyCount() == 1)
        #expect(card.lastCounter() == 2)
    }

    @Test(arguments: [
        ("first record", "00B2011400", "9000"),
        ("record number 0", "00B2001400", "6A83"),
        ("record not there", "00B2021400", "6A83"),
        ("file not there", "00B2012400", "6A82"),
        ("file 0", "00B2010400", "6A82"),
        ("file 31", "00B201FC00", "6A82"),
        ("by identifier", "00B2011000", "6A86"),
        ("all from one on", "00B2011500", "6A86"),
        ("with data", "00B2011401AA00", "6700"),
        ("without Le", "00B20114", "6700"),
    ])
    func readsRecords(_ name: String, command: String, status: String) throws {
        var card = try makeCard(.mastercard)
        _ = try card.exchange(Command.selectMastercard)
        _ = try card.exchange(Command.processingOptions)
        #expect(try card.status(command) == status)
    }

    @Test func tellsUIDAndHistoricalBytes() throws {
        var profile = CardProfile.builtIn(.visa)
        profile.uid = try bytes("04112233445566")
        profile.historicalBytes = try bytes("8073C021")
        var card = try makeCard(profile)
        #expect(try card.exchange("FFCA000000").response.hex == "041122334455669000")
        #expect(try card.exchange("FFCA000007").response.hex == "041122334455669000")
        #expect(try card.exchange("FFCA000006").response.hex == "6C07")
        #expect(try card.exchange("FFCA010000").response.hex == "8073C0219000")
        #expect(try card.exchange("FFCA020000").response.hex == "6A81")
        #expect(try card.exchange("FFCA000100").response.hex == "6A81")
        #expect(try card.exchange("FFCA0000").response.hex == "6700")
    }

    @Test func retrievesWhatTheProfileAdds() throws {
        var card = try makeCard(.visa)
        _ = try card.exchange(Command.selectVisa)
        #expect(try card.exchange("80CA9F1700").response.hex == "9F1701039000")
    }
}
