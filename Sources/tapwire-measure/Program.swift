import CAllocationCounter
import CLibcrypto
import Foundation

/// Counts what a card allocates while it answers whole taps, and how long that takes.
///
///     tapwire-measure [TAPS]
///
/// What our code allocates must be nothing; what libcrypto allocates inside a signature is counted apart. Build it for
/// release: in a debug build the counts mean little. The exit status is 1 when our code allocates.
@main
struct Program {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap { Int($0) }.filter { 1...60_000 ~= $0 }
        guard numbers.count == arguments.count, numbers.count <= 1 else {
            FileHandle.standardError.write(Data("usage: tapwire-measure [TAPS]\n".utf8))
            exit(EX_USAGE)
        }
        // Before libcrypto allocates for the first time.
        guard
            unsafe CRYPTO_set_mem_functions(
                alloc_count_foreign_malloc,
                alloc_count_foreign_realloc,
                alloc_count_foreign_free
            ) == 1, alloc_count_is_live() == 1
        else {
            FileHandle.standardError.write(
                Data("tapwire-measure: allocations cannot be counted\n".utf8)
            )
            exit(EX_SOFTWARE)
        }

        print("tap                   commands   median µs   mallocs, ours   mallocs, libcrypto")
        var isClean = true
        for tap in try MeasuredTap.all() {
            let result = tap.measure(count: numbers.first ?? 200)
            isClean = isClean && result.ownAllocations == 0
            print(
                tap.name.padded(to: 20),
                String(tap.commands.count).padded(to: 9, onLeft: true),
                result.median.microseconds.padded(to: 11, onLeft: true),
                String(result.ownAllocations).padded(to: 15, onLeft: true),
                String(result.foreignAllocations).padded(to: 20, onLeft: true)
            )
        }
        exit(isClean ? EXIT_SUCCESS : EXIT_FAILURE)
    }
}

extension String {
    /// Fills up with spaces.
    fileprivate func padded(to width: Int, onLeft: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - count))
        return onLeft ? spaces + self : self + spaces
    }
}

extension Duration {
    /// Microseconds with one decimal.
    fileprivate var microseconds: String {
        let nanoseconds =
            components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
        return "\(nanoseconds / 1000).\(nanoseconds / 100 % 10)"
    }
}
