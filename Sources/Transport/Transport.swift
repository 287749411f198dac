/// A way to a card: one command in, one response out, one at a time.
///
/// Behaviour is added by wrapping one transport in another.
public protocol Transport: ~Copyable {
    /// Sends a command APDU and waits for its response.
    /// - Parameter command: A whole command APDU.
    /// - Returns: The response APDU, at least two bytes.
    /// - Throws: `TransportError` when no response came.
    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8]

    /// Raises the field, or powers the card, and waits until a card is there.
    /// - Throws: `TransportError` when no card came.
    mutating func fieldOn() throws(TransportError)

    /// Takes the field away, so that the card forgets what was said.
    mutating func fieldOff()
}

extension Transport where Self: ~Copyable {
    /// Does nothing: the card is always there.
    public mutating func fieldOn() throws(TransportError) {}

    /// Does nothing: the card never leaves.
    public mutating func fieldOff() {}
}

/// Why a command was not answered.
public enum TransportError: Error, Hashable, Sendable {
    /// No answer came in time.
    case timeout
    /// The card left, or the link broke.
    case cardRemoved
    /// The answer is shorter than a status word, or the chain of 61xx and 6Cxx does not end.
    case protocolViolation
    /// The recorded card got another command than was recorded.
    case unexpectedCommand(expected: [UInt8], got: [UInt8], index: Int)
    /// A recorded card has no exchange left.
    case endOfScript(got: [UInt8], index: Int)
    /// The reader, or the service behind it, failed with this PC/SC code.
    case reader(code: UInt32)
}
