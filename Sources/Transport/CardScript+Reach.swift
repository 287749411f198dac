extension [CardScript.Rule] {
    /// Looks whether each rule can give an answer to some command.
    /// - Throws: `CardScriptError` with the line of the first one that cannot.
    func checkReach() throws(CardScriptError) {
        for index in indices {
            if self[index].followsPrevious, index > 0, self[index - 1].isEndless {
                throw CardScriptError(.neverBegins, line: self[index].line)
            }
            let shadow = self[..<index].indices.first {
                self[$0].isEndless && isAhead($0, of: index)
            }
            if let shadow {
                throw CardScriptError(.shadowed(line: self[shadow].line), line: self[index].line)
            }
        }
    }

    /// Whether a rule answers all commands of a later one, as long as it has answers.
    ///
    /// One that waits does so only where those it waits for answer the same commands.
    private func isAhead(_ first: Int, of later: Int) -> Bool {
        var index = first
        while self[index].pattern.covers(self[later].pattern) {
            guard self[index].followsPrevious, index > 0 else { return true }
            index -= 1
        }
        return false
    }
}

extension CardScript.Rule {
    /// Whether its last answer is given always.
    fileprivate var isEndless: Bool { answers.last.map { $0.count == nil } ?? false }
}

extension CardScript.Pattern {
    /// Whether every command that fits `other` fits this one, too.
    func covers(_ other: Self) -> Bool {
        let isLongEnough =
            isOpen
            ? bytes.count <= other.bytes.count : !other.isOpen && bytes.count == other.bytes.count
        return isLongEnough
            && bytes.indices.allSatisfy { index in
                mask[index] & ~other.mask[index] == 0
                    && (bytes[index] ^ other.bytes[index]) & mask[index] == 0
            }
    }
}
