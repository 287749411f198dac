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
    ///   - limit: How many bytes it may have.
    /// - Returns: The text.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    static func text(
        _ path: String,
        _ what: String,
        limit: Int = maximumByteCount
    ) throws -> String {
        let bytes = try bytes(path, what, limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) is not a text file; it must be another one"
            )
        }
        return text
    }

    /// Reads a whole text file, without the byte order mark that some editors put in front.
    /// - Parameters:
    ///   - path: The file.
    ///   - what: What it should hold, for errors: "profile".
    ///   - limit: How many bytes it may have.
    ///   - takesPipes: Whether it may be a pipe or a device, which may give nothing for long.
    /// - Returns: The bytes.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    static func bytes(
        _ path: String,
        _ what: String,
        limit: Int = maximumByteCount,
        takesPipes: Bool = true
    ) throws -> [UInt8] {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else {
            let problem =
                switch errno {
                case ENOENT, ENOTDIR: "does not exist; check the path"
                case EACCES: "cannot be reached; check the permissions of the directories above it"
                default: unsafe "cannot be read: \(String(cString: strerror(errno)).lowercased())"
                }
            throw CommandFailure(.badFile, "\(what) \(path.quoted) \(problem)")
        }
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) is a directory; name a file in it"
            )
        }
        guard takesPipes || information.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                .badFile,
                "\(what) \(path.quoted) is a pipe or a device; save it in a file first"
            )
        }
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? handle.close() }
            var bytes: [UInt8] = []
            // A pipe gives what it has; only nothing is the end.
            while bytes.count <= limit,
                let part = try handle.read(upToCount: limit + 1 - bytes.count),
                !part.isEmpty
            {
                bytes += part
            }
            guard bytes.count <= limit else {
                throw CommandFailure(
                    .badFile,
                    "\(what) \(path.quoted) has more than \(limit) bytes; it must be another file"
                )
            }
            return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
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
}
