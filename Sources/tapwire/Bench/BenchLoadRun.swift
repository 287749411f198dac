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

    /// The most taps a chunk has: few seconds of work, and fewer than a card has counters.
    private static let largestChunkSize = 500
    /// How many chunks a part has at least where there are taps enough, so that all cores have work.
    private static let leastChunkCount = 16
    /// How many parts `--shard` can make.
    static let largestPartCount = 100_000
    /// How often the state is written, in seconds.
    private static let saveSeconds = 2.0

    /// What is done, as `--state` keeps it.
    private struct State: Codable {
        /// The part's chunks that are done, counted from 0, as pairs of the first and the last.
        var done: [[Int]]
        /// What they came to.
        var load: BenchLoad

        /// The chunks that are done.
        var doneSet: IndexSet {
            var set = IndexSet()
            for range in done { set.insert(integersIn: range[0]...range[1]) }
            return set
        }
    }

    /// How many taps a chunk has, whichever process does it.
    private var chunkSize: Int {
        // Each card and each amount in each chunk, so that all parts measure the same.
        let unit = BenchParty.amountCount * cards.count
        let size = min(tapCount / partCount / Self.leastChunkCount, Self.largestChunkSize)
        return max(1, size / unit) * unit
    }
    /// How many chunks all parts have together.
    private var chunkCount: Int { (tapCount + chunkSize - 1) / chunkSize }
    /// How many chunks this part has; parts take turns.
    private var partChunkCount: Int { max(0, chunkCount - part + partCount) / partCount }
    /// How many threads there is work for.
    private var threadCount: Int { min(coreCount, max(1, partChunkCount)) }

    /// The taps of one of this part's chunks.
    private func taps(_ chunk: Int) -> Range<Int> {
        let first = (part - 1 + chunk * partCount) * chunkSize
        return first..<min(first + chunkSize, tapCount)
    }

    /// What the threads share.
    private final class Board: Sendable {
        let content: Mutex<Content>

        struct Content {
            /// The next chunks, in order; those that an earlier run has done among them.
            var chunks: Range<Int>.Iterator
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
        words += BenchReport.paymentWords(arguments)
        parameters = words.joined(separator: ", ")
    }

    /// Makes the taps that are not done yet.
    /// - Returns: What all came to, and whether it was interrupted before the last.
    func run() throws -> (report: BenchReport, isInterrupted: Bool) {
        let state = try readState()
        let board = Board(
            Board.Content(
                chunks: (0..<partChunkCount).makeIterator(),
                done: state?.doneSet ?? IndexSet(),
                load: state?.load
                    ?? BenchLoad(
                        parameters: parameters,
                        plannedCount: tapCount,
                        partCount: partCount,
                        parts: [part],
                        coreCount: threadCount
                    )
            )
        )
        let earlierSeconds = state?.load.seconds ?? 0
        let start = ContinuousClock.now
        let ended = DispatchSemaphore(value: 0)
        for number in 0..<threadCount {
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
            load.coreCount = threadCount
            load.peakMemoryKiB = max(load.peakMemoryKiB, Self.peakMemoryKiB)
        }
        var report = BenchReport(way: "in process", arguments)
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
        var runningCount = threadCount
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
        var parties = [BenchParty?](repeating: nil, count: cards.count)
        for number in taps(chunk) {
            // Each card pays both amounts, which alternate.
            let card = number / BenchParty.amountCount % cards.count
            do {
                if parties[card] == nil { parties[card] = try makeParty(cards[card], number) }
                guard let tap = try parties[card]?.tap(number) else { continue }
                load.durations.record(nanoseconds: tap.duration.wholeNanoseconds)
                load.results[tap.report.result.text, default: 0] += 1
                if !tap.report.result.isApproved {
                    load.fail("tap \(number + 1): \(tap.report.result.text)")
                }
            } catch {
                // Whatever is broken is not used again.
                parties[card] = nil
                load.results[BenchLoad.brokenOff, default: 0] += 1
                let reason = (error as? CommandFailure)?.message ?? "\(error)"
                load.fail("tap \(number + 1): \(reason)")
            }
        }
        return load
    }

    private func makeParty(_ card: CardPersonalization, _ number: Int) throws -> BenchParty {
        var options = try PaymentOptions(arguments)
        options.seed = options.seed.map { $0 &+ UInt64(number) }
        return try BenchParty(card, TerminalOptions(arguments), options)
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
        guard let done = tapCount(of: state.done), done == state.load.count else {
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
                range[1] < partChunkCount
            else { return nil }
            next = range[1] + 1
            // Only the very last chunk is shorter.
            count += (range[1] - range[0]) * chunkSize + taps(range[1]).count
        }
        return count
    }

    /// Replaces the state file in one step, so that a crash leaves the old one or the new one.
    private func save(_ board: Board) throws {
        guard let path = arguments["state"] else { return }
        let state = board.content.withLock { content in
            State(
                done: content.done.rangeView.map { [$0.lowerBound, $0.upperBound - 1] },
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
