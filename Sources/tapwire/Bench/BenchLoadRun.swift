import CommandLineKit
import Dispatch
import Foundation
import Measurement
import Profiles
import Synchronization
import VirtualPOS

/// Taps as fast as the machine can, on several cores, and can be interrupted and taken up again.
///
/// The taps are numbered and done in chunks. What a chunk needs follows from its number, so it does not matter which
/// process does it, or when.
struct BenchLoadRun: Sendable {
    private let cards: [CardPersonalization]
    private let arguments: Arguments
    private let tapCount: Int
    private let coreCount: Int
    private let part: Int
    private let partCount: Int
    private let parameters: String

    /// How many taps a chunk has: few seconds of work, and fewer than a card has counters.
    private static let chunkSize = 500
    /// How many parts `--shard` can make.
    static let largestPartCount = 100_000
    /// How often the state is written, in seconds.
    private static let saveSeconds = 2.0

    /// What is done, as `--state` keeps it.
    private struct State: Codable {
        /// The chunks that are done, as pairs of the first and the last.
        var doneChunks: [[Int]]
        /// What they came to.
        var load: BenchLoad

        /// The chunks that are done.
        var done: IndexSet {
            var done = IndexSet()
            for range in doneChunks { done.insert(integersIn: range[0]...range[1]) }
            return done
        }
    }

    /// How many chunks all parts have together.
    private var chunkCount: Int { (tapCount + Self.chunkSize - 1) / Self.chunkSize }
    /// The chunks of this part.
    private var chunks: StrideTo<Int> { stride(from: part - 1, to: chunkCount, by: partCount) }
    /// How many chunks this part has.
    private var partChunkCount: Int { max(0, chunkCount - part + partCount) / partCount }

    /// What the threads share.
    private final class Board: Sendable {
        let content: Mutex<Content>

        struct Content {
            /// The next chunks, in order; those that an earlier run has done among them.
            var chunks: StrideTo<Int>.Iterator
            /// Chunks that an earlier run has done, or this one.
            var done: IndexSet
            var load: BenchLoad
            var isStopped = false

            /// The next chunk that is not done; nil when there is none, or no more is wanted.
            mutating func next() -> Int? {
                guard !isStopped else { return nil }
                while let chunk = chunks.next() {
                    if !done.contains(chunk) { return chunk }
                }
                return nil
            }
        }

        init(_ content: Content) { self.content = Mutex(content) }
    }

    /// Reads the options.
    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        cards = try BenchCommand.cards(arguments)
        tapCount = try arguments.wholeNumber("taps", in: 1...1_000_000_000_000) ?? 1
        coreCount = try arguments.wholeNumber("cores", in: 1...1024) ?? 1
        let shard = try arguments.value(
            "shard",
            expecting: "a part and the number of parts, such as 2/5"
        ) { text -> (Int, Int)? in
            let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
                .map { Int($0) }
            guard numbers.count == 2, let part = numbers[0], let count = numbers[1],
                count <= Self.largestPartCount, 1 <= part, part <= count
            else { return nil }
            return (part, count)
        }
        (part, partCount) = shard ?? (1, 1)
        var words = ["\(tapCount) taps", cards.map(\.profile.name).joined(separator: " and ")]
        for option in ["amount", "currency", "date", "seed", "un", "config"] {
            if let value = arguments[option], arguments.has(option) {
                words.append("\(option) \(value)")
            }
        }
        parameters = words.joined(separator: ", ")
    }

    /// Makes the taps that are not done yet.
    /// - Returns: What all came to, and whether it was interrupted before the last.
    func run() throws -> (report: BenchReport, isInterrupted: Bool) {
        let state = try readState()
        let board = Board(
            Board.Content(
                chunks: chunks.makeIterator(),
                done: state?.done ?? IndexSet(),
                load: state?.load
                    ?? BenchLoad(
                        parameters: parameters,
                        plannedCount: tapCount,
                        partCount: partCount,
                        parts: [part],
                        coreCount: coreCount
                    )
            )
        )
        let earlierSeconds = state?.load.seconds ?? 0
        let start = ContinuousClock.now
        let ended = DispatchSemaphore(value: 0)
        for number in 0..<coreCount {
            let thread = Thread {
                work(board)
                ended.signal()
            }
            thread.name = "taps \(number)"
            thread.start()
        }
        let interruption = Interruption()
        try watch(board, partChunkCount, interruption, ended) { load in
            load.seconds = earlierSeconds + start.duration(to: .now) / .seconds(1)
            load.tapsPerSecond = load.seconds > 0 ? Double(load.count) / load.seconds : 0
            load.coreCount = coreCount
            load.peakMemoryKiB = max(load.peakMemoryKiB, Self.peakMemoryKiB)
        }
        var report = BenchReport(way: "in process")
        report.load = board.content.withLock { $0.load }
        let isInterrupted =
            interruption.isRequested && board.content.withLock { $0.done.count < partChunkCount }
        if isInterrupted {
            let hint = arguments.has("state") ? "; the same command goes on" : ""
            Console.diagnostics.write("tapwire: interrupted\(hint)\n")
        }
        return (report, isInterrupted)
    }

    /// Shows how far the threads are and keeps the state, until all have ended.
    private func watch(
        _ board: Board,
        _ chunkCount: Int,
        _ interruption: Interruption,
        _ ended: DispatchSemaphore,
        _ finish: (inout BenchLoad) -> Void
    ) throws {
        var progress = ProgressBar()
        var lastSave = ContinuousClock.now
        var runningCount = coreCount
        while runningCount > 0 {
            if ended.wait(timeout: .now() + 0.2) == .success { runningCount -= 1 }
            if interruption.isRequested { board.content.withLock { $0.isStopped = true } }
            let (load, doneCount) = board.content.withLock { content in
                finish(&content.load)
                return (content.load, content.done.count)
            }
            progress.show(
                Double(doneCount) / Double(max(1, chunkCount)),
                "\(load.count.grouped) taps, \(Int(load.tapsPerSecond).grouped) in a second, \(load.failureCount) errors"
            )
            let isDue = lastSave.duration(to: .now) > .seconds(Self.saveSeconds)
            if runningCount == 0 || isDue {
                lastSave = .now
                do {
                    try save(board)
                } catch {
                    // Nothing is gained by going on for hours.
                    board.content.withLock { $0.isStopped = true }
                    for _ in 0..<runningCount { ended.wait() }
                    throw error
                }
            }
        }
        progress.clear()
    }

    // MARK: The work

    /// Does chunks until none is left.
    private func work(_ board: Board) {
        while let chunk = board.content.withLock({ $0.next() }) {
            let load = run(chunk)
            board.content.withLock { content in
                content.load.add(load)
                content.done.insert(chunk)
            }
        }
    }

    /// Makes the taps of a chunk.
    private func run(_ chunk: Int) -> BenchLoad {
        var load = BenchLoad(
            parameters: parameters,
            plannedCount: tapCount,
            partCount: partCount,
            parts: [part],
            coreCount: 1
        )
        let first = chunk * Self.chunkSize
        var party: BenchParty?
        for number in first..<min(first + Self.chunkSize, tapCount) {
            do {
                if party == nil { party = try makeParty(chunk) }
                guard let tap = try party?.tap(number) else { continue }
                load.durations.record(nanoseconds: tap.duration.wholeNanoseconds)
                load.results[tap.report.result.text, default: 0] += 1
                if !tap.report.result.isApproved {
                    load.fail("tap \(number + 1): \(tap.report.result.text)")
                }
            } catch {
                // Whatever is broken is not used again.
                party = nil
                load.results[BenchLoad.brokenOff, default: 0] += 1
                let reason = (error as? CommandFailure)?.message ?? "\(error)"
                load.fail("tap \(number + 1): \(reason)")
            }
        }
        return load
    }

    private func makeParty(_ chunk: Int) throws -> BenchParty {
        var options = try PaymentOptions(arguments)
        options.seed = options.seed.map { $0 &+ UInt64(chunk) }
        return try BenchParty(cards[chunk % cards.count], TerminalOptions(arguments), options)
    }

    // MARK: The state

    private func readState() throws -> State? {
        guard let path = arguments["state"], FileManager.default.fileExists(atPath: path) else {
            return nil
        }
        let bytes = try InputFile.bytes(path, "state file")
        guard let state = try? JSONDecoder().decode(State.self, from: Data(bytes)),
            state.load.isPlausible
        else {
            throw CommandFailure(
                .badFile,
                "state file \(path.quoted) is not one of “tapwire bench --state”; name another file"
            )
        }
        guard state.load.parameters == parameters, state.load.parts == [part],
            state.load.partCount == partCount
        else {
            throw CommandFailure(
                .badFile,
                "state file \(path.quoted) is of another run, “\(state.load.runText)”; name another file or remove it"
            )
        }
        guard let done = tapCount(of: state.doneChunks), done == state.load.count else {
            throw CommandFailure(
                .badFile,
                "state file \(path.quoted) contradicts itself: its taps are not those of its chunks; name another file or remove it"
            )
        }
        return state
    }

    /// How many taps ranges of chunks have; nil where they are not ranges of this part's chunks, in order.
    private func tapCount(of ranges: [[Int]]) -> Int? {
        var count = 0
        var next = 0
        for range in ranges {
            guard range.count == 2, next <= range[0], range[0] <= range[1],
                range[1] < chunkCount, range[0] % partCount == part - 1,
                partCount == 1 || range[0] == range[1]
            else { return nil }
            next = range[1] + 1
            count += min(next * Self.chunkSize, tapCount) - range[0] * Self.chunkSize
        }
        return count
    }

    /// Replaces the state file in one step, so that a crash leaves the old one or the new one.
    private func save(_ board: Board) throws {
        guard let path = arguments["state"] else { return }
        let state = board.content.withLock { content in
            State(
                doneChunks: content.done.rangeView.map { [$0.lowerBound, $0.upperBound - 1] },
                load: content.load
            )
        }
        try OutputFile.write(
            JSONEncoder().encode(state),
            to: path,
            "state file",
            options: .atomic
        )
    }

    /// The most memory this process has had, in KiB.
    private static var peakMemoryKiB: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}

extension BenchLoad {
    /// Counts a tap that failed.
    fileprivate mutating func fail(_ reason: String) {
        failureCount += 1
        firstFailure = firstFailure ?? reason
    }
}
