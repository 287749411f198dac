/// How a program ended, as the number its caller sees.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
    /// The exit status.
    public var rawValue: Int32
    /// Wraps any exit status.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Approved, or done (0).
    public static let success = ExitCode(rawValue: 0)
    /// Declined, ended, or a case failed (1).
    public static let failure = ExitCode(rawValue: 1)
    /// An issuer had to be asked and nobody could answer (2).
    public static let unanswered = ExitCode(rawValue: 2)
    /// The command line is wrong (64).
    public static let usage = ExitCode(rawValue: 64)
    /// A file or the output cannot be read or written, or a file does not hold what it should (65).
    public static let badFile = ExitCode(rawValue: 65)
    /// A reader, or the service behind it, is not there (69).
    public static let unavailable = ExitCode(rawValue: 69)
    /// The program itself is at fault (70).
    public static let internalFault = ExitCode(rawValue: 70)
}
