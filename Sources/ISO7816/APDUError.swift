/// Why bytes are not an APDU.
public enum APDUError: Error, Hashable, Sendable {
    /// A command has at least four bytes, a response at least two.
    case tooShort(count: Int)
    /// The byte count fits none of the four cases, short or extended (ISO 7816-3, 12.1.3).
    case lengthMismatch(count: Int)
}
