#if !hasFeature(Embedded)

extension Redaction {
    /// Pieces of at least four symbols that must not be shown, each with what stands for it.
    ///
    /// A log may hold the cards of a whole day: however many pieces there are, bytes are gone through once.
    struct Replacements: Sendable {
        private var substitutes: [[UInt8]: [UInt8]] = [:]
        /// How many symbols pieces have, the most first.
        private var counts: [Int] = []
        /// Whether a piece may begin so, by a hash of four symbols; empty before the first.
        private var isStart: [Bool] = []

        /// Remembers a piece.
        /// - Parameters:
        ///   - piece: What must not be shown.
        ///   - substitute: What stands for it, as long.
        /// - Returns: False when it was known.
        @discardableResult
        mutating func add(_ piece: [UInt8], _ substitute: [UInt8]) -> Bool {
            precondition(piece.count >= 4 && piece.count == substitute.count)
            guard substitutes[piece] == nil else { return false }
            substitutes[piece] = substitute
            if isStart.isEmpty { isStart = [Bool](repeating: false, count: 4096) }
            isStart[Self.hash(piece, at: 0)] = true
            if !counts.contains(piece.count) {
                counts = (counts + [piece.count]).sorted(by: >)
            }
            return true
        }

        /// Puts its substitute in the place of every piece, of those that begin together the longest.
        func apply(to symbols: [UInt8]) -> [UInt8] {
            guard !substitutes.isEmpty else { return symbols }
            var replaced = symbols
            var index = 0
            while index + 4 <= symbols.count {
                guard isStart[Self.hash(symbols, at: index)],
                    let substitute = substitute(symbols, index)
                else {
                    index += 1
                    continue
                }
                replaced.replaceSubrange(index..<index + substitute.count, with: substitute)
                index += substitute.count
            }
            return replaced
        }

        private func substitute(_ symbols: [UInt8], _ index: Int) -> [UInt8]? {
            for count in counts where index + count <= symbols.count {
                if let found = substitutes[Array(symbols[index..<index + count])] { return found }
            }
            return nil
        }

        /// Twelve bits of four symbols.
        private static func hash(_ symbols: [UInt8], at index: Int) -> Int {
            let start = symbols[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Int((start &* 0x9E37_79B1) >> 20)
        }
    }
}

#endif
