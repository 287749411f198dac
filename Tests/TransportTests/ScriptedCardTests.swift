import Testing
import Transport

/// A clock that moves on by one millisecond whenever it is read.
private final class SteppingClock: Clock, @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant
    private var reading = ContinuousClock.now
    var minimumResolution: Duration { .zero }
    var now: Instant {
        reading = reading.advanced(by: .milliseconds(1))
        return reading
    }
    func sleep(until deadline: Instant, tolerance: Duration?) {}
}

@Suite("Scripted card")
struct ScriptedCardTests {
    private let script = [
        Exchange([1], [0x90, 0x00]),
        Exchange(command: [2], result: .failure(.timeout)),
        Exchange([3], [0x6A, 0x82]),
    ]

    @Test("It answers as recorded, failures included")
    func replay() throws {
        var card = ScriptedCard(script)
        #expect(try card.transmit([1]) == [0x90, 0x00])
        #expect(throws: TransportError.timeout) { try card.transmit([2]) }
        #expect(!card.isFinished)
        #expect(try card.transmit([3]) == [0x6A, 0x82])
        #expect(card.isFinished)
        #expect(card.deviation == nil)
    }

    @Test("A command that was not recorded whole is any that begins so")
    func partial() throws {
        let script = [
            Exchange(command: [1, 2], isCommandPartial: true, result: .success([0x90, 0x00])),
            Exchange(command: [], isCommandPartial: true, result: .success([0x6A, 0x82])),
        ]
        var card = ScriptedCard(script)
        #expect(try card.transmit([1, 2, 3]) == [0x90, 0x00])
        #expect(try card.transmit([9]) == [0x6A, 0x82])
        var other = ScriptedCard(script)
        #expect(throws: TransportError.self) { try other.transmit([1, 3, 2]) }
    }

    @Test("The first deviation stays, whatever follows")
    func deviation() throws {
        var card = ScriptedCard(script)
        let expected = TransportError.unexpectedCommand(expected: [1], got: [9], index: 0)
        #expect(throws: expected) { try card.transmit([9]) }
        #expect(throws: expected) { try card.transmit([1]) }
        #expect(card.deviation == expected)
        #expect(!card.isFinished)
    }

    @Test("There is nothing behind the end")
    func end() throws {
        var card = ScriptedCard([script[0]])
        #expect(try card.transmit([1]) == [0x90, 0x00])
        #expect(throws: TransportError.endOfScript(got: [1], index: 1)) { try card.transmit([1]) }
        #expect(!card.isFinished)
    }

    @Test("A recording is a script again, with its times")
    func recording() throws {
        var recorder = RecordingTransport(ScriptedCard(script), clock: SteppingClock())
        for byte in [UInt8(1), 2, 3] { _ = try? recorder.transmit([byte]) }
        var timed = script
        for index in timed.indices { timed[index].elapsed = .milliseconds(1) }
        #expect(recorder.exchanges == timed)
        #expect(recorder.unwrapped().isFinished)
    }
}
