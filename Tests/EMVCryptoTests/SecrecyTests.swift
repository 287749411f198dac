import CLibcrypto
import EMVCrypto
import Glibc
import Octets
import TestSupport
import Testing

/// Runs `work` on a thread with a stack of its own and returns what it left on that stack.
private func stackResidue(of work: @escaping @Sendable () -> Void) -> [UInt8] {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    let count = 1 << 20
    guard
        let stack = unsafe mmap(
            nil,
            count,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS,
            -1,
            0
        )
    else { return [] }
    defer { unsafe munmap(stack, count) }
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstack(&attributes, stack, count)
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(Box(work)).toOpaque()
    let result = unsafe pthread_create(
        &thread,
        &attributes,
        { argument in
            guard let argument = unsafe argument else { return nil }
            unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work()
            return nil
        },
        argument
    )
    guard result == 0 else { return [] }
    pthread_join(thread, nil)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: stack, count: count))
}

/// Reports whether any half of a key is in `memory`, in either order of its bytes.
private func contains(_ key: [UInt8], in memory: [UInt8]) -> Bool {
    let halves = [[UInt8](key[..<8]), [UInt8](key[8...])]
    let patterns = halves + halves.map { $0.reversed() }
    return memory.indices.dropLast(7).contains { index in
        patterns.contains { pattern in
            memory[index] == pattern[0] && memory[index..<index + 8].elementsEqual(pattern)
        }
    }
}

@Suite("Keys stay where they are cleansed")
struct SecrecyTests {
    /// Card key and session key csk-1 of the vectors; this test's own stack does not count.
    private let cardKey: [UInt8]
    private let sessionKey: [UInt8]

    init() throws {
        cardKey = try [UInt8](hex: "F84315C7B95BD3B0C74694922C3808B0")
        sessionKey = try [UInt8](hex: "3E736BF8D37664348A04E3ABE00DEFC1")
    }

    @Test("A search finds a key that is left behind")
    func control() {
        let key = cardKey
        let residue = stackResidue {
            var copy = [16 of UInt8](repeating: 0)
            for index in 0..<16 { copy[index] = key[index] }
            withExtendedLifetime(copy) {}
        }
        #expect(contains(cardKey, in: residue))
    }

    @Test("Deriving and using a session key leaves no key on the stack")
    func derivation() {
        let bytes = cardKey
        let residue = stackResidue {
            guard let key = DoubleLengthKey(bytes.span) else { return }
            var cipher = TripleDES(key: key)
            let derived = cipher.commonSessionKey(diversifier: 0x1234_5678_9012_3456)
            var mac = RetailMAC(key: derived)
            _ = mac.mac(of: [1, 2, 3, 4, 5, 6, 7, 8, 9].span, padding: .marked)
            let copy = ApplicationCryptogram.visaCVN10.sessionKey(
                cardKey: derived,
                counter: 1,
                unpredictableNumber: 2
            )
            mac.load(copy)
            _ = mac.mac(of: [1, 2, 3].span, padding: .zeros)
        }
        #expect(residue.contains { $0 != 0 }, "the work ran on that stack")
        #expect(!contains(cardKey, in: residue))
        #expect(!contains(sessionKey, in: residue))
    }

    @Test("Private numbers print as their length only")
    func printing() throws {
        let numbers = try TestKeys.numbers("emvpt-key-ICC")
        var dumped = ""
        dump(numbers, to: &dumped)
        for text in [
            "\(numbers)", String(reflecting: numbers), String(describing: [numbers]), dumped,
        ] {
            #expect(text.contains("1024 bits"))
            #expect(!text.contains("\(numbers.prime1[0]), \(numbers.prime1[1])"))
            #expect(text.utf8.count < 60)
        }
    }
}
