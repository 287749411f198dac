/// A payment scheme whose cards this room can personalise.
public enum Scheme: String, CaseIterable, Hashable, Sendable {
    /// Visa: qVSDC, answered by kernel 3.
    case visa
    /// Mastercard: M/Chip, answered by kernel 2.
    case mastercard

    /// Registered application provider identifier, five bytes.
    public var rid: [UInt8] {
        switch self {
        case .visa: [0xA0, 0x00, 0x00, 0x00, 0x03]
        case .mastercard: [0xA0, 0x00, 0x00, 0x00, 0x04]
        }
    }
}
