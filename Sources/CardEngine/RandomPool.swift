/// Random bytes put in from outside, each used once.
///
/// A card has no source of randomness of its own; when the pool is empty it refuses rather than repeat.
struct RandomPool: Sendable {
    static var capacity: Int { 256 }

    private var bytes = [256 of UInt8](repeating: 0)
    private(set) var count = 0

    /// Appends as many of `new` as there is room for.
    mutating func add(_ new: Span<UInt8>) {
        let taken = min(new.count, Self.capacity - count)
        for index in 0..<taken { bytes[count + index] = new[index] }
        count += taken
    }

    /// Takes `byteCount` bytes, at most eight, as a number; the caller has looked at `count`.
    mutating func take(_ byteCount: Int) -> UInt64 {
        precondition(byteCount <= count && byteCount <= 8)
        var number: UInt64 = 0
        for _ in 0..<byteCount {
            count -= 1
            number = number << 8 | UInt64(bytes[count])
            bytes[count] = 0
        }
        return number
    }
}
