import Testing

@testable import PCSC

@Suite("Readers that come and go")
struct ReaderListTests {
    /// A reader with a card (`SCARD_STATE_PRESENT`) or none, and a count of card events.
    private func state(_ name: String, hasCard: Bool, events: UInt32) -> PCSCReaderState {
        PCSCReaderState(name: name, flags: events << 16 | (hasCard ? 0x20 : 0x10))
    }

    private func words(_ changes: [(PCSCReaderChange, PCSCReaderState)]) -> [String] {
        changes.map { "\($0.0) \($0.1.name)" }
    }

    @Test func `each reader and each card is told once`() {
        var list = PCSCReaderList()
        #expect(
            words(list.update(names: ["a", "b"])) == ["readerArrived a", "readerArrived b"]
        )
        #expect(list.update(names: ["a", "b"]).isEmpty)
        let seen = [state("a", hasCard: false, events: 0), state("b", hasCard: true, events: 5)]
        #expect(words(list.update(states: seen)) == ["cardArrived b"])
        #expect(list.update(states: seen).isEmpty)
        let later = [state("a", hasCard: true, events: 1), state("b", hasCard: false, events: 6)]
        #expect(words(list.update(states: later)) == ["cardArrived a", "cardLeft b"])
    }

    @Test func `a card that was exchanged between two looks left and came`() {
        var list = PCSCReaderList()
        _ = list.update(names: ["a"])
        _ = list.update(states: [state("a", hasCard: true, events: 1)])
        #expect(
            words(list.update(states: [state("a", hasCard: true, events: 3)]))
                == ["cardLeft a", "cardArrived a"]
        )
    }

    @Test func `a reader that is pulled out takes its card along`() {
        var list = PCSCReaderList()
        _ = list.update(names: ["a", "b"])
        _ = list.update(
            states: [state("a", hasCard: true, events: 1), state("b", hasCard: false, events: 0)]
        )
        #expect(
            words(list.update(names: ["c"])) == [
                "cardLeft a", "readerLeft a", "readerLeft b", "readerArrived c",
            ]
        )
        #expect(list.readers.map(\.name) == ["c"])
    }
}
