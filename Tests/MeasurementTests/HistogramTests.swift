import Foundation
import TestSupport
import Testing

@testable import Measurement

@Suite("Histogram")
struct HistogramTests {
    @Test("Every duration has one counter, and reads back within 0.4 %")
    func counters() {
        var seen = -1
        for index in 0..<LatencyHistogram.counterCount {
            let range = LatencyHistogram.range(of: index)
            let error = Double(max(range.last - range.middle, range.middle - range.first))
            let isRight =
                LatencyHistogram.index(of: range.first) == index
                && LatencyHistogram.index(of: range.last) == index
                && (range.first == 0 || LatencyHistogram.index(of: range.first - 1) == seen)
                && error <= Double(range.first) / 256
            if !isRight { Issue.record("counter \(index) holds \(range)") }
            seen = index
        }
        #expect(LatencyHistogram.range(of: LatencyHistogram.counterCount - 1).last == .max)
    }

    @Test("Percentiles of 1 to 100,000, in any order, are the numbers themselves")
    func uniform() {
        var generator = SeededGenerator(seed: 1)
        var histogram = LatencyHistogram()
        for value in (1...100_000).shuffled(using: &generator) {
            histogram.record(nanoseconds: UInt64(value))
        }
        #expect(histogram.count == 100_000)
        #expect(histogram.minimumNanoseconds == 1)
        #expect(histogram.maximumNanoseconds == 100_000)
        for share in [0.0001, 0.5, 0.9, 0.99, 0.999, 0.9999] {
            let exact = share * 100_000
            #expect(abs(Double(histogram.quantile(share)) - exact) <= exact / 256 + 1)
        }
        #expect(histogram.quantile(0) == 1)
        #expect(histogram.quantile(1) == 100_000)
    }

    @Test("Percentiles of an exponential distribution are its logarithms")
    func exponential() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var series = Series()
        let mean = 50_000.0
        for _ in 0..<200 {
            series.append(
                (0..<1000).map { _ in
                    UInt64(-mean * log(Double.random(in: Double.ulpOfOne..<1, using: &generator)))
                }
            )
        }
        for (share, tolerance) in [(0.5, 0.02), (0.9, 0.02), (0.99, 0.04), (0.999, 0.12)] {
            let exact = -mean * log(1 - share)
            let found = Double(series.histogram.quantile(share))
            #expect(
                abs(found / exact - 1) < tolerance,
                "seed \(seed), \(share): \(found), \(exact)"
            )
        }
    }

    @Test(
        "A block has the 10th percentile, the median and the 99th percentile of its own durations"
    )
    func blocks() {
        var series = Series()
        series.append((1...100).reversed())
        series.append([7])
        series.append([])
        series.append([1, 2, 3, 1000])
        #expect(series.blocks.map(\.median) == [50.5, 7, 2.5])
        #expect(series.blocks.map(\.tail) == [99, 7, 1000])
        #expect(series.blocks.map(\.quickTenth) == [10, 7, 1])
        #expect(series.histogram.count == 105)
    }

    @Test(
        "Ranks are the nearest above: of four, the half is the second and three quarters the third"
    )
    func ranks() {
        var histogram = LatencyHistogram()
        for value: UInt64 in [10, 20, 30, 40] { histogram.record(nanoseconds: value) }
        #expect(histogram.quantile(0.5) == 20)
        #expect(histogram.quantile(0.51) == 30)
        #expect(histogram.quantile(0.75) == 30)
        #expect(histogram.quantile(0.99) == 40)
    }

    @Test("An empty histogram says nothing, and the longest duration there is counts")
    func extremes() {
        var histogram = LatencyHistogram()
        #expect(histogram.quantile(0.5) == 0)
        histogram.record(nanoseconds: .max)
        histogram.record(nanoseconds: 0)
        #expect(histogram.quantile(1) == .max)
        #expect(histogram.quantile(0) == 0)
    }

    @Test("Parts that are merged are the whole")
    func merging() {
        var generator = SeededGenerator(seed: 2)
        var whole = LatencyHistogram()
        var parts = [LatencyHistogram](repeating: LatencyHistogram(), count: 3)
        for number in 0..<3000 {
            let value = UInt64.random(in: 0...(1 << UInt64(number % 60)), using: &generator)
            whole.record(nanoseconds: value)
            parts[number % 3].record(nanoseconds: value)
        }
        var merged = LatencyHistogram()
        for part in parts { merged.merge(part) }
        #expect(merged == whole)
    }

    @Test("JSON holds all of it")
    func json() throws {
        var histogram = LatencyHistogram()
        for value: UInt64 in [0, 255, 256, 1_000_000, 123_456_789] {
            histogram.record(nanoseconds: value)
            histogram.record(nanoseconds: value)
        }
        let text = try JSONEncoder().encode(histogram)
        #expect(try JSONDecoder().decode(LatencyHistogram.self, from: text) == histogram)
        let empty = try JSONEncoder().encode(LatencyHistogram())
        #expect(
            try JSONDecoder().decode(LatencyHistogram.self, from: empty) == LatencyHistogram()
        )
    }

    @Test(
        "JSON that contradicts itself is refused",
        arguments: [
            #"{"minimumNanoseconds":5,"maximumNanoseconds":5,"counters":[5]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":5,"counters":[5,0]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":5,"counters":[5,1,5,1]}"#,
            #"{"minimumNanoseconds":4,"maximumNanoseconds":5,"counters":[5,1]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":6,"counters":[5,1]}"#,
            #"{"minimumNanoseconds":6,"maximumNanoseconds":5,"counters":[5,1]}"#,
            #"{"minimumNanoseconds":301,"maximumNanoseconds":300,"counters":[278,2]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":5,"counters":[7424,1]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":5,"counters":[5,-1]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":5,"counters":[5,281474976710657]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":6,"counters":[5,18446744073709551615,6,1]}"#,
            #"{"minimumNanoseconds":1,"maximumNanoseconds":0,"counters":[]}"#,
            #"{"minimumNanoseconds":5,"maximumNanoseconds":5}"#,
        ]
    )
    func badJSON(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LatencyHistogram.self, from: Data(text.utf8))
        }
    }
}
