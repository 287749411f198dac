import Dispatch
import Synchronization
import Testing

@testable import PCSC

@Suite("Calls with a deadline", .serialized, .timeLimit(.minutes(5)))
struct WorkerTests {
    /// A call that comes back when it is told to.
    private final class Hang: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        let hasBegun = DispatchSemaphore(value: 0)

        func call() -> Int {
            hasBegun.signal()
            gate.wait()
            return 7
        }

        func comeBack() { gate.signal() }
    }

    private final class Flag: Sendable {
        private let raised = DispatchSemaphore(value: 0)
        func raise() { raised.signal() }
        func wait() { raised.wait() }
    }

    @Test func `a call that nobody waits for any more is left behind soon`() throws {
        let (tidied, hang) = (Flag(), Hang())
        let isGivenUp = Atomic(false)
        let worker = PCSCWorker(isGivenUp: { isGivenUp.load(ordering: .relaxed) }) {
            tidied.raise()
        }
        #expect(try worker.call(.service, within: .seconds(10)) { 3 } == 3)
        let start = ContinuousClock.now
        #expect(throws: PCSCError.cancelled) {
            try worker.call(.reader("given up"), within: .seconds(3600)) {
                isGivenUp.store(true, ordering: .relaxed)
                return hang.call()
            }
        }
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(PCSCWorker.leftBehindCount == 1)
        hang.comeBack()
        tidied.wait()
        // A call that comes back at once is no loss.
        let other = PCSCWorker(isGivenUp: { true }) {}
        #expect(try other.call(.service, within: .seconds(10)) { 5 } == 5)
        other.end()
    }

    @Test func `calls run in order on one thread, and give what they give`() throws {
        let tidied = Flag()
        let worker = PCSCWorker { tidied.raise() }
        for number in 0..<1000 {
            #expect(try worker.call(.service, within: .seconds(10)) { number } == number)
        }
        worker.end()
        tidied.wait()
        // Who asks again is not kept waiting, and leaves nothing behind.
        worker.end()
        #expect(throws: PCSCError.waitedTooLong) {
            try worker.call(.service, within: .seconds(60)) { 0 }
        }
        #expect(PCSCWorker.leftBehindCount == 0)
    }

    @Test func `a call past its deadline is left behind, and tidied up when it comes back`() throws
    {
        let hang = Hang()
        let tidied = Flag()
        let worker = PCSCWorker { tidied.raise() }
        #expect(throws: PCSCError.waitedTooLong) {
            try worker.call(.reader("a"), within: .milliseconds(1)) { hang.call() }
        }
        #expect(PCSCWorker.leftBehindCount == 1)
        // The worker takes no other call.
        #expect(throws: PCSCError.waitedTooLong) {
            try worker.call(.reader("b"), within: .seconds(10)) { 0 }
        }
        worker.end()
        hang.comeBack()
        tidied.wait()
        while PCSCWorker.leftBehindCount > 0 {}
    }

    @Test func `no second call to a reader is begun while one is out`() throws {
        let hang = Hang()
        let first = PCSCWorker {}
        #expect(throws: PCSCError.waitedTooLong) {
            try first.call(.reader("a"), within: .milliseconds(1)) { hang.call() }
        }
        let second = PCSCWorker {}
        let hasRun = Mutex(false)
        #expect(throws: PCSCError.waitedTooLong) {
            try second.call(.reader("a"), within: .seconds(10)) { hasRun.withLock { $0 = true } }
        }
        #expect(!hasRun.withLock { $0 })
        // Other readers, and pcscd itself, are not concerned.
        #expect(try second.call(.reader("b"), within: .seconds(10)) { 1 } == 1)
        #expect(try second.call(.service, within: .seconds(10)) { 2 } == 2)
        hang.comeBack()
        while PCSCWorker.leftBehindCount > 0 {}
        #expect(try second.call(.reader("a"), within: .seconds(10)) { 3 } == 3)
        second.end()
    }

    @Test func `a call that comes back at its deadline is either given or left behind`() throws {
        for _ in 0..<300 {
            let tidied = Flag()
            let worker = PCSCWorker { tidied.raise() }
            let result = Result {
                try worker.call(.service, within: .microseconds(20)) { 5 }
            }
            worker.end()
            tidied.wait()
            while PCSCWorker.leftBehindCount > 0 {}
            switch result {
            case .success(let value): #expect(value == 5)
            case .failure(let error): #expect(error as? PCSCError == .waitedTooLong)
            }
        }
    }
}
