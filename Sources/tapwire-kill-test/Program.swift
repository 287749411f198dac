import Foundation
import TestSupport

/// Kills a wallet at random instants, and checks after each kill that nothing was lost or used twice.
///
///     tapwire-kill-test [KILLS] [SEED]
///
/// It starts itself again as `tapwire-kill-test pay STORE JOURNAL SEED`, which pays at a terminal until it is killed, in
/// turn with a Visa and a Mastercard card of single-use keys and a Visa card of limited-use keys whose sum is limited. It
/// writes into the journal each cryptogram the terminal has got. Afterwards no counter and no cryptogram stands in the
/// journal twice, the store opens, and each payment of the journal is in the history or reported as interrupted.
///
/// As many kills go to `tapwire-kill-test forget STORE JOURNAL SEED`, which does the same and cannot put down every
/// fourth payment or so, and to `tapwire-kill-test provision STORE JOURNAL SEED`, which adds cards, activates, suspends,
/// resumes, replenishes and deletes them. After each of the latter, wallet and server agree on every card, and each account can have its card.
@main
struct Program {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count == 4, let work = Killer.Work(rawValue: arguments[0]),
            let seed = UInt64(arguments[3])
        {
            let (store, journal) = (arguments[1], arguments[2])
            switch work {
            case .pay: return try await Payer(store: store, journal: journal, forgetting: nil).pay()
            case .forget:
                return try await Payer(store: store, journal: journal, forgetting: seed).pay()
            case .provision: return try await Provisioner(store: store).run()
            }
        }
        let numbers = arguments.compactMap { UInt64($0) }
        guard numbers.count == arguments.count, numbers.count <= 2 else {
            fail("usage: tapwire-kill-test [KILLS] [SEED]", EX_USAGE)
        }
        let generator = numbers.count > 1 ? SeededGenerator(seed: numbers[1]) : SeededGenerator()
        print("\(numbers.first ?? 1_000) kills, \(generator)")
        for work in Killer.Work.allCases {
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
