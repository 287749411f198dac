import NFCWallet
import Octets
import Synchronization
import TestSupport
import Testing

@testable import Emulation
@testable import PCSC

/// A reader with a script: what it answers to the escape commands it is sent, in order.
///
/// At its end it waits until the field is stopped.
final class ScriptedReader: EscapeChannel, Sendable {
    private let script: Mutex<[Result<String, PCSCError>]>
    private let commands = Mutex<[String]>([])
    private let whenSent: @Sendable (String) -> Void
    private let atEnd: @Sendable () -> Void

    init(
        _ script: [Result<String, PCSCError>],
        whenSent: @escaping @Sendable (String) -> Void = { _ in },
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.script = Mutex(script)
        self.whenSent = whenSent
        self.atEnd = atEnd
    }

    /// What was sent.
    var sent: [String] { commands.withLock { $0 } }

    func escape(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
        commands.withLock { $0.append(command.hex) }
        whenSent(command.hex)
        let next = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let next else {
            atEnd()
            throw .readerUnavailable
        }
        let answer = try next.get()
        return (try? [UInt8](hex: answer)) ?? []
    }
}

@Suite("The field of a reader that acts as the card", .timeLimit(.minutes(5)))
struct PN532FieldTests {
    private static let setUp: [Result<String, PCSCError>] = [
        "41435231323255323135", "9000", "9000", "D5070707159000", "D5099000", "D5139000",
    ].map { .success($0) }

    /// Runs a field over a script until the script ends, and gives what it told.
    private func run(
        _ script: [Result<String, PCSCError>],
        _ card: ScribeCard
    ) async -> (sent: [String], events: [LinkEvent]) {
        let field = Mutex<PN532Field?>(nil)
        let reader = ScriptedReader(script, atEnd: { field.withLock { $0 }?.stop() })
        let made = PN532Field(PN532Identity(identifier: [1, 2, 3]), pause: { _ in }) { _ in reader }
        field.withLock { $0 = made }
        made.present(card)
        made.start()
        var events: [LinkEvent] = []
        for await event in made.events { events.append(event) }
        field.withLock { $0 = nil }
        return (reader.sent, events)
    }

    @Test func `a tap is told to the card in order, and the next one is waited for`() async {
        let card = ScribeCard()
        let tap: [Result<String, PCSCError>] = [
            "D58D08E0809000", "D58700AABB9000", "D58F009000", "D58700CC9000", "D58F009000",
            "D587299000",
        ].map { .success($0) }
        let (sent, events) = await run(Self.setUp + tap + tap, card)
        let told = ["on", "command", "sent", "command", "sent", "off"]
        #expect(card.told == told + told)
        #expect(sent.contains("FF00000006D48EAABB9000"))
        #expect(events == [.connected])
    }

    /// A reader that is stopped while it waits for a terminal, and says so when its own time is over.
    private final class WaitingReader: EscapeChannel, Sendable {
        let sent = Mutex<[String]>([])
        let script = Mutex(PN532FieldTests.setUp)
        let whileWaiting: @Sendable () -> Void

        init(_ whileWaiting: @escaping @Sendable () -> Void) { self.whileWaiting = whileWaiting }

        func escape(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
            sent.withLock { $0.append(command.hex) }
            let next = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return (try? [UInt8](hex: next.get())) ?? [] }
            whileWaiting()
            return [0x63, 0x01]
        }
    }

    @Test func `at the end the reader is an ordinary one again`() async {
        let field = Mutex<PN532Field?>(nil)
        let reader = WaitingReader { field.withLock { $0 }?.stop() }
        let made = PN532Field(PN532Identity(identifier: [1, 2, 3]), pause: { _ in }) { _ in reader }
        field.withLock { $0 = made }
        made.present(ScribeCard())
        made.start()
        for await _ in made.events {}
        field.withLock { $0 = nil }
        // UM0701-02, 7.2.9: parameters as the chip starts. API manual, 6.5: every kind of card is looked for.
        #expect(reader.sent.withLock { Array($0.suffix(2)) } == ["FF00000003D41214", "FF0051FF00"])
    }

    @Test func `a command that has come is answered before the end`() async {
        let field = Mutex<PN532Field?>(nil)
        let card = ScribeCard()
        card.whenever { if $0 == "command" { field.withLock { $0 }?.stop() } }
        let script: [Result<String, PCSCError>] =
            Self.setUp
            + ["D58D08E0809000", "D58700AABB9000", "D58F009000", "D5139000", "90FF"]
            .map { .success($0) }
        let reader = ScriptedReader(script)
        let made = PN532Field(PN532Identity(identifier: [1, 2, 3]), pause: { _ in }) { _ in reader }
        field.withLock { $0 = made }
        made.present(card)
        made.start()
        for await _ in made.events {}
        field.withLock { $0 = nil }
        #expect(card.told == ["on", "command", "sent", "off"])
        #expect(
            reader.sent.suffix(3) == ["FF00000006D48EAABB9000", "FF00000003D41214", "FF0051FF00"]
        )
    }

    @Test func `a reader that was being set up is an ordinary one again, too`() async {
        let field = Mutex<PN532Field?>(nil)
        let script = Self.setUp + [.success("D5139000"), .success("90FF")]
        let reader = ScriptedReader(
            script,
            whenSent: { command in
                if command == "FF00510000" { field.withLock { $0 }?.stop() }
            }
        )
        let made = PN532Field(PN532Identity(identifier: [1, 2, 3]), pause: { _ in }) { _ in reader }
        field.withLock { $0 = made }
        made.start()
        for await _ in made.events {}
        field.withLock { $0 = nil }
        #expect(reader.sent.suffix(2) == ["FF00000003D41214", "FF0051FF00"])
    }

    @Test func `a terminal that says nothing is not told to the card`() async {
        let card = ScribeCard()
        let (_, events) = await run(
            Self.setUp + [.success("D58D08E0809000"), .success("D587299000")],
            card
        )
        #expect(card.told.isEmpty)
        #expect(events == [.connected])
    }

    @Test(arguments: [0x8010_0016, 0x8010_001F, 0x8010_0004, 0x8010_0011] as [UInt32])
    func `a driver that lets no escape command through is explained`(code: UInt32) async {
        let (sent, events) = await run([.failure(PCSCError(rawValue: code))], ScribeCard())
        #expect(sent.count == 1)
        guard case .refused(let reason)? = events.first, events.count == 1 else {
            Issue.record("\(events)")
            return
        }
        #expect(reason.contains("ifdDriverOptions to 0x0001"))
        #expect(reason.contains("/etc/libccid_Info.plist"))
        #expect(!reason.contains("\n"))
    }

    @Test func `a reader of another kind is refused`() async {
        let (_, events) = await run([.success("4F4D4E494B4559")], ScribeCard())
        #expect(events == [.refused(reason: "the reader is no ACR122U: its firmware is OMNIKEY")])
    }

    @Test func `a link that breaks takes the field away and is made anew`() async {
        let card = ScribeCard()
        let (_, events) = await run(
            Self.setUp + [.success("D58D08E0809000"), .success("D58700AA9000")]
                + [.failure(.readerUnavailable)] + Self.setUp,
            card
        )
        #expect(card.told == ["on", "command", "off"])
        let reason = "The reader was removed (PC/SC 80100017)"
        #expect(events == [.connected, .disconnected(reason: reason), .connected])
    }

    @Test func `an answer that is none breaks the link and is told`() async {
        let (_, events) = await run(
            Self.setUp + [.success("D58D08E0809000"), .success("D585009000")] + Self.setUp,
            ScribeCard()
        )
        let reason = "the reader answered D585009000 to FF00000002D486"
        #expect(events == [.connected, .disconnected(reason: reason), .connected])
    }
}
