import CommandLineKit
import Foundation
import Glibc

/// A file that is written at the end, looked at before anything is done.
struct OutputFile {
    private let path: String
    /// What it holds, for errors.
    private let name: String

    /// The options that name files which are read, or written as well.
    private static let others = [
        "profile", "config", "ca-keys", "card-trace", "script", "compare", "merge", "trace", "svg",
    ]

    /// Looks whether the file can be written and is none of the others; nil without the option.
    /// - Parameters:
    ///   - option: The option that names the file.
    ///   - name: What it holds, for errors: "trace file".
    ///   - arguments: The command line.
    ///   - inputs: Files that are read and are named without an option.
    /// - Throws: `CommandFailure` with `ExitCode.usage` or `ExitCode.badFile`.
    init?(
        _ option: String,
        _ name: String,
        _ arguments: Arguments,
        inputs: [String] = []
    ) throws {
        guard let path = arguments[option] else { return nil }
        self.path = path
        self.name = name
        let present = FileIdentity(path)
        func check(_ input: String, _ origin: String) throws(CommandFailure) {
            // What is not there yet has a name only.
            let isSame =
                present.map { FileIdentity(input) == $0 }
                ?? (URL(filePath: input).standardized == URL(filePath: path).standardized)
            guard !isSame else {
                throw CommandFailure(
                    .usage,
                    "--\(option) would overwrite \(origin), \(input.quoted); name another one"
                )
            }
        }
        for other in Self.others where other != option {
            for file in arguments.values(other) { try check(file, "the file of --\(other)") }
        }
        for input in inputs { try check(input, "a file that is read") }
        guard present?.isDirectory != true else {
            throw CommandFailure(
                .badFile,
                "\(name) \(path.quoted) is a directory; name a file in it"
            )
        }
        // A wallet may not be there yet, so names are compared as well.
        let wallet = try WalletCommand.path(arguments)
        for store in StoredWallet.files(of: wallet) {
            guard URL(filePath: store).standardized != URL(filePath: path).standardized else {
                throw CommandFailure(
                    .usage,
                    "--\(option) would overwrite the wallet, \(store.quoted); name another one"
                )
            }
            try check(store, "the wallet")
        }
        let directory = URL(filePath: path).deletingLastPathComponent().path
        guard unsafe access(present == nil ? directory : path, W_OK) == 0 else {
            throw failure
        }
    }

    /// Writes the whole file.
    func write(_ text: String) throws(CommandFailure) { try write([UInt8](text.utf8)) }

    /// Writes the whole file.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        try Self.write(Data(bytes), to: path, name)
    }

    /// Writes a whole file, and says what hinders it.
    /// - Parameters:
    ///   - contents: What it shall hold.
    ///   - path: Where.
    ///   - name: What it holds, for errors: "trace file".
    ///   - options: How.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    static func write(
        _ contents: Data,
        to path: String,
        _ name: String,
        options: Data.WritingOptions = []
    ) throws(CommandFailure) {
        do { try contents.write(to: URL(filePath: path), options: options) } catch {
            guard (error as? CocoaError)?.code == .fileWriteOutOfSpace else {
                throw failure(path, name)
            }
            throw CommandFailure(
                .badFile,
                "\(name) \(path.quoted) cannot be written: the disk is full; make room or name another place"
            )
        }
    }

    private var failure: CommandFailure { Self.failure(path, name) }

    private static func failure(_ path: String, _ name: String) -> CommandFailure {
        CommandFailure(
            .badFile,
            "\(name) \(path.quoted) cannot be written; check the directory and its permissions"
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
