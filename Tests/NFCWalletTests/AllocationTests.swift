import CAllocationCounter
import NFCWallet
import TestSupport
import Testing

/// Between a command and its response the session allocates nothing; what is told afterwards may.
@Suite(.enabled(if: alloc_count_is_live() == 1)) struct AllocationTests {
    @Test func `a session answers without allocating`() async throws {
        let wallet = try WalletFixture()
        let commands = [
            Command.selectEnvironment, Command.selectMastercard, Command.selectVisa,
            Command.getCounter, Command.pay, Command.getCounter,
        ]
        // The first tap of a debug build instantiates metadata.
        for expected in [nil, 0] as [UInt64?] {
            let (session, _) = try await wallet.emulatingSession()
            wallet.field.fieldOn()
            let count = allocations(of: commands, in: session)
            if let expected { #expect(count == expected) }
            session.cancel()
            #expect(try wallet.store.count(of: WalletFixture.visa) == (expected == nil ? 9 : 8))
        }
    }

    /// Answers commands and counts; never inlined, so that nothing the caller needs is counted.
    @inline(never)
    private func allocations(
        of commands: [[UInt8]],
        in session: ContactlessPaymentSession
    ) -> UInt64 {
        var storage = [258 of UInt8](repeating: 0)
        var written = 0
        var buffer = storage.mutableSpan
        return unsafe buffer.withUnsafeMutableBufferPointer { target in
            let before = alloc_count_total()
            // By index: in debug builds `for … in` over an array allocates.
            for index in commands.indices {
                let command = commands[index]
                var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
                session.respond(to: command.span, into: &output)
                written += unsafe output.finalize(for: target)
            }
            return alloc_count_total() - before
        }
    }
}
