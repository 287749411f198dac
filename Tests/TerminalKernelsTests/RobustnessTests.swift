import EMVData
import Octets
import TerminalKernels
import Testing

/// Whatever a card answers, a transaction ends in an outcome that says what was wrong.
@Suite("Broken answers")
struct RobustnessTests {
    /// A card that keeps to a list of answers and says nothing to anything more.
    struct ListCard: TestCard {
        var responses: [[UInt8]]
        private var position = 0

        init(_ responses: [[UInt8]]) { self.responses = responses }

        mutating func answer(_ command: [UInt8]) -> Result<[UInt8], FieldFailure> {
            guard position < responses.count else { return .success([0x6F, 0x00]) }
            defer { position += 1 }
            return .success(responses[position])
        }
    }

    /// A recorded card with what its terminal was.
    struct Recording: Sendable, CustomTestStringConvertible {
        var name: String
        var number: UInt32
        var terminal: @Sendable () throws -> (ReaderConfiguration, Transaction)
        var testDescription: String { name }

        static let all = [
            Recording(
                name: "visa-offline",
                number: 0xABAB_ABAB,
                terminal: { try RecordedTerminal.visa() }
            ),
            Recording(
                name: "mastercard-offline",
                number: 0x33BC_A47D,
                terminal: { try RecordedTerminal.mastercardOffline() }
            ),
            Recording(
                name: "mastercard-online",
                number: 0xDC86_8126,
                terminal: { try RecordedTerminal.mastercardOnline() }
            ),
        ]

        func responses() throws -> [[UInt8]] { try RecordedCard(name).responses }

        /// Taps a card that gives these answers instead of the recorded ones.
        func tap(_ responses: [[UInt8]], _ keys: TestEnvironment) throws -> Tap {
            var card = ListCard(responses)
            let (configuration, transaction) = try terminal()
            var environment = keys
            environment.number = number
            return try TestReader.tap(
                &card,
                configuration: configuration,
                transaction: transaction,
                environment: environment
            )
        }
    }

    @Test("Every proper prefix of every answer ends with an error", arguments: Recording.all)
    func prefixes(recording: Recording) throws {
        let responses = try recording.responses()
        let keys = TestEnvironment(keys: try RecordedCardKeys.all())
        for index in responses.indices {
            for count in 0..<responses[index].count - 2 {
                var broken = responses
                broken[index] = responses[index].prefix(count) + [0x90, 0x00]
                let tap = try recording.tap(broken, keys)
                // 7000 has no objects, so that no prefix of it but the empty ones matters.
                #expect(
                    tap.outcome.status == .endApplication,
                    "answer \(index), first \(count) bytes"
                )
                #expect(tap.outcome.error.l2 != .ok, "answer \(index), first \(count) bytes")
                #expect(tap.messages.last?.message == .tryAnotherCard)
            }
        }
    }

    @Test("One byte too many behind every answer ends with an error", arguments: Recording.all)
    func oneByteTooMany(recording: Recording) throws {
        let responses = try recording.responses()
        let keys = TestEnvironment(keys: try RecordedCardKeys.all())
        let whole = try recording.tap(responses, keys)
        for index in responses.indices {
            for byte in [0x01, 0x5A, 0x70, 0x90, 0xFF] as [UInt8] {
                var broken = responses
                broken[index] = responses[index].dropLast(2) + [byte, 0x90, 0x00]
                let tap = try recording.tap(broken, keys)
                #expect(tap.outcome.status == .endApplication, "answer \(index)")
                #expect(tap.outcome.error.l2 != .ok, "answer \(index)")
            }
            // A zero is padding, before, between and behind objects (EMV Book 3, Annex B1).
            var padded = responses
            padded[index] = responses[index].dropLast(2) + [0x00, 0x90, 0x00]
            #expect(try recording.tap(padded, keys).outcome.status == whole.outcome.status)
        }
    }

    @Test(
        "A status word alone in place of every answer ends with an error",
        arguments: Recording.all
    )
    func statusWords(recording: Recording) throws {
        let responses = try recording.responses()
        let keys = TestEnvironment(keys: try RecordedCardKeys.all())
        for index in responses.indices {
            for status in [
                [0x6A, 0x82], [0x69, 0x85], [0x6F, 0x00], [0x61, 0x10], [0x6C, 0x10],
            ]
                as [[UInt8]]
            {
                var broken = responses
                broken[index] = status
                let tap = try recording.tap(broken, keys)
                #expect(tap.outcome.status == .endApplication, "answer \(index), \(status.hex)")
                #expect(tap.outcome.error.l2 != .ok, "answer \(index), \(status.hex)")
            }
        }
    }

    @Test("Random changes never trap and always end", arguments: Recording.all)
    func randomChanges(recording: Recording) throws {
        let responses = try recording.responses()
        let keys = TestEnvironment(keys: try RecordedCardKeys.all())
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = Xorshift(seed: seed)
        for round in 0..<400 {
            var broken = responses
            let index = Int.random(in: broken.indices, using: &generator)
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                change(&broken[index], using: &generator)
            }
            let tap = try recording.tap(broken, keys)
            let outcome = tap.outcome
            // What a card says wrongly is an error; what it says otherwise is a decision.
            let hasError = outcome.error.l1 != nil || outcome.error.l2 != .ok
            let isDecision = outcome.status != .endApplication && outcome.status != .selectNext
            #expect(hasError || isDecision, "seed \(seed), round \(round)")
            #expect(!tap.messages.isEmpty, "seed \(seed), round \(round)")
        }
    }

    private func change(_ bytes: inout [UInt8], using generator: inout Xorshift) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        default:
            if bytes.count > 2 { bytes.remove(at: place) }
        }
    }

    /// A small generator that a seed repeats.
    struct Xorshift: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed | 1 }

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
