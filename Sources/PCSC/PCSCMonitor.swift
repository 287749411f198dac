import Dispatch
import Foundation
import Synchronization

/// Tells which readers and cards come and go, and when pcscd does.
///
/// It watches on a thread of its own, from its creation until `stop`.
public final class PCSCMonitor: Sendable {
    /// Something came or went.
    public enum Event: Hashable, Sendable {
        /// A reader or a card came or went.
        case change(PCSCReaderChange, PCSCReaderState)
        /// pcscd does not answer; everything it had counts as gone, and is told again when it is back.
        case serviceLost(PCSCError)
    }

    /// What came and went, in order; ends after `stop`.
    public let events: AsyncStream<Event>

    private let continuation: AsyncStream<Event>.Continuation
    private let isStopped = Mutex(false)
    private let stopped = DispatchSemaphore(value: 0)

    /// How long one look takes when nothing changes.
    private static let lookMilliseconds: UInt32 = 500

    /// Begins to watch.
    public init(deadlines: PCSCDeadlines = PCSCDeadlines()) {
        (events, continuation) = AsyncStream.makeStream()
        let thread = Thread { self.run(deadlines) }
        thread.name = "monitor"
        thread.start()
    }

    /// Ends the stream of events.
    public func stop() {
        isStopped.withLock { $0 = true }
        stopped.signal()
        continuation.finish()
    }

    private func run(_ deadlines: PCSCDeadlines) {
        var list = PCSCReaderList()
        var context: PCSCContext?
        var wasThere = true
        while !isStopped.withLock({ $0 }) {
            do throws(PCSCError) {
                if context == nil { context = try PCSCContext(deadlines: deadlines) }
                wasThere = true
                try context?.follow(&list, Self.lookMilliseconds) { change, reader in
                    continuation.yield(.change(change, reader))
                }
            } catch {
                if wasThere { continuation.yield(.serviceLost(error)) }
                wasThere = false
                list = PCSCReaderList()
                context = nil
                _ = stopped.wait(timeout: .now() + .milliseconds(Int(Self.lookMilliseconds)))
            }
        }
    }
}

extension PCSCContext {
    /// Waits a while for changes, and tells each.
    fileprivate func follow(
        _ list: inout PCSCReaderList,
        _ milliseconds: UInt32,
        tell: (PCSCReaderChange, PCSCReaderState) -> Void
    ) throws(PCSCError) {
        for (change, reader) in list.update(names: try readerNames()) { tell(change, reader) }
        var seen = list.readers + [.plugAndPlay]
        guard try waitForChange(of: &seen, timeoutMilliseconds: milliseconds) else { return }
        for (change, reader) in list.update(states: seen.dropLast()) { tell(change, reader) }
    }
}
