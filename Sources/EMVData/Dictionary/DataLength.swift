#if !hasFeature(Embedded)

/// How many bytes a data object's value may have.
public enum DataLength: Hashable, Sendable {
    /// This many, never more or less.
    case exactly(Int)
    /// From the first number to the second.
    case between(Int, Int)
    /// At most this many; none is allowed.
    case upTo(Int)
    /// At least this many.
    case atLeast(Int)
    /// One of these.
    case oneOf([Int])
    /// Any number.
    case any

    /// Whether a value of `count` bytes is allowed.
    public func allows(_ count: Int) -> Bool {
        switch self {
        case .exactly(let length): count == length
        case .between(let least, let most): least <= count && count <= most
        case .upTo(let most): count <= most
        case .atLeast(let least): count >= least
        case .oneOf(let lengths): lengths.contains(count)
        case .any: true
        }
    }
}

extension DataLength {
    /// Reads `6`, `5-16`, `<=252`, `>=2`, `8,11` or `var.`; nil for anything else.
    init?(notation: String) {
        func number(_ text: some StringProtocol) -> Int? { Int(text) }
        if notation == "var." {
            self = .any
        } else if let length = number(notation) {
            self = .exactly(length)
        } else if notation.hasPrefix("<="), let most = number(notation.dropFirst(2)) {
            self = .upTo(most)
        } else if notation.hasPrefix(">="), let least = number(notation.dropFirst(2)) {
            self = .atLeast(least)
        } else {
            let ranges = notation.split(separator: ",").map { range in
                range.split(separator: "-").compactMap(number)
            }
            guard ranges.allSatisfy({ 1...2 ~= $0.count }) else { return nil }
            let lengths = ranges.flatMap { Array($0[0]...$0[$0.count - 1]) }
            if ranges.count == 1, let least = lengths.first, let most = lengths.last {
                self = .between(least, most)
            } else {
                self = .oneOf(lengths)
            }
        }
    }
}

extension DataLength: CustomStringConvertible {
    /// The lengths as the dictionary writes them: `6`, `5-16`, `<=252`.
    public var description: String {
        switch self {
        case .exactly(let length): "\(length)"
        case .between(let least, let most): "\(least)-\(most)"
        case .upTo(let most): "<=\(most)"
        case .atLeast(let least): ">=\(least)"
        case .oneOf(let lengths): lengths.map(String.init).joined(separator: ",")
        case .any: "var."
        }
    }
}

#endif
