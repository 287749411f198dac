public import Transport

/// A recorded card that is asked again, by a terminal that need not fill in the recorded numbers.
///
/// Every command must be the recorded one, in order, but for the data objects that may change. The first that is not
/// is the deviation, and nothing is answered after it.
public struct ReplayedCard: Transport, Sendable {
    /// What was recorded.
    public let exchanges: [Exchange]
    /// How many exchanges were played.
    public private(set) var position = 0
    /// What was allowed to be otherwise in the command played last.
    public private(set) var changes: [Difference] = []
    /// The first command that was not the recorded one, and what is otherwise in it.
    public private(set) var deviation: Deviation?
    private var comparison: ExchangeComparison

    /// A command that was not the recorded one.
    public struct Deviation: Hashable, Sendable {
        /// Where it came, as an error of the transport says it.
        public var error: TransportError
        /// What is otherwise; nothing where the recording had ended.
        public var differences: [Difference]
    }

    /// Plays exchanges from the first one.
    public init(_ exchanges: [Exchange], _ comparison: ExchangeComparison) {
        self.exchanges = exchanges
        self.comparison = comparison
    }

    /// Whether everything that was recorded was played, without a deviation.
    public var isFinished: Bool { deviation == nil && position == exchanges.count }

    /// Answers as recorded.
    /// - Parameter command: The command.
    /// - Returns: The recorded response.
    /// - Throws: The recorded failure, or the first deviation once there was one.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        if let deviation { throw deviation.error }
        guard position < exchanges.count else {
            throw deviate(.endOfScript(got: command, index: position), [])
        }
        let exchange = exchanges[position]
        changes = comparison.command(exchange, command)
        guard changes.allSatisfy(\.isAllowed) else {
            throw deviate(
                .unexpectedCommand(expected: exchange.command, got: command, index: position),
                changes
            )
        }
        position += 1
        let response = try exchange.result.get()
        // The recorded response says what the next command means.
        _ = comparison.response(exchange, response)
        return response
    }

    private mutating func deviate(
        _ error: TransportError,
        _ differences: [Difference]
    ) -> TransportError {
        deviation = Deviation(error: error, differences: differences)
        return error
    }
}
