import Dispatch
import Synchronization
import Testing

@testable import NFCWallet

@Suite("The system's clock", .timeLimit(.minutes(5)))
struct SystemClockTests {
    /// Says when it is gone.
    private final class Witness: Sendable {
        let gone: DispatchSemaphore
        init(_ gone: DispatchSemaphore) { self.gone = gone }
        deinit { gone.signal() }
    }

    @Test func `a call is made when it is due, once, and not before`() {
        let clock = SystemSessionClock()
        let calls = Mutex<[Duration]>([])
        let called = DispatchSemaphore(value: 0)
        let start = clock.now
        for milliseconds in [30, 1, 0] {
            _ = clock.call(after: .milliseconds(milliseconds)) {
                calls.withLock { $0.append(clock.now - start) }
                called.signal()
            }
        }
        for _ in 0..<3 { called.wait() }
        let times = calls.withLock { $0 }
        #expect(times.count == 3)
        #expect(times.max() ?? .zero >= .milliseconds(30))
    }

    @Test func `a call that is cancelled is not made, and lets go of what it holds at once`() {
        let gone = DispatchSemaphore(value: 0)
        for _ in 0..<100 {
            let witness = Witness(gone)
            let call = SystemSessionClock().call(after: .seconds(3600)) {
                _ = witness
                Issue.record("a cancelled call was made")
            }
            call.cancel()
        }
        for _ in 0..<100 { gone.wait() }
    }
}
