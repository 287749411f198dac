import Emulation
import NFCWallet
import Octets
import Synchronization
import Testing
import Transport

@testable import Emulation

/// A script between a field and its cards.
@Suite(.timeLimit(.minutes(5))) struct ScriptedFieldTests {
    /// A field that a test commands.
    private final class HandField: LinkedField {
        let slot = CardSlot(patienceSeconds: 0)
        let events = AsyncStream<LinkEvent> { $0.finish() }
        let isStopped = Mutex(false)

        func start() {}
        func stop() { isStopped.withLock { $0 = true } }
        func present(_ card: any EmulatedCard) { slot.admit(card, isPresented: true) }
        func withdraw(_ card: any EmulatedCard) { slot.withdraw(card) }

        /// What a reader gets.
        func send(_ command: [UInt8]) -> [UInt8] {
            let response = [UInt8](capacity: 258) { output in
                slot.answer(command.span, into: &output)
            }
            if !response.isEmpty { slot.responseSent() }
            return response
        }
    }

    private let base = HandField()
    private let told = Told()

    /// What was waited for and told.
    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func field(_ script: String) throws -> ScriptedField {
        let told = told
        return ScriptedField(
            base,
            try CardScript(parsing: "# tapwire card script 1\n" + script),
            pause: { told.add("wait \($0)") },
            observe: { step, command in told.add("line \(step.line): \(command.hex)") }
        )
    }

    @Test func `a card is changed by the script, and hears what it shall`() throws {
        let field = try field(
            "> 01 ?\nwait 5 ms\n< [card] 6283\n> 02 ?\ninstead\n< 6985\n> 03 ?\n! removed\n> 04 ?\n! timeout"
        )
        let card = ScribeCard()
        try field.present(card)
        #expect(base.send([1, 7]) == [1, 7, 0x62, 0x83])
        #expect(base.send([2, 7]) == [0x69, 0x85])
        #expect(base.send([3, 7]) == [])
        #expect(base.send([4, 7]) == [])
        #expect(base.send([5, 7]) == [5, 7, 0x90, 0])
        #expect(card.told == ["on", "command", "sent", "command", "command", "command", "sent"])
        #expect(
            told.lines.withLock { $0 } == [
                "line 2: 0107", "wait \(Duration.milliseconds(5))", "line 5: 0207", "line 8: 0307",
                "line 10: 0407", "wait \(Duration.seconds(30))",
            ]
        )
    }

    @Test func `a script goes on with the next card`() throws {
        let field = try field("> 01 ?\n< 6985\n< 6A82")
        let (first, second) = (ScribeCard(), ScribeCard())
        try field.present(first)
        #expect(base.send([1, 0]) == [0x69, 0x85])
        try field.present(second)
        // A card that is late with its goodbye takes nobody else away.
        field.withdraw(first)
        #expect(base.send([1, 0]) == [0x6A, 0x82])
        field.withdraw(second)
        #expect(base.send([1, 0]) == [0x69, 0x85], "no card is shown")
        field.stop()
        #expect(base.isStopped.withLock { $0 })
    }
}
