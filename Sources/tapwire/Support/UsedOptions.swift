import Synchronization

/// The options whose value somebody has looked at, so that one that plays no part can be refused.
final class UsedOptions: Sendable {
    private let names = Mutex<Set<String>>([])

    /// Notes that an option plays a part.
    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }

    /// Whether an option plays a part.
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}
