import Foundation
import TestSupport
import Testing

/// What a run of the built program gave.
struct Run {
    var exitCode: Int32
    var output: String
    var diagnostics: String

    /// The output as a JSON object.
    func json() throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any],
            "not a JSON object: \(output)"
        )
    }
}

/// Runs the program that was built beside the tests.
func tapwire(_ arguments: String...) throws -> Run { try tapwire(arguments) }

/// Runs the program that was built beside the tests.
/// - Parameters:
///   - arguments: The command line.
///   - input: What the program can read; nothing without.
///   - inputPath: A file the program can read, instead of a text.
///   - device: Where its output goes instead of a file.
/// - Returns: What it printed, and how it ended.
/// - Throws: When it cannot be started.
func tapwire(
    _ arguments: [String],
    input: String? = nil,
    inputPath: String? = nil,
    device: String? = nil
) throws -> Run {
    let process = tapwireProcess(arguments)
    // Files and not pipes: output may be longer than a pipe holds, and nobody reads meanwhile.
    let scratch = try Scratch()
    defer { scratch.remove() }
    let output = try scratch.file()
    let diagnostics = try scratch.file()
    process.standardOutput = FileHandle(forWritingAtPath: device ?? output)
    process.standardError = FileHandle(forWritingAtPath: diagnostics)
    process.standardInput =
        try (inputPath ?? input.map { try scratch.file($0) })
        .map { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Run(
        exitCode: process.terminationStatus,
        output: try scratch.text(output),
        diagnostics: try scratch.text(diagnostics)
    )
}

/// The program that was built beside the tests, not started yet.
func tapwireProcess(_ arguments: [String]) -> Process {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = Process()
    process.executableURL = folder.appending(path: "tapwire")
    process.arguments = arguments
    process.currentDirectoryURL = RepositoryFile.root
    // No test asks what readers the machine happens to have: here no pcscd is running.
    process.environment = ProcessInfo.processInfo.environment.merging(
        ["PCSCLITE_CSOCK_NAME": "/nonexistent"],
        uniquingKeysWith: { $1 }
    )
    return process
}

/// A folder for a test's files; the test removes it.
struct Scratch {
    let url: URL

    init() throws { url = try ScratchFolder.make("tapwire-test") }

    func remove() { ScratchFolder.remove(url) }

    /// Writes a new file and returns its path.
    func file(_ text: String = "") throws -> String {
        let file = url.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }
}

/// A JSON value as text, the same for equal values.
func text(of value: Any?) throws -> String {
    let data = try JSONSerialization.data(
        withJSONObject: ["value": value ?? NSNull()],
        options: .sortedKeys
    )
    return String(decoding: data, as: UTF8.self)
}

extension RepositoryFile {
    /// The text of a file of the repository.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
