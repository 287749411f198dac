import Dispatch
import Foundation
import Synchronization

/// The thread on which one session's calls run, so that whoever waits for a call can give it up.
///
/// Nothing interrupts most calls of libpcsclite. A call past its deadline is left behind: its caller gets
/// `PCSCError.waitedTooLong`, the worker takes no other call, and when pcscd answers or dies at last, the worker
/// tidies up and ends. As long as it has not, no further call to the same reader is begun, so that no more
/// than one is ever left behind for a reader. One that waits for somebody's transaction keeps off new users only: whoever has
/// the transaction may be in this process, and has to go on.
final class PCSCWorker: Sendable {
    private let state = Mutex(State())
    /// Held from a call's beginning to its end or its deadline.
    private let turn = Mutex(())
    private let work = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    /// Runs on the thread before it ends, after whatever call it was in.
    private let tidyUp: @Sendable () -> Void
    /// Whether callers want to wait no more.
    private let isGivenUp: @Sendable () -> Bool

    private struct State {
        var call: (@Sendable () -> Void)?
        /// Whom the call that runs is about.
        var subject: Subject?
        /// Whether the caller has left.
        var isLeftBehind = false
        /// Whether the thread was told to end.
        var isEnding = false
    }

    /// Whom a call is about.
    enum Subject: Hashable, Sendable {
        /// pcscd itself.
        case service
        /// One reader, by its name.
        case reader(String)
        /// The end of others' transactions with the card in a reader.
        case transaction(String)
    }

    /// How many calls about each subject were left behind and have not come back.
    private static let leftBehind = Mutex<[Subject: Int]>([:])

    /// How many calls were left behind in this process and have not come back.
    static var leftBehindCount: Int { leftBehind.withLock { $0.values.reduce(0, +) } }

    /// How often `isGivenUp` is asked.
    private static let pollSeconds = 0.1
    /// How long a call may still come back once it is given up.
    private static let graceSeconds = 0.5

    /// Starts the thread.
    /// - Parameters:
    ///   - isGivenUp: Asked several times a second during a call; true leaves it behind soon.
    ///   - tidyUp: Runs on the thread before it ends.
    init(
        isGivenUp: @escaping @Sendable () -> Bool = { false },
        tidyUp: @escaping @Sendable () -> Void
    ) {
        self.isGivenUp = isGivenUp
        self.tidyUp = tidyUp
        let thread = Thread { self.run() }
        thread.name = "pcsc"
        thread.start()
    }

    /// Makes a call on the thread and waits for it.
    /// - Parameters:
    ///   - subject: Whom it is about.
    ///   - other: Whom it is about as well, where a call that was left behind keeps this one off.
    ///   - deadline: How long to wait.
    ///   - body: The call; it may outlive its caller.
    /// - Returns: What the call gives.
    /// - Throws: `PCSCError.waitedTooLong` when the deadline passes, or an earlier call about the same has not come back;
    ///   `PCSCError.cancelled` when it is given up.
    func call<Value: Sendable>(
        _ subject: Subject,
        and other: Subject? = nil,
        within deadline: Duration,
        _ body: @escaping @Sendable () -> Value
    ) throws(PCSCError) -> Value {
        let result = Result<Value>()
        let isDone = turn.withLock { _ in
            let isKeptOff = Self.leftBehind.withLock { left in
                left[subject] != nil || other.map { left[$0] != nil } ?? false
            }
            guard !isKeptOff else { return false }
            let isFree = state.withLock { state in
                guard !state.isLeftBehind, !state.isEnding else { return false }
                state.subject = subject
                state.call = { result.set(body()) }
                return true
            }
            return isFree && isAnswered(subject, within: deadline)
        }
        guard isDone, let value = result.take() else {
            throw isGivenUp() ? .cancelled : .waitedTooLong
        }
        return value
    }

    /// Ends the thread after it has tidied up, and waits a while for that.
    func end() {
        turn.withLock { _ in
            let isFree = state.withLock { state in
                guard !state.isLeftBehind, !state.isEnding else { return false }
                state.isEnding = true
                state.subject = .service
                return true
            }
            if isFree { _ = isAnswered(.service, within: PCSCDeadlines.release) }
        }
    }

    /// Lets the thread work and waits; false when the deadline passed, and the call is left behind.
    private func isAnswered(_ subject: Subject, within deadline: Duration) -> Bool {
        work.signal()
        if isDone(by: .now() + deadline / .seconds(1)) { return true }
        let isLeftBehind = state.withLock { state in
            guard state.subject != nil else { return false }
            state.isLeftBehind = true
            Self.leftBehind.withLock { $0[subject, default: 0] += 1 }
            return true
        }
        // Otherwise it came back at the last moment.
        if !isLeftBehind { done.wait() }
        return !isLeftBehind
    }

    /// Waits for the call that runs; false when the time is over, or nobody wants to wait for it.
    private func isDone(by deadline: DispatchTime) -> Bool {
        var end = deadline
        var isLast = false
        while true {
            let look = min(end, .now() + Self.pollSeconds)
            if done.wait(timeout: look) == .success { return true }
            guard look < end else { return false }
            if !isLast, isGivenUp() {
                end = min(end, .now() + Self.graceSeconds)
                isLast = true
            }
        }
    }

    private func run() {
        var isEnding = false
        while !isEnding {
            work.wait()
            if let call = state.withLock({ $0.call.take() }) {
                call()
            } else {
                isEnding = true
                tidyUp()
            }
            let late = state.withLock { state -> Subject? in
                defer { state.subject = nil }
                return state.isLeftBehind ? state.subject : nil
            }
            guard let late else {
                done.signal()
                continue
            }
            if !isEnding { tidyUp() }
            isEnding = true
            Self.leftBehind.withLock { counts in
                counts[late] = counts[late].flatMap { $0 > 1 ? $0 - 1 : nil }
            }
        }
    }

    /// Where the thread puts what a call gave; nobody may be there to take it.
    private final class Result<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)

        func set(_ value: sending Value) { self.value.withLock { $0 = value } }

        func take() -> Value? { value.withLock { $0.take() } }
    }
}
