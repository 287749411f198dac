import CommandLineKit
import TestVectors

/// How the cases of a run went, family by family.
struct VectorReport {
    /// A case and how it went.
    struct Result {
        var item: VectorItem
        /// Nil when it was not run.
        var verdict: VectorCase.Verdict?

        var isFailed: Bool {
            if case .failed = verdict { true } else { false }
        }
    }

    /// The cases of one family.
    struct Family {
        var name: String
        var results: [Result] = []

        var passedCount: Int { results.count { $0.verdict == .passed } }
        var failedCount: Int { results.count(where: \.isFailed) }
        var skippedCount: Int { results.count { $0.verdict == nil } }
        var flaggedCount: Int { results.count { !$0.item.vector.flags.isEmpty } }
        var doubtfulCount: Int { results.count(where: \.item.vector.isDoubtful) }
    }

    /// The families in the order in which their first cases were run.
    private(set) var families: [Family] = []

    /// Adds a case.
    mutating func append(_ item: VectorItem, _ verdict: VectorCase.Verdict?) {
        let result = Result(item: item, verdict: verdict)
        if let index = families.firstIndex(where: { $0.name == item.file.family }) {
            families[index].results.append(result)
        } else {
            families.append(Family(name: item.file.family, results: [result]))
        }
    }

    var passedCount: Int { families.reduce(0) { $0 + $1.passedCount } }
    var failedCount: Int { families.reduce(0) { $0 + $1.failedCount } }
    var skippedCount: Int { families.reduce(0) { $0 + $1.skippedCount } }
    var results: [Result] { families.flatMap(\.results) }
}

extension VectorReport {
    /// A line for each family, every failed and every doubtful case, and the sum.
    var text: String {
        var page = Page(.output)
        var table = TextTable([.leading, .trailing, .trailing, .trailing, .trailing, .trailing])
        let hasSkipped = skippedCount > 0
        table.rows.append(
            ["family", "passed", "failed", "flagged", "doubtful"] + (hasSkipped ? ["skipped"] : [])
        )
        for family in families {
            let counts = [
                family.passedCount, family.failedCount, family.flaggedCount, family.doubtfulCount,
            ]
            table.rows.append(
                [family.name]
                    + (counts + (hasSkipped ? [family.skippedCount] : [])).map(String.init)
            )
        }
        for (index, line) in table.lines.enumerated() {
            let isBad = index > 0 && families[index - 1].failedCount > 0
            page.line(isBad ? page.styled(line, .red) : line)
        }
        for result in results {
            guard case .failed(let expected, let got) = result.verdict else { continue }
            page.line()
            page.label("FAILED", result.item.title)
            page.label("expected", expected.printable)
            page.label("got", got.printable)
        }
        for doubt in doubts {
            page.line()
            page.label("doubtful", doubt.title)
            page.label("", doubt.note)
        }
        if hasSkipped {
            page.line()
            page.label(
                "skipped",
                "\(skippedCount) card tests could cost the card a transaction counter or a try of its PIN; "
                    + "--spend-atc runs them"
            )
        }
        page.line()
        page.line("\(passedCount) passed, \(failedCount) failed")
        return page.take()
    }

    /// What is in doubt, and which cases that concerns.
    private struct Doubt {
        var family: String
        var names: [String]
        var note: String

        var title: String { "\(family) \(names.joined(separator: ", "))".printable }
    }

    private var doubts: [Doubt] {
        var doubts: [Doubt] = []
        for item in results.map(\.item) {
            for flag in item.vector.flags where item.file.doubtfulFlags.contains(flag) {
                let note = (item.file.notes[flag] ?? "").printable
                let index = doubts.firstIndex { $0.family == item.file.family && $0.note == note }
                if let index {
                    doubts[index].names.append(item.name)
                } else {
                    doubts.append(Doubt(family: item.file.family, names: [item.name], note: note))
                }
            }
        }
        return doubts
    }

    /// The cases by family, without running them.
    static func list(_ items: [VectorItem]) -> String {
        var table = TextTable()
        for item in items {
            table.append(item.file.family, item.name.printable, item.vector.comment.printable)
        }
        return table.lines.map { $0 + "\n" }.joined()
    }
}

extension VectorItem {
    /// Family, name and comment.
    fileprivate var title: String {
        let comment = vector.comment.isEmpty ? "" : ": \(vector.comment)"
        return "\(file.family) \(name)\(comment)".printable
    }
}

extension String {
    /// The text without characters that would steer a terminal.
    fileprivate var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
            )
        )
    }
}
