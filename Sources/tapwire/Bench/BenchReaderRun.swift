import BERTLV
import CommandLineKit
import EMVData
import ISO7816
import NFCWallet
import PCSC
import Synchronization
import TerminalKernels
import Transport
import VirtualPOS

/// A card in a virtual reader that answers as a wallet's card, or 6A82 to everything, whichever is wanted.
///
/// Both go through the same reader, the same connection and the same thread, so that what is between them is the card.
final class AlternatingCard: EmulatedCard {
    /// Where the wallet shows its card.
    let field: BenchField
    private let isNull = Atomic(false)
    private let commandTally = Atomic(0)

    init(_ field: BenchField) { self.field = field }

    /// How many commands have come.
    var commandCount: Int { commandTally.load(ordering: .sequentiallyConsistent) }

    /// Lets the card answer 6A82 from now on, or again what it has to say.
    func beNull(_ isNull: Bool) { self.isNull.store(isNull, ordering: .sequentiallyConsistent) }

    // The reader keeps the card powered; its field is raised and dropped for each tap by the terminal's side.
    func fieldOn() {}
    func fieldOff() -> Bool { true }

    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        commandTally.wrappingAdd(1, ordering: .relaxed)
        if !isNull.load(ordering: .relaxed), let card = field.presented {
            card.respond(to: command, into: &response)
        } else {
            response.append(0x6A)
            response.append(0x82)
        }
    }

    func responseSent() {
        if !isNull.load(ordering: .relaxed) { field.presented?.responseSent() }
    }
}

/// A terminal's way to a card in a reader that is on already; each exchange is timed.
private struct TimedReader: Transport, ~Copyable {
    private var reader: PCSCReader
    private let card: AlternatingCard?
    /// Whether the null card is asked before the card, or behind it.
    private let nullComesFirst: Bool
    private(set) var samples: [BenchSample] = []
    /// What the null card took for each; nothing for a card that is not ours.
    private(set) var nullDurations: [Duration] = []
    /// What was spent on the null card in all.
    private(set) var extraDuration = Duration.zero

    /// Wraps a reader.
    /// - Parameters:
    ///   - reader: The reader, its field on.
    ///   - card: Our card in it, which also stands for the null card; nil for a card that is not ours.
    ///   - nullComesFirst: Whether the null card is asked before the card.
    init(
        _ reader: consuming PCSCReader,
        _ card: AlternatingCard? = nil,
        nullComesFirst: Bool = false
    ) {
        self.reader = reader
        self.card = card
        self.nullComesFirst = nullComesFirst
    }

    consuming func unwrapped() -> PCSCReader { reader }

    mutating func fieldOn() throws(TransportError) { card?.field.presented?.fieldOn() }

    mutating func fieldOff() { card?.field.presented?.fieldOff() }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        guard let card else { return try ask(command) }
        // What comes right after the terminal's own work takes longer, whoever answers it, and does not count.
        _ = try timeNull(command, card)
        if nullComesFirst { nullDurations.append(try timeNull(command, card)) }
        let response = try ask(command)
        if !nullComesFirst { nullDurations.append(try timeNull(command, card)) }
        return response
    }

    private mutating func timeNull(
        _ command: [UInt8],
        _ card: AlternatingCard
    ) throws(TransportError) -> Duration {
        card.beNull(true)
        defer { card.beNull(false) }
        let duration = try reader.time(command)
        extraDuration += duration
        return duration
    }

    private mutating func ask(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        let start = ContinuousClock.now
        let response = try reader.transmit(command)
        let duration = start.duration(to: .now)
        samples.append(BenchSample(command, response, duration))
        return response
    }
}

extension PCSCReader {
    /// A SELECT that every card refuses: a proprietary identifier that names nobody.
    fileprivate static let refused: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x06, 0xF0, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00,
    ]

    /// Whether it is our card that answers in this reader, found out with a command that costs nobody's anything.
    mutating func holds(_ card: AlternatingCard) throws(TransportError) -> Bool {
        let count = card.commandCount
        _ = try transmit(Self.refused)
        return card.commandCount == count + 1
    }

    /// Sends a command for nothing but its time.
    fileprivate mutating func time(_ command: [UInt8]) throws(TransportError) -> Duration {
        let start = ContinuousClock.now
        _ = try transmit(command)
        return start.duration(to: .now)
    }
}

/// Our card's taps through a reader, beside each command one that a null card answers.
struct ReaderRun: ~Copyable {
    private var party: BenchParty
    private var reader: PCSCReader?
    private let shown: AlternatingCard
    private let plan: BenchPlan
    private var meter = BenchMeter()

    init(
        _ party: BenchParty,
        _ reader: consuming PCSCReader,
        _ shown: AlternatingCard,
        _ plan: BenchPlan
    ) {
        self.party = party
        self.reader = consume reader
        self.shown = shown
        self.plan = plan
    }

    /// Measures.
    mutating func run(_ progress: (Double) -> Void) throws -> BenchMeter {
        for (batch, count) in plan.batchCounts.enumerated() {
            meter.isWarmingUp = true
            for number in 0..<plan.warmUpCount { try measure(number) }
            meter.isWarmingUp = false
            for number in 0..<count { try measure(number) }
            progress(plan.share(batch))
        }
        meter.endBlock()
        return meter
    }

    private mutating func measure(_ number: Int) throws {
        let session = try party.showCard()
        defer { session.cancel() }
        guard let reader = reader.take() else { preconditionFailure("it is always put back") }
        // Amounts alternate from tap to tap, the order from pair to pair.
        var way = TimedReader(reader, shown, nullComesFirst: number / 2 % 2 == 0)
        let (report, duration) = try party.tap(number, over: &way)
        let (samples, nullDurations) = (way.samples, way.nullDurations)
        let ownDuration = duration - way.extraDuration
        self.reader = way.unwrapped()
        guard report.result.isApproved else {
            throw CommandFailure(.failure, "a tap was not approved: \(report.result.text)")
        }
        let sum = nullDurations.reduce(.zero, +)
        for (sample, null) in zip(samples, nullDurations) {
            meter.add(sample.kind.name, sample.duration, floor: .nullCard, null)
            meter.note(sample)
        }
        let name = BenchMeter.tapName(report.result)
        meter.add(name, ownDuration, floor: .nullCard, sum)
        meter.note(samples, as: name)
    }
}

/// What is needed to pay with somebody's card.
struct ForeignPayment {
    var terminal: POSTerminal
    var bank: TestBank
    var options: PaymentOptions
    var environment: POSEnvironment
}

/// Somebody's card in a reader: what costs it nothing, or whole payments where they are allowed.
struct ForeignRun: ~Copyable {
    private var reader: PCSCReader?
    private var payment: ForeignPayment?
    private let plan: BenchPlan
    private var meter = BenchMeter()

    init(_ reader: consuming PCSCReader, _ payment: ForeignPayment?, _ plan: BenchPlan) {
        self.reader = consume reader
        self.payment = payment
        self.plan = plan
    }

    /// Measures.
    mutating func run(_ progress: (Double) -> Void) throws -> BenchMeter {
        var script: [[UInt8]] = []
        if payment == nil {
            try reader?.awaitCard()
            script = try freeCommands()
        }
        for (batch, count) in plan.batchCounts.enumerated() {
            // A card that pays is not asked to do so for nothing.
            if payment == nil {
                meter.isWarmingUp = true
                for _ in 0..<plan.warmUpCount { try read(script) }
                meter.isWarmingUp = false
            }
            for number in 0..<count {
                if payment == nil { try read(script) } else { try pay(number) }
            }
            progress(plan.share(batch))
        }
        meter.endBlock()
        reader?.fieldOff()
        return meter
    }

    /// The commands that cost the card nothing: SELECT of the directory and of what is in it, and the first records of
    /// those that give them without GET PROCESSING OPTIONS.
    private mutating func freeCommands() throws(TransportError) -> [[UInt8]] {
        let environment = CommandAPDU(
            .select,
            parameters: 0x0400,
            body: Array("2PAY.SYS.DDF01".utf8),
            expectedLength: 256
        ).bytes
        var commands = [environment]
        let directory = try reader?.transmit(environment) ?? []
        for identifier in Self.identifiers(in: directory) {
            let select = CommandAPDU(
                .select,
                parameters: 0x0400,
                body: identifier,
                expectedLength: 256
            ).bytes
            commands.append(select)
            _ = try reader?.transmit(select)
            for file in 1...4 as ClosedRange<UInt16> {
                let read = CommandAPDU(
                    .readRecord,
                    parameters: 0x0104 | file << 3,
                    expectedLength: 256
                ).bytes
                guard try isGiven(read) else { continue }
                // What its floor is measured with may cost a card the application.
                _ = try reader?.transmit(PCSCReader.refused)
                if try isGiven(read) {
                    commands.append(read)
                } else {
                    _ = try reader?.transmit(select)
                }
            }
        }
        return commands
    }

    private mutating func isGiven(_ read: [UInt8]) throws(TransportError) -> Bool {
        try reader?.transmit(read).suffix(2) == [0x90, 0x00]
    }

    /// The application identifiers (4F) a payment directory names, eight at most.
    private static func identifiers(in response: [UInt8]) -> [[UInt8]] {
        guard let apdu = try? ResponseAPDU(parsing: response),
            let objects = try? TLV.parse(apdu.body)
        else { return [] }
        var found: [[UInt8]] = []
        var rest = objects
        while let object = rest.popLast(), found.count < 8 {
            if object.tag == .applicationIdentifier { found.append(object.value) }
            rest += object.objects
        }
        return found.reversed()
    }

    private mutating func read(_ script: [[UInt8]]) throws {
        for command in script {
            let floor = try reader?.time(PCSCReader.refused) ?? .zero
            guard let reader = reader.take() else { preconditionFailure("it is always put back") }
            var way = TimedReader(reader)
            _ = try way.transmit(command)
            for sample in way.samples {
                meter.add(sample.kind.name, sample.duration, floor: .refusal, floor)
                meter.note(sample)
            }
            self.reader = way.unwrapped()
        }
    }

    private mutating func pay(_ number: Int) throws {
        guard var payment, reader != nil else { return }
        try reader?.awaitCard()
        // The first one after the card came takes longer.
        _ = try reader?.time(PCSCReader.refused)
        var floors: [Duration] = []
        for _ in 0..<8 { floors.append(try reader?.time(PCSCReader.refused) ?? .zero) }
        guard let reader = reader.take() else { preconditionFailure("it is always put back") }
        var way = TimedReader(reader)
        let start = ContinuousClock.now
        let report = try payment.terminal.tap(
            payment.transaction(number),
            over: &way,
            host: payment.bank,
            environment: &payment.environment,
            surroundings: POSTerminal.Surroundings(clock: .continuous)
        )
        let duration = start.duration(to: .now)
        self.payment = payment
        var sum = Duration.zero
        for (index, sample) in way.samples.enumerated() {
            let floor = floors[index % floors.count]
            meter.add(sample.kind.name, sample.duration, floor: .refusal, floor)
            meter.note(sample)
            sum += floor
        }
        let name = BenchMeter.tapName(report.result)
        meter.add(name, duration, floor: .refusal, sum)
        meter.note(way.samples, as: name)
        self.reader = way.unwrapped()
        self.reader?.fieldOff()
    }
}

extension ForeignPayment {
    /// A small payment, or the one that was asked for.
    fileprivate func transaction(_ number: Int) -> Transaction {
        var options = options
        options.amount = options.amount ?? Amount(minorUnits: 500, currency: options.currency)
        return options.transaction(number: number + 1)
    }
}
