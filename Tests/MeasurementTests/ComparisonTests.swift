import Foundation
import TestSupport
import Testing

@testable import Measurement

/// A machine whose durations are made up: it wanders between fast and slow, and sometimes stops.
private struct Machine {
    var generator: SeededGenerator
    /// How slow it is at most, where 1 is as fast as it gets.
    var slowest = 1.0
    private var slowness = 1.0

    init(seed: UInt64, slowest: Double = 1) {
        generator = SeededGenerator(seed: seed)
        self.slowest = slowest
    }

    /// Measures something and its floor in turn.
    mutating func measure(
        nanoseconds: Double,
        floorNanoseconds: Double = 10_000,
        batches: Int = 40
    ) -> Measured {
        var measured = Measured(name: "command", floorName: "floor")
        for _ in 0..<batches {
            // A machine changes its pace for many batches, not for one.
            if Int.random(in: 0..<8, using: &generator) == 0 {
                slowness = Double.random(in: 1...slowest, using: &generator)
            }
            let durations = (0..<100).map { _ in duration(nanoseconds) }
            let floors = (0..<100).map { _ in duration(floorNanoseconds) }
            measured.series.append(durations)
            measured.floor?.series.append(floors)
        }
        return measured
    }

    private mutating func duration(_ nanoseconds: Double) -> UInt64 {
        let noise = Double.random(in: 0.97...1.05, using: &generator)
        let pause = Int.random(in: 0..<500, using: &generator) == 0 ? 200_000.0 : 0
        return UInt64(nanoseconds * slowness * noise + pause)
    }
}

@Suite("Comparison")
struct ComparisonTests {
    private func compare(_ new: Measured, to old: Measured) -> Comparison {
        var generator = SeededGenerator(seed: 7)
        return Comparison(new, to: old, using: &generator)
    }

    @Test(
        "The same thing measured twice shows no difference",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func same(seed: UInt64) {
        var machine = Machine(seed: seed)
        let old = machine.measure(nanoseconds: 30_000)
        let new = machine.measure(nanoseconds: 30_000)
        #expect(compare(new, to: old).verdict == .noDifference)
    }

    @Test(
        "A machine that is twice as slow now and then does not pass for a slower program",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func restless(seed: UInt64) {
        var machine = Machine(seed: seed, slowest: 2)
        let old = machine.measure(nanoseconds: 30_000)
        let new = machine.measure(nanoseconds: 30_000)
        #expect(compare(new, to: old).verdict == .noDifference)
    }

    @Test(
        "A planted delay of a tenth shows, in either direction",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func delay(seed: UInt64) throws {
        var machine = Machine(seed: seed, slowest: 2)
        let old = machine.measure(nanoseconds: 30_000)
        let new = machine.measure(nanoseconds: 33_000)
        let slower = compare(new, to: old)
        #expect(slower.verdict == .slower)
        let ratio = try #require(slower.quickTenth.ratio)
        #expect(ratio.lower < 1.1 && ratio.upper > 1.1 && ratio.upper - ratio.lower < 0.06)
        #expect(compare(old, to: new).verdict == .faster)
    }

    @Test("A delay of one command in fifty shows in the tail alone")
    func rareDelay() {
        var machine = Machine(seed: 3)
        let old = machine.measure(nanoseconds: 30_000)
        var new = machine.measure(nanoseconds: 30_000)
        new.series = Series()
        for _ in 0..<40 {
            let batch = (0..<100).map { (number: UInt64) -> UInt64 in
                number % 50 == 7 ? 90_000 : 30_000 + number * 10
            }
            new.series.append(batch)
        }
        let comparison = compare(new, to: old)
        #expect(comparison.quickTenth.verdict == .noDifference)
        #expect(comparison.tail.verdict == .slower)
        #expect(comparison.verdict == .slower)
    }

    @Test("A difference smaller than two runs of one program have is none")
    func small() {
        var machine = Machine(seed: 5)
        let old = machine.measure(nanoseconds: 30_000)
        let new = machine.measure(nanoseconds: 30_900)
        let change = compare(new, to: old).quickTenth
        #expect((change.ratio?.lower ?? 0) > 1)
        #expect(change.verdict == .noDifference)
    }

    @Test("On a busy machine only what is beyond a quarter counts, and tails say nothing")
    func disturbed() {
        var machine = Machine(seed: 4)
        let old = machine.measure(nanoseconds: 30_000)
        var generator = SeededGenerator(seed: 7)
        func verdict(_ nanoseconds: Double) -> Comparison.Verdict {
            let new = machine.measure(nanoseconds: nanoseconds)
            return Comparison(new, to: old, isDisturbed: true, using: &generator).verdict
        }
        #expect(verdict(36_000) == .noDifference)
        #expect(verdict(42_000) == .slower)
        #expect(verdict(20_000) == .faster)
    }

    @Test("Other floors are not compared, and few batches say nothing")
    func limits() {
        var machine = Machine(seed: 6)
        let old = machine.measure(nanoseconds: 30_000)
        var new = machine.measure(nanoseconds: 60_000)
        new.floor?.name = "another"
        let comparison = compare(new, to: old)
        #expect(!comparison.usesFloor)
        #expect(comparison.verdict == .slower)
        let few = machine.measure(nanoseconds: 60_000, batches: 7)
        #expect(compare(few, to: old).verdict == .tooLittle)
    }

    @Test("A thing in units of its floor")
    func floors() throws {
        var machine = Machine(seed: 8, slowest: 2)
        var generator = SeededGenerator(seed: 9)
        let measured = machine.measure(nanoseconds: 30_000)
        let ratio = try #require(measured.floors(using: &generator))
        #expect(abs(ratio.value - 3) < 0.05)
        #expect(ratio.lower <= ratio.value && ratio.value <= ratio.upper)
    }
}
