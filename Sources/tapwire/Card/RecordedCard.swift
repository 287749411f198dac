import BERTLV
import CommandLineKit
import EMVData
import TerminalKernels
import Traces
import VirtualPOS

/// A recorded card that the command line names, and the terminal that can ask it what it was asked.
struct RecordedCard {
    /// The terminal of the recording.
    let terminal: RecordedTerminal

    /// The recording.
    var trace: Trace { terminal.trace }

    /// Reads a trace file.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    init(path: String) throws {
        let text = try InputFile.text(path, "card trace")
        do throws(TraceError) {
            terminal = try RecordedTerminal(Trace(parsing: text))
        } catch {
            throw CommandFailure(.badFile, "card trace \(path.quoted), \(error.message)")
        }
    }

    /// Whether the card's numbers may be shown whole.
    var isPublic: Bool { trace[.publicCard] != nil }

    /// The payment that was recorded; the command line fills in what the recording does not tell.
    /// - Throws: `CommandFailure` when something is told by both, or the amount by neither.
    func transaction(_ options: PaymentOptions, _ arguments: Arguments) throws -> Transaction {
        for (option, tag) in [
            ("amount", Tag.amountAuthorised), ("currency", .transactionCurrencyCode),
            ("type", .transactionType), ("date", .transactionDate), ("un", .unpredictableNumber),
            ("cashback", .amountOther),
        ] where arguments.has(option) && terminal.value(tag) != nil {
            throw CommandFailure(.usage, "leave out --\(option): the recording tells it (\(tag))")
        }
        let currency = terminal.currency ?? options.currency
        guard let amount = terminal.amount(in: currency) ?? options.amount else {
            throw CommandFailure(
                .usage,
                "the recording does not tell the amount; give it with --amount"
            )
        }
        var payment = options
        payment.amount = amount
        return terminal.transaction(payment.transaction())
    }
}
