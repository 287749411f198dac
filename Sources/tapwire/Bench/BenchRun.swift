import AirTime
import CommandLineKit
import EMVData
import Measurement
import Profiles
import TerminalKernels
import VirtualPOS

/// How often something is measured.
struct BenchPlan {
    /// How many taps each block has, each in a process of its own; enough blocks to tell chance from change.
    let blockCounts: [Int]
    /// How many taps each batch of the only block has.
    let batchCounts: [Int]
    /// How many taps before each batch do not count.
    let warmUpCount: Int

    /// How many taps share a card and a terminal before both are made anew.
    private static let batchSize = 100

    /// Which share is done behind a batch.
    func share(_ batch: Int) -> Double { Double(batch + 1) / Double(batchCounts.count) }

    /// Reads `--rounds`, `--blocks` and `--warm-up`.
    init(_ arguments: Arguments) throws {
        let isReader = arguments.has("vpcd") || arguments.has("reader")
        let usual =
            arguments.has("vpcd")
            ? 1000 : arguments.has("spend-atc") ? 50 : arguments.has("reader") ? 200 : 4000
        let rounds = try arguments.wholeNumber("rounds", in: 1...100_000_000) ?? usual
        let blocks = try arguments.wholeNumber("blocks", in: 1...Measured.maximumBlockCount)
        // Amounts alternate: fewer than two taps are not the same as the other blocks'.
        blockCounts = Self.divide(rounds, by: min(blocks ?? (isReader ? 9 : 15), rounds / 2))
        batchCounts = Self.divide(rounds, by: rounds / Self.batchSize)
        warmUpCount =
            try arguments.wholeNumber("warm-up", in: 0...1_000_000) ?? max(2, batchCounts[0] / 5)
    }

    /// Divides taps as evenly as they can be into at least one part.
    private static func divide(_ count: Int, by parts: Int) -> [Int] {
        let parts = max(1, parts)
        return (0..<parts).map { count * ($0 + 1) / parts - count * $0 / parts }
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
            meter.isWarmingUp = true
            for number in 0..<plan.warmUpCount { try measure(&party, number) }
            meter.isWarmingUp = false
            for number in 0..<count { try measure(&party, number) }
            progress(plan.share(batch))
        }
        meter.endBlock()
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
