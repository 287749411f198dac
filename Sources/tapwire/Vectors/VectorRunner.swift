import CommandLineKit
import TestVectors
import Transport

/// Runs cases one after the other.
struct VectorRunner {
    private let choice: VectorCardChoice

    /// Will run card tests on a card.
    init(_ choice: VectorCardChoice) { self.choice = choice }

    /// Runs all, and shows on a terminal how far it is.
    /// - Throws: `CommandFailure` for a file or a reader that is not right.
    func run(_ items: [VectorItem]) throws -> VectorReport {
        var cards = try VectorCards(choice)
        var progress = ProgressBar()
        defer { progress.clear() }
        var report = VectorReport()
        for (index, item) in items.enumerated() {
            progress.show(Double(index) / Double(items.count), item.file.family)
            report.append(item, try verdict(on: item, &cards))
        }
        return report
    }

    /// How a case goes; nil when it is not run.
    private func verdict(
        on item: VectorItem,
        _ cards: inout VectorCards
    ) throws -> VectorCase.Verdict? {
        switch item.vector.work {
        case .computation(let computation):
            do throws(VectorFileError) {
                return try computation.run()
            } catch {
                throw CommandFailure(error)
            }
        case .cardTest(let test):
            do throws(TransportError) {
                return try cards.run(test, on: item.scheme)
            } catch {
                throw CommandFailure(error)
            }
        }
    }
}
