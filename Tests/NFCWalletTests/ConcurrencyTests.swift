import Dispatch
import NFCWallet
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConcurrencyTests {
    /// Reader, app and clock act at once on one session after another; run it under the thread sanitizer.
    @Test func `threads that get in each other's way leave one end and no counter used twice`()
        async throws
    {
        var generator = SeededGenerator()
        let source = generator.description
        let roundCount = 200
        let wallet = try WalletFixture(keyCount: roundCount * 4)
        var lastCounter: UInt16 = 0

        for _ in 0..<roundCount {
            let (session, events) = try await wallet.authenticatedSession()
            var listener = events
            let (order, offset) = (generator.next(), Int.random(in: 0..<3, using: &generator))
            let counters = Mutex<[UInt16]>([])
            DispatchQueue.concurrentPerform(iterations: 3) { index in
                switch (index + offset) % 3 {
                case 0:
                    session.startEmulation()
                    if order & 1 == 0 { session.startEmulation() }
                    if order & 2 == 0 { session.cancel() }
                case 1:
                    for _ in 0..<3 {
                        wallet.field.fieldOn()
                        _ = wallet.field.send(Command.selectVisa)
                        if let counter = counter(in: wallet.field.send(Command.pay)) {
                            counters.withLock { $0.append(counter) }
                        }
                        wallet.field.fieldOff()
                    }
                default:
                    wallet.clock.advance(by: .seconds(order & 4 == 0 ? 59 : 60))
                }
            }
            session.cancel()

            let names = await listener.rest()
            let ends = ["transactionCompleted", "cancelled", "maxSessionDurationReached"]
            #expect(names.count { ends.contains($0) } == 1, "\(source): \(names)")
            #expect(ends.contains(names.last ?? ""), "\(source): \(names)")
            let seen = counters.withLock { $0 }
            #expect(seen.count == (names.last == "transactionCompleted" ? 1 : 0), "\(source)")
            for counter in seen {
                #expect(counter > lastCounter, "\(source)")
                lastCounter = counter
            }
            #expect(!wallet.field.isPresenting)
        }
    }

    /// The counter in a Visa card's response; nil when it refused.
    private func counter(in response: [UInt8]?) -> UInt16? {
        guard let response, response.suffix(2) == [0x90, 0x00] else { return nil }
        let starts = response.indices.dropLast(4)
        guard let start = starts.first(where: { response[$0...].starts(with: [0x9F, 0x36, 0x02]) })
        else { return nil }
        return UInt16(response[start + 3]) << 8 | UInt16(response[start + 4])
    }
}
