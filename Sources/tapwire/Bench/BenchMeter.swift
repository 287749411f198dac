import AirTime
import Measurement
import VirtualPOS

/// Collects durations by name, with those of their floors, and puts them away as a block.
struct BenchMeter {
    private struct Block {
        var durations: [UInt64] = []
        var floorDurations: [UInt64] = []
    }

    /// The bytes of a command and its response.
    struct Counts: Hashable {
        var command: Int
        var response: Int
    }

    /// What was measured, in the order it was first seen.
    private(set) var measured: [Measured] = []
    /// The exchanges each is made of: the longest command of its name, or those of a whole tap.
    private(set) var exchanges: [String: [Counts]] = [:]
    private var block: [String: Block] = [:]
    /// Whether what comes only warms the machine up, and does not count.
    var isWarmingUp = false

    /// Adds a duration and that of its floor, which was measured right beside it.
    mutating func add(_ name: String, _ duration: Duration, floor: BenchFloor, _ other: Duration) {
        guard !isWarmingUp else { return }
        if !measured.contains(where: { $0.name == name }) {
            measured.append(Measured(name: name, floorName: floor.name))
        }
        block[name, default: Block()].durations.append(duration.wholeNanoseconds)
        block[name, default: Block()].floorDurations.append(other.wholeNanoseconds)
    }

    /// Remembers how long a command and its response are.
    mutating func note(_ sample: BenchSample) {
        let counts = Counts(command: sample.command.count, response: sample.responseCount)
        let known = exchanges[sample.kind.name]?.first
        if (known.map { $0.command + $0.response } ?? -1) < counts.command + counts.response {
            exchanges[sample.kind.name] = [counts]
        }
    }

    /// Remembers the exchanges of a whole tap.
    mutating func note(_ samples: [BenchSample], as name: String) {
        exchanges[name] = samples.map {
            Counts(command: $0.command.count, response: $0.responseCount)
        }
    }

    /// Closes the block.
    mutating func endBlock() {
        for index in measured.indices {
            guard let block = block[measured[index].name] else { continue }
            measured[index].series.append(block.durations)
            measured[index].floor?.series.append(block.floorDurations)
        }
        block = [:]
    }

    /// What a whole tap is called.
    static func tapName(_ result: TapReport.Result) -> String {
        switch result {
        case .approvedOffline, .declinedOffline: "whole tap, offline"
        case .approvedOnline, .declinedOnline, .unanswered: "whole tap, online"
        case .ended: "whole tap, ended"
        }
    }

    /// What everything takes on the radio, beside the card's own time; a whole tap with its activation.
    func airTimes(_ link: RadioLink) -> BenchReport.AirTimes {
        var nanoseconds: [String: UInt64] = [:]
        for (name, counts) in exchanges {
            let isTap = name.hasPrefix("whole tap")
            var total = isTap ? RadioActivation(bitRate: link.bitRate).total : .zero
            for count in counts {
                total =
                    total
                    + RadioExchange(
                        link,
                        commandCount: count.command,
                        responseCount: count.response
                    ).total
            }
            nanoseconds[name] = total.duration.wholeNanoseconds
        }
        return BenchReport.AirTimes(link: link.text, nanoseconds: nanoseconds)
    }
}

extension Duration {
    /// The whole nanoseconds; zero for less than none.
    var wholeNanoseconds: UInt64 { UInt64(max(0, nanoseconds)) }
}
