import CommandLineKit
import Foundation
import Glibc
import Measurement
import Synchronization

/// A benchmark in several processes of this program, one after the other, each of which measures everything.
///
/// Where a process has its code and memory makes a difference to short commands that no number of rounds in it shows.
struct BenchBlocks {
    private let arguments: Arguments
    private let plan: BenchPlan

    init(_ arguments: Arguments, _ plan: BenchPlan) {
        self.arguments = arguments
        self.plan = plan
    }

    /// Tells a block that it is one: it ends when what it reads from has ended.
    private static let variable = "TAPWIRE_BENCH_BLOCK"

    /// Whether this process measures a block for another one.
    static var isBlock: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Ends this process, a block, when the one that it measures for has ended, however that came about.
    static func followParent() {
        Thread.detachNewThread {
            _ = FileHandle.standardInput.availableData
            _exit(ExitCode.failure.rawValue)
        }
    }

    /// Measures block by block.
    /// - Throws: `CommandFailure` as the first block that fails has it, or when it is interrupted.
    func run() throws -> BenchReport {
        let words =
            ["bench"]
            + arguments.optionWords(without: ["blocks", "rounds", "json", "svg", "compare"])
            + ["--blocks=1", "--json"]
        try checkFiles()
        let interruption = Interruption()
        var progress = ProgressBar()
        defer { progress.clear() }
        var parts: [BenchReport] = []
        for (number, count) in plan.blockCounts.enumerated() {
            progress.show(
                Double(number) / Double(plan.blockCounts.count),
                "block \(number + 1) of \(plan.blockCounts.count)"
            )
            parts.append(try measure(words + ["--rounds=\(count)"], interruption))
        }
        return BenchReport(joining: parts)
    }

    /// Refuses files that can be read only once.
    private func checkFiles() throws {
        for option in ["profile", "config", "ca-keys"] {
            for path in arguments.values(option) {
                let attributes = try? FileManager.default.attributesOfItem(
                    atPath: URL(filePath: path).resolvingSymlinksInPath().path
                )
                guard let type = attributes?[.type] as? FileAttributeType, type != .typeRegular
                else { continue }
                throw CommandFailure(
                    .usage,
                    "\(path.quoted) cannot be read for each block anew; name a file, or measure with “--blocks 1”"
                )
            }
        }
    }

    private func measure(_ words: [String], _ interruption: Interruption) throws -> BenchReport {
        let block = Process()
        block.executableURL = URL(filePath: "/proc/self/exe")
        block.arguments = words
        let (input, output, diagnostics) = (Pipe(), Pipe(), Pipe())
        block.environment = ProcessInfo.processInfo.environment
            .merging([Self.variable: "yes"]) { $1 }
        block.standardInput = input
        block.standardOutput = output
        block.standardError = diagnostics
        do { try block.run() } catch {
            throw CommandFailure(
                .internalFault,
                "a block cannot be started (\(error)); measure with “--blocks 1”"
            )
        }
        let identifier = block.processIdentifier
        interruption.whenRequested { kill(identifier, SIGKILL) }
        defer { interruption.whenRequested {} }
        // What it says while it measures is at most a sentence or two, such as that it waits for a card.
        let message = Mutex("")
        let isSilent = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [handle = diagnostics.fileHandleForReading] in
            while case let data = handle.availableData, !data.isEmpty {
                let text = String(decoding: data, as: UTF8.self)
                message.withLock { $0 += text }
                if !text.hasPrefix(Self.failurePrefix) { Console.diagnostics.write(text) }
            }
            isSilent.signal()
        }
        let report = output.fileHandleForReading.readDataToEndOfFile()
        block.waitUntilExit()
        isSilent.wait()
        withExtendedLifetime(input) {}
        guard !interruption.isRequested else { throw CommandFailure(.failure, "interrupted") }
        guard block.terminationReason == .exit, block.terminationStatus == 0 else {
            throw Self.failure(block, message.withLock(\.self))
        }
        return try BenchReport(Array(report), of: "a block")
    }

    /// What a block that failed said last.
    private static func failure(_ block: Process, _ message: String) -> CommandFailure {
        guard block.terminationReason == .exit,
            let line = message.split(separator: "\n").last
        else {
            return CommandFailure(
                .internalFault,
                "a block ended with signal \(block.terminationStatus); measure with “--blocks 1”"
            )
        }
        return CommandFailure(
            ExitCode(rawValue: block.terminationStatus),
            String(line.hasPrefix(failurePrefix) ? line.dropFirst(failurePrefix.count) : line)
        )
    }

    /// What stands before the sentence of a failure.
    private static var failurePrefix: String { "\(Tapwire.program.name): " }
}

extension BenchReport {
    /// Joins the blocks of one benchmark.
    /// - Precondition: There is at least one.
    init(joining parts: [BenchReport]) {
        self = parts[0]
        for part in parts.dropFirst() {
            for (index, card) in zip(cards.indices, part.cards) {
                for measured in card.measured {
                    cards[index].merge(measured)
                }
            }
        }
        clockNanoseconds = parts.map(\.clockNanoseconds).sorted()[parts.count / 2]
        for index in cards.indices {
            let shares = parts.compactMap { part in
                part.cards.indices.contains(index) ? part.cards[index].waitingShare : nil
            }
            cards[index].waitingShare =
                shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
        }
    }
}

extension BenchReport.MeasuredCard {
    /// Adds a block of one thing.
    fileprivate mutating func merge(_ block: Measured) {
        if let index = measured.firstIndex(where: { $0.name == block.name }) {
            measured[index].merge(block)
        } else {
            measured.append(block)
        }
    }
}
