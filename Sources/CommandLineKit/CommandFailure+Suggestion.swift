extension CommandFailure {
    /// Says that a word is not known, and which one may have been meant.
    public static func unknown(
        _ kind: String,
        _ word: String,
        among known: [String],
        listsAll: Bool = false
    ) -> CommandFailure {
        var message = "unknown \(kind) \(word.quoted)"
        if let near = nearest(to: word, among: known) {
            message += "; did you mean \(near)?"
        } else if listsAll {
            message += "; use \(list(known))"
        } else {
            message += "; --help lists what there is"
        }
        return CommandFailure(.usage, message)
    }

    /// "a, b or c".
    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The known word that a mistyped one most probably stands for; nil when none is near.
    public static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = Array(word.lowercased().utf8.prefix(64))
        let bare = wanted.drop { $0 == UInt8(ascii: "-") }
        let scored = known.map { ($0, distance(wanted, Array($0.lowercased().utf8))) }
        guard let best = scored.min(by: { $0.1 < $1.1 }) else { return nil }
        if best.1 <= max(1, bare.count / 3) { return best.0 }
        return bare.count >= 3 ? known.first { $0.lowercased().hasPrefix(word.lowercased()) } : nil
    }

    /// How many letters must be inserted, removed, changed or swapped with their neighbour.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(
                    previous[column] + (letter == other ? 0 : 1),
                    previous[column + 1] + 1,
                    current[column] + 1
                )
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
