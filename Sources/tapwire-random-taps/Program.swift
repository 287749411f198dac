import EMVData
import Foundation
import TestSupport
import VirtualPOS

/// Performs random payments and prints each as a line of JSON, for `tools/verify-taps`.
///
///     tapwire-random-taps [COUNT] [SEED]
///
/// Cards, keys, terminals and amounts all follow from the seed, which is told on standard error. Only taps in which
/// the card made a cryptogram are printed and counted.
@main
struct Program {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap { UInt64($0) }
        guard numbers.count == arguments.count, numbers.count <= 2 else {
            FileHandle.standardError.write(Data("usage: tapwire-random-taps [COUNT] [SEED]\n".utf8))
            exit(EX_USAGE)
        }
        let count = numbers.first ?? 1000
        var generator = numbers.count > 1 ? SeededGenerator(seed: numbers[1]) : SeededGenerator()
        FileHandle.standardError.write(Data("\(count) random taps, \(generator)\n".utf8))

        var number: UInt64 = 0
        while number < count {
            let party = try RandomParty(&generator)
            for _ in 0..<Int.random(in: 1...6, using: &generator) where number < count {
                let report = try await party.pay(&generator)
                guard let line = TapLine(number: number + 1, report, party) else { continue }
                number += 1
                FileHandle.standardOutput.write(try line.json)
            }
        }
    }
}
