import CAllocationCounter
import CLibcrypto
import Foundation

/// Taps our cards and tells, for each command, how long the answer takes and how often memory is allocated for it.
///
///     tapwire-measure [TAPS]
///
/// Our own code must not allocate while it answers: it exits with 1 when it does. What libcrypto allocates to sign is
/// counted apart.
@main
struct Program {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let counts = arguments.compactMap { Int($0) }.filter { $0 > 0 }
        guard counts.count == arguments.count, counts.count <= 1 else {
            FileHandle.standardError.write(Data("usage: tapwire-measure [TAPS]\n".utf8))
            exit(EX_USAGE)
        }
        // Before anything else, because libcrypto takes no allocators once it has allocated.
        let isCounting = unsafe CRYPTO_set_mem_functions(
            alloc_count_library_malloc,
            alloc_count_library_realloc,
            alloc_count_library_free
        )
        precondition(isCounting == 1 && alloc_count_is_live() == 1, "nothing would be counted")

        var figures = Figures()
        try Bench.run(taps: counts.first ?? 300, into: &figures)
        print(figures.table)
        guard let culprit = figures.allocating else { return }
        let message = "tapwire-measure: our code allocates for \(culprit)\n"
        FileHandle.standardError.write(Data(message.utf8))
        exit(EXIT_FAILURE)
    }
}
