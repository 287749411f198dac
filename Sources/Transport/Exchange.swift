/// A command, what came back, and how long that took.
public struct Exchange: Hashable, Sendable {
    /// The command APDU, as far as it is known.
    public var command: [UInt8]
    /// Whether only the beginning of the command is known, or nothing of it; never so where it was sent here.
    public var isCommandPartial: Bool
    /// The response APDU, or why there is none.
    public var result: Result<[UInt8], TransportError>
    /// From handing the command over until the last byte of the response; nil where nobody measured.
    public var elapsed: Duration?

    /// Joins the parts.
    public init(
        command: [UInt8],
        isCommandPartial: Bool = false,
        result: Result<[UInt8], TransportError>,
        elapsed: Duration? = nil
    ) {
        self.command = command
        self.isCommandPartial = isCommandPartial
        self.result = result
        self.elapsed = elapsed
    }

    /// Joins a command and its response.
    public init(_ command: [UInt8], _ response: [UInt8], elapsed: Duration? = nil) {
        self.init(command: command, result: .success(response), elapsed: elapsed)
    }

    /// Whether the recorded command is `other`, as far as it is known.
    func isCommand(_ other: [UInt8]) -> Bool {
        isCommandPartial ? other.starts(with: command) : other == command
    }
}

extension Transport where Self: ~Copyable {
    /// Sends a command and measures how long its response takes.
    /// - Parameters:
    ///   - command: A whole command APDU.
    ///   - clock: Measures the exchange.
    /// - Returns: The command with its response, or with why there is none.
    public mutating func exchange(
        _ command: [UInt8],
        clock: some Clock<Duration> = .continuous
    ) -> Exchange {
        let start = clock.now
        let result: Result<[UInt8], TransportError>
        do throws(TransportError) {
            result = .success(try transmit(command))
        } catch {
            result = .failure(error)
        }
        return Exchange(command: command, result: result, elapsed: start.duration(to: clock.now))
    }
}
