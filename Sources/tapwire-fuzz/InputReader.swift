/// Takes an invented input apart; past its end come zeros and empty messages.
struct InputReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether everything has been taken.
    var isAtEnd: Bool { offset == bytes.count }

    /// Takes one byte.
    mutating func byte() -> UInt8 {
        guard offset < bytes.count else { return 0 }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Takes so many bytes as one number, most significant first.
    mutating func number(byteCount: Int) -> UInt64 {
        (0..<byteCount).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }

    /// Takes a message: its length in two bytes, of which nine bits count, and as much of it as is left.
    mutating func message() -> [UInt8] {
        let count = Int(number(byteCount: 2) & 0x01FF)
        let end = min(offset + count, bytes.count)
        defer { offset = end }
        return [UInt8](bytes[offset..<end])
    }

    /// Takes the rest.
    mutating func rest() -> [UInt8] {
        defer { offset = bytes.count }
        return [UInt8](bytes[offset...])
    }

    /// Writes a message as `message()` reads it.
    static func message(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
