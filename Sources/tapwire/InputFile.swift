import CommandLineKit
import Foundation
import Profiles

/// A file the user names.
enum InputFile {
    /// How many bytes a profile, configuration or key file may have.
    static let maximumByteCount = 4 << 20

    /// Reads a whole file as text.
    /// - Parameters:
    ///   - path: The file.
    ///   - what: What it should hold, for errors: "profile".
    /// - Returns: The text.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    static func text(_ path: String, _ what: String) throws -> String {
        let bytes = try bytes(path, what)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) is not a text file; it must be another one"
            )
        }
        return text
    }

    /// Reads a whole file.
    static func bytes(_ path: String, _ what: String) throws -> [UInt8] {
        // Links are followed, so that the file they lead to is the one that is looked at.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) does not exist; check the path and its permissions"
            )
        }
        guard try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true else {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) is a directory; name a file in it"
            )
        }
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            var bytes: [UInt8] = []
            // A pipe gives what it has; only nothing is the end.
            while bytes.count <= maximumByteCount,
                let part = try handle.read(upToCount: maximumByteCount + 1 - bytes.count),
                !part.isEmpty
            {
                bytes += part
            }
            guard bytes.count <= maximumByteCount else {
                throw CommandFailure(
                    .badFile,
                    "\(what) \(path.quoted) has more than \(maximumByteCount) bytes; it must be another file"
                )
            }
            return bytes
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) cannot be read; check its permissions"
            )
        }
    }

    /// Reads a whole JSON file.
    /// - Parameters:
    ///   - path: The file.
    ///   - kind: What it should hold.
    ///   - read: Reads the text.
    /// - Returns: What the text says.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    static func json<Value>(
        _ path: String,
        _ kind: JSONFileKind,
        read: ([UInt8]) throws(ProfilesError) -> Value
    ) throws -> Value {
        let text = try bytes(path, kind.name)
        do throws(ProfilesError) {
            return try read(text)
        } catch {
            throw kind.failure(error, in: path)
        }
    }

    /// Writes a whole file.
    static func write(_ text: String, to path: String, _ what: String) throws {
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) cannot be written; check the directory and its permissions"
            )
        }
    }
}
