/// A command, what came back, and how long that took.
public struct Exchange: Hashable, Sendable {
    /// The command APDU.
    public var command: [UInt8]
    /// The response APDU, or why there is none.
    public var result: Result<[UInt8], TransportError>
    /// From handing the command over until the last byte of the response; nil where nobody measured.
    public var elapsed: Duration?

    /// Joins the parts.
    public init(
        command: [UInt8],
        result: Result<[UInt8], TransportError>,
        elapsed: Duration? = nil
    ) {
        self.command = command
        self.result = result
        self.elapsed = elapsed
    }

    /// Joins a command and its response.
    public init(_ command: [UInt8], _ response: [UInt8], elapsed: Duration? = nil) {
        self.init(command: command, result: .success(response), elapsed: elapsed)
    }
}
