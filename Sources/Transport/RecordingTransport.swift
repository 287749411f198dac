/// A transport that remembers what went through it, and stamps each exchange with its time.
///
/// The time is taken right around the transport below, so put it as close to the card as it can be.
public struct RecordingTransport<Base: Transport & ~Copyable, Timer: Clock>: Transport, ~Copyable
where Timer.Duration == Duration {
    /// The way to the card.
    public var base: Base
    /// What went through, in order.
    public private(set) var exchanges: [Exchange] = []
    private let clock: Timer

    /// Wraps a transport.
    /// - Parameters:
    ///   - base: The way to the card.
    ///   - clock: Measures the exchanges.
    public init(_ base: consuming Base, clock: Timer) {
        self.base = base
        self.clock = clock
    }

    /// Takes the transport back.
    public consuming func unwrapped() -> Base { base }

    /// Raises the field of the transport below.
    /// - Throws: What the transport below throws.
    public mutating func fieldOn() throws(TransportError) { try base.fieldOn() }

    /// Takes the field of the transport below away.
    public mutating func fieldOff() { base.fieldOff() }

    /// Sends a command through the transport below.
    /// - Parameter command: A whole command APDU.
    /// - Returns: The response APDU.
    /// - Throws: What the transport below throws.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        let exchange = base.exchange(command, clock: clock)
        exchanges.append(exchange)
        return try exchange.result.get()
    }
}
