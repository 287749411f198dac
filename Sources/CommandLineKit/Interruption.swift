import Dispatch
import Foundation
import Glibc
import Synchronization

/// The user's, the system's or the program's own wish that it ends: Ctrl-C (SIGINT), SIGTERM, `request`, or output that
/// nobody takes any more.
///
/// While one exists these signals do not end the program, and neither does a closed pipe (SIGPIPE); a second one of them
/// does, which is told when the end takes long.
public final class Interruption: Sendable {
    private let state = Mutex(State())
    private struct State {
        var isRequested = false
        var action: (@Sendable () -> Void)?
    }

    /// Begins to listen; from here on no signal is lost.
    public init() { EndingSignals.add(self) }

    deinit { EndingSignals.removeLost() }

    /// Whether the program shall end.
    public var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Calls `action` once when the program shall end, on any thread; at once where it shall already.
    ///
    /// Takes the place of the action that was given before.
    public func whenRequested(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isRequested { state.action = action }
            return state.isRequested
        }
        if isLate { action() }
    }

    /// Waits until the program shall end.
    public func wait() async {
        await withCheckedContinuation { continuation in
            whenRequested { continuation.resume() }
        }
    }

    /// Wishes the end, as a signal does.
    public func request() {
        // Whoever asks twice does not want to wait any longer.
        EndingSignals.release()
        let action = state.withLock { state in
            state.isRequested = true
            return state.action.take()
        }
        action?()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patienceSeconds) { [weak self] in
            guard self != nil, !EndingSignals.isConcluded else { return }
            Console.diagnostics.write(
                "Ends when what is under way is done; Ctrl-C again ends at once.\n"
            )
        }
    }

    /// Puts down what the program ends with, once that is known and what is left is to put things away.
    ///
    /// A signal that ends the program at once, because it is the second one or comes too late for the first, ends it with this
    /// exit code from here on.
    public func conclude(_ code: ExitCode) {
        EndingSignals.conclude(code.rawValue)
        // The signals have been released already.
        if isRequested { EndingSignals.release() }
    }

    /// Wishes the end wherever somebody listens.
    static func requestAll() { EndingSignals.tell() }

    /// Ends the program as a closed pipe does where nobody listens.
    static func dieOfClosedPipe() {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }

    /// How long the end may take before somebody wonders.
    private static let patienceSeconds = 1.0
}

/// The signals that end a program, on their way from their handler to those who listen.
///
/// A handler may do next to nothing, so it writes a byte that a thread waits for.
private enum EndingSignals {
    private static let numbers = [SIGINT, SIGTERM]
    private static let listeners = Mutex<[Listener]>([])
    /// What the program ends with; -1 where that is not known.
    private static let conclusion = Atomic<Int32>(-1)

    static var isConcluded: Bool { conclusion.load(ordering: .relaxed) >= 0 }

    static func conclude(_ code: Int32) { conclusion.store(code, ordering: .relaxed) }

    private struct Listener {
        weak var interruption: Interruption?
    }

    /// Where the handler writes, and the thread that reads; -1 where the system has no pipe left.
    private static let writingEnd: Int32 = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return -1 }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must not wait, however many signals come.
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let thread = Thread {
            var byte: UInt8 = 0
            while unsafe read(reading, &byte, 1) == 1 || errno == EINTR { tell() }
        }
        thread.name = "signals"
        thread.start()
        return writing
    }()

    static func add(_ interruption: Interruption) {
        listeners.withLock { $0.append(Listener(interruption: interruption)) }
        // To write into a closed pipe fails then.
        signal(SIGPIPE, SIG_IGN)
        guard writingEnd >= 0 else { return }
        for number in numbers {
            signal(number) { _ in
                let error = errno
                var byte: UInt8 = 0
                _ = unsafe write(EndingSignals.writingEnd, &byte, 1)
                errno = error
            }
        }
    }

    /// Forgets who does not listen any more; without anybody the signals end the program again.
    static func removeLost() {
        let isDeserted = listeners.withLock { listeners in
            listeners.removeAll { $0.interruption == nil }
            return listeners.isEmpty
        }
        guard isDeserted else { return }
        release()
        signal(SIGPIPE, SIG_DFL)
    }

    /// Lets the signals end the program, as it would have ended by itself where that is known.
    static func release() {
        for number in numbers {
            if isConcluded {
                signal(number) { _ in _exit(EndingSignals.conclusion.load(ordering: .relaxed)) }
            } else {
                signal(number, SIG_DFL)
            }
        }
    }

    static func tell() {
        let interruptions = listeners.withLock { $0.compactMap(\.interruption) }
        for interruption in interruptions { interruption.request() }
    }
}
