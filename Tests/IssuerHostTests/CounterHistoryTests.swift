import TestSupport
import Testing

@testable import IssuerHost

struct CounterHistoryTests {
    @Test func `counters rise, come late once, and never twice`() {
        var history = CounterHistory()
        #expect(history.record(100) == nil)
        #expect(history.record(100) == .repeated)
        #expect(history.record(103) == nil)
        #expect(history.record(101) == nil)
        #expect(history.record(101) == .repeated)
        #expect(history.record(102) == nil)
        #expect(history.record(100) == .repeated)
        #expect(history.record(99) == nil)
    }

    @Test func `the window has 64 counters`() {
        var history = CounterHistory()
        #expect(history.record(1_000) == nil)
        #expect(history.record(937) == nil)
        #expect(history.record(937) == .repeated)
        #expect(history.record(936) == .tooOld(highest: 1_000))
        #expect(history.record(1_001) == nil)
        #expect(history.record(937) == .tooOld(highest: 1_001))
        #expect(history.record(938) == nil)
    }

    @Test func `both ends of the range are counters like others`() {
        var history = CounterHistory()
        #expect(history.record(0) == nil)
        #expect(history.record(0) == .repeated)
        #expect(history.record(.max) == nil)
        #expect(history.record(.max) == .repeated)
        #expect(history.record(0) == .tooOld(highest: .max))
    }

    @Test func `it agrees with a set that forgets nothing`() {
        var generator = SeededGenerator()
        let source = generator.description
        for _ in 0..<200 {
            var history = CounterHistory()
            var seen: Set<UInt16> = []
            var middle: UInt16 = .random(in: 100...60_000, using: &generator)
            for _ in 0..<100 {
                let counter = middle &+ .random(in: 0...140, using: &generator) &- 70
                let refusal = history.record(counter)
                let highest = seen.max() ?? counter
                if seen.contains(counter) {
                    #expect(refusal != nil, "\(source)")
                } else if counter > highest || highest - counter < 64 {
                    #expect(refusal == nil, "\(source)")
                } else {
                    #expect(refusal == .tooOld(highest: highest), "\(source)")
                }
                if refusal == nil { seen.insert(counter) }
                middle = max(middle, counter &- 30)
            }
        }
    }
}
