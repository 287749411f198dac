import PCSC
import Testing

@Suite("Choosing a reader")
struct ReaderSelectorTests {
    private let names = [
        "ACS ACR1281 1S Dual Reader 00 00", "ACS ACR1281 1S Dual Reader 00 01",
        "Virtual PCD 00 00", "1",
    ]

    @Test(
        "A whole name goes before a number, a number before a part",
        arguments: [
            ("Virtual PCD 00 00", 2), ("1", 3), ("0", 0), ("2", 2), ("virtual", 2), ("PCD", 2),
            ("00 01", 1), ("dual reader 00 01", 1),
        ]
    )
    func found(text: String, number: Int) throws {
        #expect(try PCSCReaderSelector(text).choose(among: names) == number)
    }

    @Test("A part of several names is ambiguous", arguments: ["ACR1281", "00 00", "r", "0 0"])
    func ambiguous(text: String) {
        let matches = names.indices.filter { names[$0].lowercased().contains(text.lowercased()) }
        #expect(matches.count > 1)
        #expect(throws: PCSCReaderSelector.Failure.ambiguous(matches)) {
            try PCSCReaderSelector(text).choose(among: names)
        }
    }

    @Test(
        "What fits no reader is unknown",
        arguments: ["OMNIKEY", "4", "-1", "-0", "+0", "", "Virtual PCD  00"]
    )
    func unknown(text: String) {
        #expect(throws: PCSCReaderSelector.Failure.unknown(text)) {
            try PCSCReaderSelector(text).choose(among: names)
        }
    }

    @Test("Without a word the only reader is meant")
    func unspoken() throws {
        #expect(try PCSCReaderSelector(nil).choose(among: ["OMNIKEY"]) == 0)
        #expect(throws: PCSCReaderSelector.Failure.ambiguous([0, 1, 2, 3])) {
            try PCSCReaderSelector(nil).choose(among: names)
        }
    }

    @Test("Without readers none is chosen", arguments: [nil, "0", "Virtual"])
    func empty(text: String?) {
        #expect(throws: PCSCReaderSelector.Failure.noReader) {
            try PCSCReaderSelector(text).choose(among: [])
        }
    }

    @Test("Only vpcd's readers are virtual")
    func virtual() {
        #expect(PCSCReader.isVirtual("Virtual PCD 00 01"))
        #expect(!PCSCReader.isVirtual("ACS ACR122U PICC Interface 00 00"))
    }
}
