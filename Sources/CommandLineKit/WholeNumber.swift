extension FixedWidthInteger {
    /// Reads decimal digits and nothing else, not even a sign; nil for other text or a number too large.
    public init?(digits text: some StringProtocol) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text.utf8.allSatisfy({ digits ~= $0 }) else { return nil }
        self.init(text, radix: 10)
    }
}
