import Foundation
import TestSupport
import Testing

@testable import Measurement

/// A machine whose durations are made up: it has a pace, each process lies elsewhere in memory, and now and then
/// something comes in between.
private struct Machine {
    var generator: SeededGenerator
    /// How many times slower it is than at its best.
    var pace = 1.0
    /// How much of its pace the floors follow: 1 for all of it.
    var follows = 1.0
    /// By how much a process makes one thing slower or faster than another process does, at most.
    var layout = 0.08
    var blockCount = 15

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Measures fourteen things and their floors, some of them only as long as the clock can tell.
    /// - Parameters:
    ///   - changes: How many times longer things take than they did, by number.
    ///   - floorChanges: The same for their floors.
    /// - Returns: The things, in order.
    mutating func run(
        _ changes: [Int: Double] = [:],
        floors floorChanges: [Int: Double] = [:]
    ) -> [Measured] {
        let durations = [500.0, 400, 5000, 95_000, 350, 270_000, 130_000]
        let floors = [90.0, 60, 1250, 92_000, 60, 110_000, 2300]
        return (0..<14).map { number in
            measure(
                "thing \(number)",
                durations[number % 7] * changes[number, default: 1] * pace,
                floors[number % 7] * floorChanges[number, default: 1] * pow(pace, follows)
            )
        }
    }

    private mutating func measure(_ name: String, _ mean: Double, _ floor: Double) -> Measured {
        var measured = Measured(name: name, floorName: "floor")
        for _ in 0..<blockCount {
            measured.series.append(block(mean))
            measured.floor?.series.append(block(floor))
        }
        return measured
    }

    private mutating func block(_ mean: Double) -> [UInt64] {
        let place = Double.random(in: (1 - layout)...(1 + layout), using: &generator)
        return (0..<12).map { _ in
            let noise = Double.random(in: 0.97...1.05, using: &generator)
            let pause = Int.random(in: 0..<50, using: &generator) == 0 ? 20_000.0 : 0
            return UInt64(mean * place * noise + pause)
        }
    }
}

@Suite("Comparison")
struct ComparisonTests {
    private static let silent: Set<Comparison.Verdict> = [.noDifference, .paceOnly, .floorOnly]

    private func compare(
        _ new: [Measured],
        to old: [Measured],
        clockNanoseconds: Double = 0,
        isDisturbed: Bool = false
    ) -> Comparison {
        Comparison(
            Array(zip(new, old)),
            clockNanoseconds: clockNanoseconds,
            isDisturbed: isDisturbed
        )
    }

    /// The numbers of the things about which something is said.
    private func called(_ comparison: Comparison) -> [Int] {
        comparison.rows.indices.filter { !Self.silent.contains(comparison.rows[$0].verdict) }
    }

    @Test("Two runs of one program differ in none of their things, in at least 38 of 40 pairs")
    func same() {
        let seed = UInt64.random(in: .min ... .max)
        var machine = Machine(seed: seed)
        let falseCalls = (0..<40).count { _ in
            let old = machine.run()
            return !called(compare(machine.run(), to: old)).isEmpty
        }
        #expect(falseCalls <= 2, "seed \(seed)")
    }

    @Test("A machine that is up to twice as slow in one run does not pass for a slower program")
    func restless() {
        let seed = UInt64.random(in: .min ... .max)
        var machine = Machine(seed: seed)
        var falseCalls = 0
        for number in 0..<40 {
            machine.pace = Double.random(in: 1...2, using: &machine.generator)
            // Floors that follow only three quarters of the way make a fifth of a difference out of nothing.
            machine.follows = number.isMultiple(of: 2) ? 1 : 0.75
            let old = machine.run()
            machine.pace = Double.random(in: 1...2, using: &machine.generator)
            let comparison = compare(machine.run(), to: old)
            if !called(comparison).isEmpty { falseCalls += 1 }
        }
        #expect(falseCalls <= 2, "seed \(seed)")
    }

    @Test(
        "A fifth more shows in the thing that has it and in no other, in at least 38 of 40 pairs"
    )
    func planted() {
        let seed = UInt64.random(in: .min ... .max)
        var machine = Machine(seed: seed)
        var found = 0
        for _ in 0..<40 {
            let old = machine.run()
            let new = machine.run([2: 1.2])
            let (there, back) = (compare(new, to: old), compare(old, to: new))
            if called(there) == [2], called(back) == [2], there.rows[2].verdict == .slower,
                back.rows[2].verdict == .faster
            {
                found += 1
            }
        }
        #expect(found >= 38, "seed \(seed)")
    }

    @Test("A machine half as fast says so, and its pace is what has to be exceeded")
    func pace() throws {
        var machine = Machine(seed: 11)
        let old = machine.run()
        machine.pace = 1.5
        let comparison = compare(machine.run([3: 2]), to: old)
        #expect(abs(comparison.pace - 1.5) < 0.05)
        #expect(1.05...1.15 ~= comparison.leastChange / comparison.pace)
        #expect(called(comparison) == [3])
        let ratio = try #require(comparison.rows[3].inFloors)
        let interval = try #require(ratio.interval)
        #expect(interval.contains(2) && interval.lowerBound > 1.7)
    }

    @Test("A thing that became slower together with its floor did so for the machine")
    func together() {
        var machine = Machine(seed: 14)
        let old = machine.run()
        let comparison = compare(machine.run([5: 1.5], floors: [5: 1.5]), to: old)
        #expect(comparison.rows[5].verdict == .paceOnly)
        #expect(called(comparison).isEmpty)
    }

    @Test(
        "All of our own code a half slower shows, though the machine's pace seems to have changed"
    )
    func everything() {
        var machine = Machine(seed: 12)
        let old = machine.run()
        let changes = Dictionary(uniqueKeysWithValues: (0..<14).map { ($0, 1.6) })
        #expect(called(compare(machine.run(changes), to: old)).count == 14)
    }

    @Test("A machine that becomes faster for some things only makes none of them a faster program")
    func uneven() {
        var machine = Machine(seed: 15)
        let old = machine.run()
        // As measured where others came and went: the floors of two things did not follow.
        let changes = [0: 0.88, 1: 0.9, 2: 0.89, 4: 0.9, 6: 0.88, 7: 0.88, 8: 0.9]
        let floors = [0: 0.86, 1: 0.9, 4: 0.88, 7: 0.85, 8: 0.9]
        let comparison = compare(machine.run(changes, floors: floors), to: old)
        #expect(called(comparison).isEmpty)
        #expect(comparison.leastChange > 1.1)
    }

    @Test("A floor that alone became slower makes nothing faster")
    func floor() {
        var machine = Machine(seed: 13)
        let old = machine.run()
        let comparison = compare(machine.run(floors: [4: 1.5]), to: old)
        #expect(comparison.rows[4].verdict == .floorOnly)
        #expect(called(comparison).isEmpty)
    }

    @Test("A delay of one in fifty shows in the tail alone, and on a busy machine not at all")
    func rareDelay() {
        var machine = Machine(seed: 3)
        let old = machine.run()
        var new = machine.run()
        new[3].series = Series()
        for _ in 0..<15 {
            new[3].series.append(
                (0..<100).map { (number: UInt64) in number % 50 == 7 ? 300_000 : 95_000 + number }
            )
        }
        #expect(compare(new, to: old).rows[3].verdict == .tailSlower)
        #expect(compare(old, to: new).rows[3].verdict == .tailFaster)
        #expect(compare(new, to: old, isDisturbed: true).rows[3].verdict == .noDifference)
    }

    @Test("What the clock cannot tell is no difference")
    func clock() {
        var machine = Machine(seed: 5)
        machine.layout = 0.01
        let old = machine.run()
        let new = machine.run([4: 1.1])
        #expect(called(compare(new, to: old, clockNanoseconds: 30)) == [4])
        #expect(called(compare(new, to: old, clockNanoseconds: 40)).isEmpty)
    }

    @Test("Other floors and few blocks say nothing")
    func limits() {
        var machine = Machine(seed: 6)
        let old = machine.run()
        var new = machine.run([1: 2])
        new[1].floor?.name = "another"
        #expect(compare(new, to: old).rows[1].verdict == .otherFloor)
        machine.blockCount = 4
        let few = compare(machine.run(), to: old)
        #expect(few.rows.allSatisfy { $0.verdict == .tooLittle && $0.plain != nil })
        #expect(compare([], to: []).rows.isEmpty)
        let empty = [Measured(name: "nothing", floorName: nil)]
        #expect(compare(empty, to: empty).rows.map(\.verdict) == [.tooLittle])
    }

    @Test("A thing in units of its floor")
    func floors() throws {
        var machine = Machine(seed: 8)
        machine.pace = 2
        let ratio = try #require(machine.run()[3].floors)
        let interval = try #require(ratio.interval)
        #expect(abs(ratio.value - 95.0 / 92) < 0.05)
        #expect(interval.contains(ratio.value))
    }
}

@Suite("Ranks")
struct RankTests {
    // The tables of Mann and Whitney's U and of the sign test that statistics books print.
    @Test(
        "Critical numbers of turned pairs",
        arguments: [
            (3, 3, 0.05, nil), (4, 4, 0.05, 0), (5, 5, 0.05, 2), (8, 8, 0.05, 13),
            (9, 9, 0.05, 17), (10, 10, 0.05, 23), (15, 15, 0.05, 64), (20, 20, 0.05, 127),
            (5, 10, 0.05, 8), (10, 5, 0.05, 8), (4, 4, 0.01, nil), (5, 5, 0.01, 0),
            (9, 9, 0.01, 11), (10, 10, 0.01, 16), (15, 15, 0.01, 51), (20, 20, 0.01, 105),
        ] as [(Int, Int, Double, Int?)]
    )
    func pairs(first: Int, second: Int, chance: Double, expected: Int?) {
        #expect(RankTest.largestExtreme(first, second, chance: chance) == expected)
    }

    @Test(
        "Critical numbers of values on the wrong side",
        arguments: [
            (5, 0.05, nil), (6, 0.05, 0), (8, 0.05, 0), (9, 0.05, 1), (10, 0.05, 1),
            (15, 0.05, 3), (20, 0.05, 5), (7, 0.01, nil), (8, 0.01, 0), (10, 0.01, 0),
            (15, 0.01, 2), (20, 0.01, 3), (25, 0.01, 5),
        ] as [(Int, Double, Int?)]
    )
    func signs(count: Int, chance: Double, expected: Int?) {
        #expect(RankTest.largestExtreme(count, chance: chance) == expected)
    }

    @Test("Intervals hold the true ratio as often as they say")
    func coverage() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        // Exponential: nothing could be less normal.
        func values(_ mean: Double) -> [Double] {
            (0..<12).map { _ in
                -mean * log(Double.random(in: Double.ulpOfOne..<1, using: &generator))
            }
        }
        var misses = 0
        for _ in 0..<1000 {
            let ratio = try #require(Ratio(values(3), to: values(2), chance: 0.1))
            let interval = try #require(ratio.interval)
            if !interval.contains(1.5) { misses += 1 }
        }
        // 100 are expected at most; 60 to 100 where the numbers are counted out.
        #expect(40...140 ~= misses, "seed \(seed): \(misses)")
    }

    @Test("No ratio comes of nothing, of zero or of what is infinite")
    func nothing() {
        #expect(Ratio([], to: [1], chance: 0.01) == nil)
        #expect(Ratio([1], to: [], chance: 0.01) == nil)
        #expect(Ratio([0, 1], to: [1], chance: 0.01) == nil)
        #expect(Ratio([.infinity], to: [1], chance: 0.01) == nil)
        #expect(Ratio(middleOf: [], chance: 0.01) == nil)
        #expect(Ratio(middleOf: [1, -1], chance: 0.01) == nil)
        #expect(Ratio([6], to: [2], chance: 0.01)?.interval == nil)
    }
}
