import ISO7816

/// A card script under way: it knows which answers have been given.
public struct CardScriptPlayer: Sendable {
    /// The script.
    public let script: CardScript
    /// How many answers each rule has given.
    private var given: [Int]

    /// Begins a script.
    public init(_ script: CardScript) {
        self.script = script
        given = script.rules.map { _ in 0 }
    }

    /// A tap begins: rules that begin anew with each one do.
    public mutating func beginTap() {
        for index in script.rules.indices where script.rules[index].restartsEachTap {
            given[index] = 0
        }
    }

    /// Takes the answer to a command; nil where the card answers by itself.
    public mutating func step(for command: [UInt8]) -> Step? {
        for (index, rule) in script.rules.enumerated() where rule.pattern.fits(command) {
            if rule.followsPrevious, index > 0, answer(of: index - 1) != nil { continue }
            guard let answer = answer(of: index) else { continue }
            given[index] += 1
            return Step(line: rule.line, reachesCard: rule.reachesCard, answer: answer)
        }
        return nil
    }

    /// The next answer of a rule; nil where it has given all.
    private func answer(of index: Int) -> CardScript.Answer? {
        var left = given[index]
        for answer in script.rules[index].answers {
            guard let count = answer.count, left >= count else { return answer }
            left -= count
        }
        return nil
    }

    /// What a script makes of one command.
    public struct Step: Hashable, Sendable {
        /// The line of the rule.
        public let line: Int
        /// Whether the card gets the command.
        public let reachesCard: Bool
        /// The answer.
        public let answer: CardScript.Answer

        /// Puts a response together.
        /// - Parameters:
        ///   - parts: What it consists of.
        ///   - command: The command.
        ///   - own: The card's own response; empty where the card was not asked.
        /// - Returns: 2 to 258 bytes; what is more is cut before the last two, and what is less is 6F00.
        public func response(
            of parts: [CardScript.Part],
            to command: [UInt8],
            own: [UInt8]
        ) -> [UInt8] {
            let response = parts.flatMap { part -> [UInt8] in
                switch part {
                case .literal(let bytes): bytes
                case .cardData: own.dropLast(2)
                case .cardStatus: own.suffix(2)
                case .commandData: (try? CommandAPDU(parsing: command))?.body ?? []
                case .commandBytes(let range):
                    Array(command.dropFirst(range.lowerBound).prefix(range.count))
                }
            }
            guard response.count >= 2 else { return [0x6F, 0x00] }
            guard response.count > CardScript.maximumAnswerCount else { return response }
            return response.prefix(CardScript.maximumAnswerCount - 2) + response.suffix(2)
        }
    }
}
