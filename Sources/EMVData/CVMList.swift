#if !hasFeature(Embedded)

/// The card's rules for cardholder verification, in order of preference (8E).
///
/// Layout: amount X (4 bytes binary), amount Y (4), then two bytes for each rule. EMV Book 3, 10.5.
public struct CVMList: Hashable, Sendable {
    /// A method and the condition under which it applies.
    public struct Rule: Hashable, Sendable {
        /// The method.
        public var code: CVMCode
        /// When it applies.
        public var condition: CVMCondition

        /// Joins the two.
        public init(_ code: CVMCode, _ condition: CVMCondition) {
            self.code = code
            self.condition = condition
        }
    }

    /// Amount X, in the smallest unit of the application currency.
    public var amountX: UInt32
    /// Amount Y, in the smallest unit of the application currency.
    public var amountY: UInt32
    /// The rules, first to last.
    public var rules: [Rule]

    /// Collects the parts.
    public init(amountX: UInt32 = 0, amountY: UInt32 = 0, rules: [Rule]) {
        self.amountX = amountX
        self.amountY = amountY
        self.rules = rules
    }

    /// Reads the object; a list without rules, the eight amount bytes alone, is one.
    /// - Throws: `EMVDataError.Reason.wrongLength` below eight bytes, above 252 or at an odd length.
    public init(parsing bytes: [UInt8]) throws(EMVDataError) {
        guard 8...252 ~= bytes.count, bytes.count.isMultiple(of: 2) else {
            throw EMVDataError(.wrongLength, at: min(bytes.count, 252))
        }
        func number(_ range: Range<Int>) -> UInt32 {
            bytes[range].reduce(0) { $0 << 8 | UInt32($1) }
        }
        amountX = number(0..<4)
        amountY = number(4..<8)
        rules = stride(from: 8, to: bytes.count, by: 2).map {
            Rule(CVMCode(rawValue: bytes[$0]), CVMCondition(rawValue: bytes[$0 + 1]))
        }
    }

    /// The object's bytes.
    public var bytes: [UInt8] {
        let amounts = [amountX, amountY].flatMap { amount in
            ([24, 16, 8, 0] as [UInt32]).map { UInt8(amount >> $0 & 0xFF) }
        }
        return amounts + rules.flatMap { [$0.code.rawValue, $0.condition.rawValue] }
    }
}

#endif
