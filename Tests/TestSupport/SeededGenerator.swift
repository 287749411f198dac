/// Random numbers that a printed seed brings back (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
    private let seed: UInt64
    private var state: UInt64

    /// Starts with a seed of its own, or the one of a failure that is to be seen again.
    public init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// The source text that starts the same numbers again.
    public var description: String { "SeededGenerator(seed: \(seed))" }
}
