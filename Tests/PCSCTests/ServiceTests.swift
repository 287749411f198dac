import Octets
import Testing

@testable import PCSC

/// What holds between programs that use one pcscd, with the card of answers in the simulated reader.
///
///     PCSCD_SIMULATED=yes tools/with-pcscd swift test --skip-build --disable-xctest --filter PCSCTests.ServiceTests
@Suite(
    "A real PC/SC service",
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: SimulatedReader.isThere, "no simulated reader is here; see tools/with-pcscd")
)
final class ServiceTests {
    private static let command: [UInt8] = [0x00, 0xCB, 0x00, 0x00, 0x00]
    private static let answer: [UInt8] = [0xAB, 0xCD, 0x90, 0x00]
    private static let deadlines = PCSCDeadlines(reader: .milliseconds(500))

    init() throws { try Self.putCard("3B800181") }

    deinit { try? SimulatedReader.wish("resume", "card") }

    /// Puts a card of that answer to reset into the reader, and waits until pcscd has seen it.
    private static func putCard(_ answerToReset: String) throws {
        try SimulatedReader.wish("resume", "delay 0", "card")
        try waitForCard(false)
        try SimulatedReader.wish(
            "card \(answerToReset)",
            "answer \(command.hex) \(answer.hex)"
        )
        try waitForCard(true)
    }

    private static func waitForCard(_ isThere: Bool) throws {
        let context = try PCSCContext()
        var states = [PCSCReaderState(name: SimulatedReader.name)]
        repeat {
            _ = try context.waitForChange(of: &states, timeoutMilliseconds: 1000)
        } while states[0].flags.isCardPresent != isThere
    }

    private func connect(_ sharing: PCSCSharing = .shared) throws(PCSCError) -> PCSCCard {
        try PCSCContext(deadlines: Self.deadlines)
            .connect(to: SimulatedReader.name, sharing: sharing)
    }

    /// What a call fails with; nil where it does not.
    private func failure<Value: ~Copyable>(_ body: () throws(PCSCError) -> Value) -> PCSCError? {
        do throws(PCSCError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [("3B8000", PCSCProtocol.t0), ("3B800181", .t1)])
    func `the protocol is the one that the card speaks`(
        answerToReset: String,
        active: PCSCProtocol
    ) throws {
        try Self.putCard(answerToReset)
        var card = try connect()
        #expect(card.activeProtocol == active)
        #expect(try card.exchange(Self.command) == Self.answer)
    }

    @Test func `a card is shared, or it is one program's alone`() throws {
        var first = try connect()
        var second = try connect()
        #expect(try first.exchange(Self.command) == Self.answer)
        #expect(try second.exchange(Self.command) == Self.answer)
        #expect(failure { () throws(PCSCError) in try connect(.exclusive) } == .sharingViolation)
        _ = consume first
        _ = consume second
        do {
            var alone = try connect(.exclusive)
            #expect(failure { () throws(PCSCError) in try connect() } == .sharingViolation)
            #expect(try alone.exchange(Self.command) == Self.answer)
        }
        #expect(failure { () throws(PCSCError) in try connect() } == nil)
    }

    @Test func `a connection to the reader needs no card`() throws {
        try SimulatedReader.wish("card")
        try Self.waitForCard(false)
        #expect(failure { () throws(PCSCError) in try connect() } == .noSmartcard)
        #expect(failure { () throws(PCSCError) in try connect(.direct) } == nil)
    }

    @Test func `a transaction lends the card out and keeps others off it`() throws {
        var first = try connect()
        var second = try connect()
        let answers = try first.transaction { (card: inout PCSCCard) throws(PCSCError) in
            let one = try card.exchange(Self.command)
            // Whoever waits longer than the deadline is told who has the card.
            #expect(
                failure { () throws(PCSCError) in try second.beginTransaction() }
                    == .sharingViolation
            )
            return [one, try card.exchange(Self.command)]
        }
        #expect(answers == [Self.answer, Self.answer])
        _ = consume second
        // What was left behind comes back when the transaction is over.
        while PCSCContext.abandonedCallCount > 0 {}
        var third = try connect()
        #expect(try third.transaction { try $0.exchange(Self.command) } == Self.answer)
    }

    @Test(arguments: [PCSCDisposition.reset, .unpower])
    func `a card that another program reset is connected to anew`(
        disposition: PCSCDisposition
    ) throws {
        var first = try connect()
        do {
            var second = try connect()
            second.disposition = disposition
            #expect(try second.exchange(Self.command) == Self.answer)
        }
        let error = failure { () throws(PCSCError) in try first.exchange(Self.command) }
        #expect(error == .resetCard)
        try first.reconnect(.leave)
        #expect(first.activeProtocol == .t1)
        #expect(try first.exchange(Self.command) == Self.answer)
    }

    @Test func `a card that was exchanged meanwhile is another one`() throws {
        var first = try connect()
        try Self.putCard("3B8000")
        let error = failure { () throws(PCSCError) in try first.exchange(Self.command) }
        #expect(error == .removedCard)
        try first.reconnect(.reset)
        #expect(first.activeProtocol == .t0)
        #expect(try first.exchange(Self.command) == Self.answer)
    }

    @Test func `a reader that does not answer keeps one thread, however often it is asked`() throws
    {
        var card = try connect()
        try SimulatedReader.wish("hang transmit 0")
        #expect(
            failure { () throws(PCSCError) in try card.exchange(Self.command) } == .waitedTooLong
        )
        for _ in 0..<5 {
            #expect(failure { () throws(PCSCError) in try connect() } == .waitedTooLong)
        }
        #expect(PCSCContext.abandonedCallCount == 1)
        _ = consume card
        try SimulatedReader.wish("resume")
        while PCSCContext.abandonedCallCount > 0 {}
        var other = try connect()
        #expect(try other.exchange(Self.command) == Self.answer)
    }

    @Test func `a monitor tells each card that comes and goes, of each reader`() async throws {
        try SimulatedReader.wish("card")
        try Self.waitForCard(false)
        let monitor = PCSCMonitor()
        var events = monitor.events.makeAsyncIterator()
        let readers = try PCSCContext().readerNames()
        var told: [String] = []
        for _ in readers { told.append(await Self.change(&events)) }
        #expect(told == readers.map { "readerArrived \($0)" })
        for number in 0..<3 {
            try Self.putCard(number % 2 == 0 ? "3B8000" : "3B800181")
            #expect(await Self.change(&events) == "cardArrived \(SimulatedReader.name)")
            try SimulatedReader.wish("card")
            #expect(await Self.change(&events) == "cardLeft \(SimulatedReader.name)")
        }
        monitor.stop()
    }

    /// What a monitor tells next.
    private static func change(
        _ events: inout AsyncStream<PCSCMonitor.Event>.Iterator
    ) async -> String {
        switch await events.next(isolation: #isolation) {
        case .change(let change, let reader)?: "\(change) \(reader.name)"
        case let other: "\(String(describing: other))"
        }
    }
}
