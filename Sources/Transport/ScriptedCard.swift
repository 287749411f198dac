/// A card that says what a card once said: every command must be the recorded one, in order.
///
/// The first deviation is an error, and stays one: whoever swallows it still finds it in `deviation`.
public struct ScriptedCard: Transport, Sendable {
    /// What was recorded.
    public let exchanges: [Exchange]
    /// How many exchanges were played.
    public private(set) var position = 0
    /// The first command that was not the recorded one; nil while all were.
    public private(set) var deviation: TransportError?

    /// Plays exchanges from the first one.
    public init(_ exchanges: [Exchange]) { self.exchanges = exchanges }

    /// Whether everything that was recorded was played, without a deviation.
    public var isFinished: Bool { deviation == nil && position == exchanges.count }

    /// Answers as recorded.
    /// - Parameter command: The command, byte for byte as far as it was recorded.
    /// - Returns: The recorded response.
    /// - Throws: The recorded failure, or the first deviation once there was one.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        if let deviation { throw deviation }
        guard position < exchanges.count else {
            throw deviate(.endOfScript(got: command, index: position))
        }
        let exchange = exchanges[position]
        guard exchange.isCommand(command) else {
            let expected = exchange.command
            throw deviate(.unexpectedCommand(expected: expected, got: command, index: position))
        }
        position += 1
        return try exchange.result.get()
    }

    private mutating func deviate(_ error: TransportError) -> TransportError {
        deviation = error
        return error
    }
}
