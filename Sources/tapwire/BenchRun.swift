import AirTime
import CommandLineKit
import EMVData
import Measurement
import Profiles
import TerminalKernels
import VirtualPOS

/// How often something is measured.
struct BenchPlan {
    /// How many taps each batch has: enough batches to tell chance from change.
    let batchCounts: [Int]
    /// How many taps before each batch do not count.
    let warmUpCount: Int

    /// Which share is done behind a batch.
    func share(_ batch: Int) -> Double { Double(batch + 1) / Double(batchCounts.count) }

    /// Reads `--rounds` and `--warm-up`.
    init(_ arguments: Arguments, rounds: Int) throws {
        let rounds = try arguments.wholeNumber("rounds", in: 1...100_000_000) ?? rounds
        let batchCount = min(rounds, 40)
        batchCounts = (0..<batchCount).map { batch in
            rounds * (batch + 1) / batchCount - rounds * batch / batchCount
        }
        warmUpCount =
            try arguments.wholeNumber("warm-up", in: 0...1_000_000)
            ?? max(2, rounds / batchCount / 5)
    }
}

extension Arguments {
    /// The value of an option that is a whole number.
    func wholeNumber(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try value(
            name,
            expecting: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

/// A card's taps in this process, each command measured in turn with its floor.
struct BenchRun {
    private let card: CardPersonalization
    private let terminal: TerminalOptions
    private let options: PaymentOptions
    private let plan: BenchPlan
    private let floor: CryptoFloor
    private var meter = BenchMeter()
    private var copied: [UInt8] = []

    init(
        _ card: CardPersonalization,
        _ terminal: TerminalOptions,
        _ options: PaymentOptions,
        _ plan: BenchPlan
    ) {
        self.card = card
        self.terminal = terminal
        self.options = options
        self.plan = plan
        floor = CryptoFloor(card.profile.applications[0].scheme)
        copied.reserveCapacity(512)
    }

    /// Measures.
    /// - Parameter progress: Told which share is done.
    /// - Returns: What was measured.
    /// - Throws: `CommandFailure` for a tap that is not approved.
    mutating func run(_ progress: (Double) -> Void) throws -> BenchMeter {
        for (batch, count) in plan.batchCounts.enumerated() {
            // Made anew, so that it lies elsewhere in memory: where it lies makes a difference of its own.
            var party = try BenchParty(card, terminal, options)
            for number in 0..<plan.warmUpCount { try measure(&party, number) }
            meter.dropBatch()
            for number in 0..<count { try measure(&party, number) }
            meter.endBatch()
            progress(plan.share(batch))
        }
        return meter
    }

    private mutating func measure(_ party: inout BenchParty, _ number: Int) throws {
        let tap = try party.tap(number)
        guard tap.report.result.isApproved else {
            throw CommandFailure(
                .failure,
                "a tap was not approved: \(tap.report.result.text); see “tapwire tap” with the same options"
            )
        }
        for sample in tap.samples {
            let floor = party.floor(of: sample)
            meter.add(sample.kind.name, sample.duration, floor: floor, time(floor))
            meter.note(sample)
        }
        let floor = party.floor(of: tap)
        let name = BenchMeter.tapName(tap.report.result)
        meter.add(name, tap.duration, floor: floor, time(floor))
        meter.note(tap.samples, as: name)
    }

    private mutating func time(_ floor: BenchFloor) -> Duration {
        let start: ContinuousClock.Instant
        switch floor {
        case .copy(let byteCount):
            copied.removeAll(keepingCapacity: true)
            start = .now
            copied.append(addingCapacity: 258) { output in
                for index in 0..<byteCount { output.append(UInt8(truncatingIfNeeded: index)) }
            }
        case .cryptography(let work):
            start = .now
            self.floor.run(work)
        case .nullCard, .refusal: preconditionFailure("these are measured through a reader")
        }
        return start.duration(to: .now)
    }
}
