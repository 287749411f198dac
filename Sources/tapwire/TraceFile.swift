import CommandLineKit
import Foundation
import Glibc
import Traces

/// The file of `--trace`, looked at before a payment is made.
struct TraceFile {
    private let path: String

    /// The options that name files which are read.
    private static let inputs = ["profile", "config", "ca-keys", "card-trace"]

    /// Looks whether the file can be written and is none of those that are read; nil without `--trace`.
    /// - Throws: `CommandFailure` with `ExitCode.usage` or `ExitCode.badFile`.
    init?(_ arguments: Arguments) throws {
        guard let path = arguments["trace"] else { return nil }
        self.path = path
        let present = FileIdentity(path)
        for option in Self.inputs {
            for input in arguments.values(option)
            where present != nil && FileIdentity(input) == present {
                throw CommandFailure(
                    .usage,
                    "--trace would overwrite the file of --\(option), \(input.quoted); name another one"
                )
            }
        }
        let directory = URL(filePath: path).deletingLastPathComponent().path
        guard unsafe access(present == nil ? directory : path, W_OK) == 0,
            present?.isDirectory != true
        else { throw failure }
    }

    /// Writes the payment's exchanges.
    func write(_ trace: Trace) throws {
        do { try Data(trace.text.utf8).write(to: URL(filePath: path)) } catch { throw failure }
    }

    private var failure: CommandFailure {
        CommandFailure(
            .badFile,
            "trace file \(path.quoted) cannot be written; check the directory and its permissions"
        )
    }
}

/// Which file a path leads to.
private struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t
    let isDirectory: Bool

    /// Follows links; nil where there is nothing.
    init?(_ path: String) {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { return nil }
        device = information.st_dev
        number = information.st_ino
        isDirectory = information.st_mode & S_IFMT == S_IFDIR
    }
}
