import CAllocationCounter
import CardEngine
import Octets
import Profiles
import Testing

/// Our code allocates nothing while it answers (the Embedded build proves it; this counts).
@Suite(.enabled(if: alloc_count_is_live() == 1)) struct AllocationTests {
    @Test func unsignedTapsAllocateNothing() throws {
        let visa = try [
            Command.selectDirectory, Command.selectVisa,
            Command.visaOptions(qualifiers: "36404080"),
            Command.readStaticRecord, Command.readCounter, "FFCA000000",
        ].map(bytes)
        var card = try makeCard(.visa)
        card.userAuthenticated = true
        // The first tap of a debug build instantiates metadata.
        _ = allocations(of: visa, in: &card)
        #expect(allocations(of: visa, in: &card) == 0)

        let mastercard = try [
            Command.selectDirectory, Command.selectMastercard, Command.processingOptions,
            Command.readStaticRecord, Command.generate("80"),
        ].map(bytes)
        card = try makeCard(.mastercard)
        card.userAuthenticated = true
        _ = allocations(of: mastercard, in: &card)
        #expect(allocations(of: mastercard, in: &card) == 0)
    }

    /// Answers commands and counts; never inlined, so that nothing the caller needs is counted.
    @inline(never)
    private func allocations(of commands: [[UInt8]], in card: inout Card) -> UInt64 {
        var storage = [258 of UInt8](repeating: 0)
        var written = 0
        var buffer = storage.mutableSpan
        return unsafe buffer.withUnsafeMutableBufferPointer { target in
            let before = alloc_count_total()
            // By index: in debug builds `for … in` over an array allocates.
            for index in commands.indices {
                let command = commands[index]
                var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
                card.respond(to: command.span, into: &output)
                written += unsafe output.finalize(for: target)
            }
            return alloc_count_total() - before
        }
    }
}
