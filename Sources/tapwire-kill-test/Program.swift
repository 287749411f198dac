import Foundation
import TestSupport

/// Kills a wallet at random instants, and checks after each kill that nothing was lost or used twice.
///
///     tapwire-kill-test [KILLS] [SEED]
///
/// It starts itself again as `tapwire-kill-test pay STORE JOURNAL`, which pays at a terminal until it is killed and
/// writes into the journal each cryptogram the terminal has got. Afterwards no counter and no cryptogram stands in the
/// journal twice, the store opens, and each payment of the journal is in the history or reported as interrupted.
///
/// Then as many kills go to `tapwire-kill-test provision STORE JOURNAL`, which adds cards, activates, suspends, resumes,
/// replenishes and deletes them. After each, wallet and server agree on every card, and each account can have its card.
@main
struct Program {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count == 3, arguments[0] == "pay" {
            let payer = try Payer(store: arguments[1], journal: arguments[2])
            return try await payer.pay()
        }
        if arguments.count == 3, arguments[0] == "provision" {
            return try await Provisioner(store: arguments[1]).run()
        }
        let numbers = arguments.compactMap { UInt64($0) }
        guard numbers.count == arguments.count, numbers.count <= 2 else {
            fail("usage: tapwire-kill-test [KILLS] [SEED]", EX_USAGE)
        }
        let generator = numbers.count > 1 ? SeededGenerator(seed: numbers[1]) : SeededGenerator()
        print("\(numbers.first ?? 1_000) kills, \(generator)")
        for work in [Killer.Work.pay, .provision] {
            var killer = try Killer(work, generator)
            try killer.run(killCount: Int(numbers.first ?? 1_000))
        }
    }
}

/// Ends the program with a sentence.
func fail(_ sentence: String, _ code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
    exit(code)
}
