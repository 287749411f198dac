import Octets

extension CardScript {
    /// Reads a script.
    /// - Parameter text: The whole file.
    /// - Throws: `CardScriptError`, with the line.
    public init(parsing text: String) throws(CardScriptError) {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw CardScriptError(.tooLong, line: 1)
        }
        var reader = CardScriptReader()
        var line = 0
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            line += 1
            try reader.read(raw, line)
        }
        rules = try reader.finish()
    }
}

/// Reads a script line by line.
private struct CardScriptReader {
    private var rules: [CardScript.Rule] = []
    private var delay: Duration?
    private var count: Int??
    private var line = 0

    private typealias Failure = CardScriptError

    mutating func read(_ raw: Substring, _ number: Int) throws(CardScriptError) {
        line = number
        let words = raw.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
        if line == 1 {
            guard
                raw.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    == CardScript.signature
            else { throw failure(.notAScript) }
            return
        }
        guard let first = words.first else { return }
        let rest = words.dropFirst()
        switch first.first {
        case ">": try begin(Self.joined(first, rest))
        case "<": try answer(.respond(parts(Self.joined(first, rest))))
        case "!":
            switch Self.joined(first, rest) {
            case ["removed"]: try answer(.leave)
            case ["timeout"]: try answer(.staySilent)
            default: throw failure(.unknownLine)
            }
        default:
            switch words.map(String.init) {
            case ["then"]:
                guard rules.count != 1 else { throw failure(.nothingAbove) }
                try set { $0.followsPrevious = true }
            case ["each", "tap"]: try set { $0.restartsEachTap = true }
            case ["instead"]: try set { $0.reachesCard = false }
            case let words where words[0] == "wait": try wait(Array(words.dropFirst()))
            case let words where words[0] == "times": try times(Array(words.dropFirst()))
            default: throw failure(.unknownLine)
            }
        }
    }

    /// Ends the last rule and gives all of them.
    mutating func finish() throws(CardScriptError) -> [CardScript.Rule] {
        try endRule()
        guard 1...CardScript.maximumRuleCount ~= rules.count else { throw failure(.ruleCount) }
        try rules.checkReach()
        return rules
    }

    private func failure(_ reason: CardScriptError.Reason) -> CardScriptError {
        CardScriptError(reason, line: line)
    }

    /// What stands behind a line's sign, with or without a space between.
    private static func joined(_ first: Substring, _ rest: ArraySlice<Substring>) -> [Substring] {
        let behind = first.dropFirst()
        return (behind.isEmpty ? [] : [behind]) + rest
    }

    // MARK: Rules

    private mutating func begin(_ words: [Substring]) throws(CardScriptError) {
        try endRule()
        guard rules.count < CardScript.maximumRuleCount else { throw failure(.ruleCount) }
        rules.append(CardScript.Rule(line: line, pattern: try pattern(words)))
    }

    private mutating func endRule() throws(CardScriptError) {
        guard delay == nil, count == nil, rules.last?.answers.isEmpty != true else {
            throw failure(.missingAnswer)
        }
    }

    private mutating func set(_ change: (inout CardScript.Rule) -> Void) throws(CardScriptError) {
        guard let last = rules.indices.last else { throw failure(.outsideRule) }
        guard rules[last].answers.isEmpty, delay == nil, count == nil else {
            throw failure(.lateSetting)
        }
        change(&rules[last])
    }

    private func pattern(_ words: [Substring]) throws(CardScriptError) -> CardScript.Pattern {
        var digits = words.joined()
        let isOpen = digits.last == "?"
        if isOpen { digits.removeLast() }
        guard isOpen || !digits.isEmpty, digits.utf8.count <= 2 * CardScript.maximumCommandCount
        else { throw failure(.badPattern) }
        var pattern = CardScript.Pattern(bytes: [], mask: [], isOpen: isOpen)
        var rest = digits[...]
        while !rest.isEmpty {
            let pair = rest.prefix(2)
            rest = rest.dropFirst(2)
            guard pair.count == 2, let high = Self.digit(pair.first),
                let low = Self.digit(pair.last)
            else { throw failure(.badByte(String(pair))) }
            pattern.bytes.append(high.value << 4 | low.value)
            pattern.mask.append(high.mask << 4 | low.mask)
        }
        guard isOpen || pattern.bytes.count >= 4 else { throw failure(.badPattern) }
        return pattern
    }

    /// A digit, or a dot for any; nil for anything else.
    private static func digit(_ character: Character?) -> (value: UInt8, mask: UInt8)? {
        if character == "." { return (0, 0) }
        guard let character, character.isASCII, let value = character.hexDigitValue else {
            return nil
        }
        return (UInt8(value), 0x0F)
    }

    // MARK: Answers

    private mutating func answer(_ action: CardScript.Action) throws(CardScriptError) {
        guard let last = rules.indices.last else { throw failure(.outsideRule) }
        if let above = rules[last].answers.last, above.count == nil { throw failure(.unreachable) }
        rules[last].answers.append(
            CardScript.Answer(delay: delay ?? .zero, count: count ?? 1, action)
        )
        delay = nil
        count = nil
    }

    private mutating func wait(_ words: [String]) throws(CardScriptError) {
        guard !rules.isEmpty else { throw failure(.outsideRule) }
        guard delay == nil else { throw failure(.repeated) }
        let text = words.joined()
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard number.count <= 5, let value = Int64(number) else {
            throw failure(.badDelay)
        }
        let time: Duration
        switch text[number.endIndex...] {
        case "ms": time = .milliseconds(value)
        case "s": time = .seconds(value)
        default: throw failure(.badDelay)
        }
        guard time <= CardScript.maximumDelay else { throw failure(.badDelay) }
        delay = time
    }

    private mutating func times(_ words: [String]) throws(CardScriptError) {
        guard !rules.isEmpty else { throw failure(.outsideRule) }
        guard count == nil else { throw failure(.repeated) }
        guard words.count == 1 else { throw failure(.badCount) }
        if words[0] == "all" {
            count = .some(nil)
            return
        }
        guard words[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(words[0]),
            1...1_000_000 ~= number
        else { throw failure(.badCount) }
        count = number
    }

    private func parts(_ words: [Substring]) throws(CardScriptError) -> [CardScript.Part] {
        let asksCard = rules.last?.reachesCard ?? true
        if words == ["card"] {
            guard asksCard else { throw failure(.cardNotAsked) }
            return [.cardData, .cardStatus]
        }
        var parts: [CardScript.Part] = []
        var rest = words.joined()[...]
        while let first = rest.first {
            if first == "[" {
                let part = rest.prefix { $0 != "]" }
                rest = rest[part.endIndex...].dropFirst()
                parts.append(try self.part(part.dropFirst()))
            } else {
                let digits = rest.prefix { $0 != "[" }
                rest = rest[digits.endIndex...]
                guard let bytes = try? [UInt8](hex: digits) else {
                    throw failure(.badByte(String(digits.prefix(20))))
                }
                parts.append(.literal(bytes))
            }
        }
        let usesCard = parts.contains(.cardData) || parts.contains(.cardStatus)
        guard asksCard || !usesCard else { throw failure(.cardNotAsked) }
        let counts = parts.map(\.counts)
        guard counts.reduce(0, { $0 + $1.upperBound }) >= 2,
            counts.reduce(0, { $0 + $1.lowerBound }) <= CardScript.maximumAnswerCount
        else { throw failure(.badAnswer) }
        return parts
    }

    private func part(_ text: Substring) throws(CardScriptError) -> CardScript.Part {
        switch text {
        case "card": return .cardData
        case "status": return .cardStatus
        case "data": return .commandData
        default:
            let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { text in
                text.utf8.count <= 3 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
            }
            guard 1...2 ~= numbers.count, let first = numbers[0],
                let last = numbers[numbers.count - 1],
                first <= last
            else { throw failure(.unknownPart("[\(text)]")) }
            guard last < CardScript.maximumCommandCount else { throw failure(.absentByte(last)) }
            return .commandBytes(first...last)
        }
    }
}

extension CardScript.Part {
    /// How many bytes it can have.
    fileprivate var counts: ClosedRange<Int> {
        switch self {
        case .literal(let bytes): bytes.count...bytes.count
        case .cardData: 0...256
        case .cardStatus: 2...2
        case .commandData: 0...255
        case .commandBytes(let range): 0...range.count
        }
    }
}
