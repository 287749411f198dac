import CommandLineKit
import Glibc

/// What the user, or another program, sends.
enum StandardInput {
    /// The next line, without its end; nil behind the last one.
    /// - Throws: `CommandFailure` with `ExitCode.badFile` when it cannot be read.
    static func line() throws -> String? {
        if let line = readLine() { return line }
        // The end looks the same; to read nothing fails only where nothing can be read.
        guard read(STDIN_FILENO, nil, 0) == 0 else {
            throw CommandFailure(
                .badFile,
                "the standard input cannot be read; it may be closed, or a directory"
            )
        }
        return nil
    }
}
