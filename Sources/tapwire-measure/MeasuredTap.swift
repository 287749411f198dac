import CAllocationCounter
import CardEngine
import EMVData
import Profiles
import TerminalKernels
import Transport
import VirtualPOS

/// A tap whose commands are known, so that a card can be asked them again and again.
struct MeasuredTap {
    /// What it is, for people.
    let name: String
    /// What the terminal sends, in order.
    let commands: [[UInt8]]
    private let personalization: CardPersonalization

    /// What was measured.
    struct Result {
        /// The time of one tap on the card's side.
        var median: Duration
        /// What our code allocated in all taps.
        var ownAllocations: UInt64
        /// What libcrypto allocated in one tap.
        var foreignAllocations: UInt64
    }

    /// The taps that are measured: each scheme, with the issuer's decision and without.
    static func all() throws -> [MeasuredTap] {
        try Scheme.allCases.flatMap { scheme in
            try [
                MeasuredTap("\(scheme.rawValue), online", scheme, minorUnits: 1234),
                MeasuredTap("\(scheme.rawValue), offline", scheme, minorUnits: 500),
            ]
        }
    }

    /// Lets the built-in terminal tap the built-in card once, to learn the commands.
    private init(_ name: String, _ scheme: Scheme, minorUnits: UInt64) throws {
        self.name = name
        personalization = try CardPersonalization(.builtIn(scheme))
        guard let amount = Amount(minorUnits: minorUnits, currency: .eur),
            let date = TransactionDate(year: 2026, month: 11, day: 30)
        else { preconditionFailure("these are an amount and a day") }
        let configuration = TerminalConfiguration.builtIn
        var environment = POSEnvironment(caKeys: configuration.caKeys)
        var card = CardTransport(card: Self.makeCard(personalization))
        card.card.prepare(personalization, counter: 1)
        let report = try POSTerminal(configuration).tap(
            Transaction(
                amount: amount,
                type: .purchase,
                date: date,
                time: [0x12, 0x00, 0x00],
                sequenceCounter: 1
            ),
            over: &card,
            host: nil,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous)
        )
        commands = report.exchanges.map(\.command)
    }

    private static func makeCard(_ personalization: CardPersonalization) -> Card {
        var card = personalization.makeCard()
        card.userAuthenticated = true
        return card
    }

    /// Taps a card `count` times, with new keys and random bytes each time.
    func measure(count: Int) -> Result {
        var card = Self.makeCard(personalization)
        var storage = [258 of UInt8](repeating: 0)
        var times: [Duration] = []
        times.reserveCapacity(count)
        var own: UInt64 = 0
        var foreign: UInt64 = 0
        // The first tap looks up what is looked up once.
        for number in 0...count {
            card.prepare(personalization, counter: UInt16(truncatingIfNeeded: number + 1))
            let ownBefore = alloc_count_total()
            let foreignBefore = alloc_count_foreign()
            let start = ContinuousClock.now
            answer(&card, &storage)
            let elapsed = start.duration(to: .now)
            let ownAfter = alloc_count_total()
            foreign = alloc_count_foreign() - foreignBefore
            guard number > 0 else { continue }
            own += ownAfter - ownBefore
            times.append(elapsed)
        }
        times.sort()
        return Result(
            median: times[times.count / 2],
            ownAllocations: own,
            foreignAllocations: foreign
        )
    }

    /// Lets the card answer all commands; never inlined, so that nothing of the caller's is counted.
    @inline(never)
    private func answer(_ card: inout Card, _ storage: inout [258 of UInt8]) {
        card.fieldOn()
        var buffer = storage.mutableSpan
        unsafe buffer.withUnsafeMutableBufferPointer { target in
            for index in commands.indices {
                let command = commands[index]
                var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
                card.respond(to: command.span, into: &output)
                _ = unsafe output.finalize(for: target)
            }
        }
        card.fieldOff()
    }
}

extension Card {
    /// Puts in what one payment needs.
    fileprivate mutating func prepare(_ personalization: CardPersonalization, counter: UInt16) {
        let application = personalization.profile.applications[0]
        if reservedKeyCount() == 0 {
            reserve(personalization.issuers[0].makePaymentKey(for: application, counter: counter))
        }
        if randomByteCount < 16 { addRandomBytes(Array(repeating: 0x5A, count: 64).span) }
    }
}

/// A card on the other end of a call.
private struct CardTransport: Transport, ~Copyable {
    var card: Card

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        card.response(to: command)
    }
}
