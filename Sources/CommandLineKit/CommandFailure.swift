/// Why a command cannot be carried out: one sentence for people, and the exit code of its class.
public struct CommandFailure: Error, Hashable, Sendable {
    /// The exit code.
    public var exitCode: ExitCode
    /// One sentence that names the thing and the way out.
    public var message: String

    /// Joins an exit code and a sentence.
    public init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }
}
