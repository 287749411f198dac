import TestSupport

/// The wallet of one test, and everything the program said about it.
class StoreRuns {
    let scratch: Scratch
    let path: String
    private(set) var said = ""

    init() throws {
        scratch = try Scratch()
        path = try scratch.file() + ".wallet"
    }

    deinit { scratch.remove() }

    /// Runs the program on the wallet.
    func program(_ words: [String]) throws -> Run {
        let run = try tapwire(words + ["--wallet", path])
        said += run.output + run.diagnostics
        return run
    }
}
