import Foundation
import Glibc
import TestSupport
import Testing

/// The runs of `tapwire wallet` in one test.
final class WalletRuns: StoreRuns {
    @discardableResult
    func run(_ words: String...) throws -> Run { try run(words) }

    @discardableResult
    func run(_ words: [String]) throws -> Run { try program(["wallet"] + words) }

    /// The words behind the times of the lines, such as “event authenticationRequired”.
    func events(_ run: Run) -> [String] {
        run.output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            return words.count > 2 && words[1] == "event" ? String(words[2]) : nil
        }
    }

    /// Runs statements in one of the wallet's files, by an outside program.
    func sqlite(_ statements: String, in ending: String = "") throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
            path + ending, statements,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Starts a command and waits until it has said something.
    func start(_ words: [String], until word: String, in container: [String] = []) throws -> LiveRun
    {
        let process = tapwireProcess(["wallet"] + words + ["--wallet", path])
        if let program = process.executableURL?.path, let first = container.first {
            process.executableURL = URL(filePath: first)
            process.arguments = container.dropFirst() + [program] + (process.arguments ?? [])
        }
        let run = LiveRun(process)
        try process.run()
        while !run.said.contains(word) { try #require(run.read(), "\(run.said)") }
        return run
    }
}

/// A program that runs while the test goes on.
final class LiveRun {
    let process: Process
    private let output = Pipe()
    private(set) var said = ""

    fileprivate init(_ process: Process) {
        self.process = process
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
    }

    /// Reads what it says next; false at the end.
    fileprivate func read() -> Bool {
        let more = output.fileHandleForReading.availableData
        said += String(decoding: more, as: UTF8.self)
        return !more.isEmpty
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    func wait() {
        while read() {}
        process.waitUntilExit()
    }
}
