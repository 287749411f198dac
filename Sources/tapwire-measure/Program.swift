import CAllocationCounter
import CLibcrypto
import Foundation
import Profiles

/// Taps one of our cards and tells, for each command, how often memory is allocated for the answer.
///
///     tapwire-measure visa|mastercard [TAPS [planted]]
///     tapwire-measure sessions [COUNT] [SECONDS]
///
/// Our own code must not allocate while it answers: it exits with 1 when it does. What libcrypto allocates to sign is
/// counted apart. Below valgrind's callgrind, each kind of command shows as a function of its own, `measured_…`;
/// `tools/measure` reads them. `planted` lets every answer allocate once, to see that it is noticed. The second form runs many payment sessions at once on the clock of the system and tells
/// how late their timers are.
@main
struct Program {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "sessions" { return try await measureSessions(arguments.dropFirst()) }
        let isPlanted = arguments.count == 3 && arguments.last == "planted"
        let words = arguments.prefix(isPlanted ? 2 : 3)
        let count = words.count == 2 ? words.last.flatMap { Int($0) } ?? 0 : 300
        guard let scheme = words.first.flatMap(Scheme.init(rawValue:)), words.count <= 2, count > 0
        else {
            refuse()
        }
        // Before anything else, because libcrypto takes no allocators once it has allocated.
        let isCounting = unsafe CRYPTO_set_mem_functions(
            alloc_count_library_malloc,
            alloc_count_library_realloc,
            alloc_count_library_free
        )
        precondition(isCounting == 1 && alloc_count_is_live() == 1, "nothing would be counted")

        let figures = try Bench.run(scheme, taps: count, isPlanted: isPlanted)
        print(figures.table)
        guard let culprit = figures.allocating else { return }
        let message = "tapwire-measure: our code allocates for \(culprit.rawValue)\n"
        FileHandle.standardError.write(Data(message.utf8))
        exit(EXIT_FAILURE)
    }

    /// Reads what is behind `sessions`, and runs them.
    private static func measureSessions(_ words: ArraySlice<String>) async throws {
        let numbers = words.compactMap { Int($0) }.filter { $0 > 0 }
        guard numbers.count == words.count, numbers.count <= 2 else { refuse() }
        try await SessionBench.run(
            count: numbers.first ?? 10_000,
            duration: .seconds(numbers.count > 1 ? numbers[1] : 60)
        )
    }

    private static func refuse() -> Never {
        let usage = """
            usage: tapwire-measure visa|mastercard [TAPS [planted]]
                   tapwire-measure sessions [COUNT] [SECONDS]

            """
        FileHandle.standardError.write(Data(usage.utf8))
        exit(EX_USAGE)
    }
}
