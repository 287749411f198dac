import Dispatch
import Foundation
import Glibc
import Synchronization

/// The user's, the system's or the program's own wish that it ends: Ctrl-C (SIGINT), SIGTERM or `request`.
///
/// While one exists these signals do not end the program; a second one of them does, which is told when the end
/// takes long.
public final class Interruption: Sendable {
    private let state = Mutex(State())
    private struct State {
        var isRequested = false
        var action: (@Sendable () -> Void)?
        var sources: [any DispatchSourceSignal] = []
    }

    /// Begins to listen.
    public init() {
        for number in [SIGINT, SIGTERM] {
            // The source sees the signal only where nothing else handles it.
            signal(number, SIG_IGN)
            state.withLock { state in
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [weak self] in self?.request() }
                source.resume()
                state.sources.append(source)
            }
        }
    }

    deinit {
        state.withLock { state in
            for source in state.sources { source.cancel() }
        }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

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
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        let action = state.withLock { state in
            state.isRequested = true
            return state.action.take()
        }
        action?()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patienceSeconds) { [weak self] in
            guard self != nil else { return }
            Console.diagnostics.write(
                "Ends when what is under way is done; Ctrl-C again ends at once.\n"
            )
        }
    }

    /// How long the end may take before somebody wonders.
    private static let patienceSeconds = 1.0
}
