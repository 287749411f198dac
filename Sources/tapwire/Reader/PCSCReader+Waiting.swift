import CommandLineKit
import Dispatch
import PCSC
import Transport

/// How long a card that is there may take before somebody wonders.
private let patienceSeconds = 1.0

extension PCSCReader {
    /// Takes the card into use, and says so where there is none yet or another program has it.
    /// - Throws: `CommandFailure`.
    mutating func awaitCard() throws {
        let card = "the card in \(name.escapingControls)"
        let isThere: Bool
        do throws(PCSCError) { isThere = try hasCard() } catch { throw CommandFailure(error) }
        if !isThere { Console.diagnostics.write("Waiting for \(card).\n") }
        let notice = DispatchWorkItem {
            Console.diagnostics.write("Another program uses \(card); waiting for it to end.\n")
        }
        defer { notice.cancel() }
        if isThere {
            DispatchQueue.global().asyncAfter(deadline: .now() + patienceSeconds, execute: notice)
        }
        do throws(TransportError) { try fieldOn() } catch { throw CommandFailure(error) }
    }
}
