import Foundation

/// Runs blocking work on a thread of its own, so that no task has to wait for its thread meanwhile.
/// - Parameters:
///   - name: What the thread is called.
///   - work: The work.
/// - Returns: What the work returns.
/// - Throws: What the work throws.
func onThread<Value: Sendable>(
    named name: String,
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try work() }) }
        thread.name = name
        thread.start()
    }
}
