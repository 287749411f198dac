import Foundation
import NFCWallet
import SecureStore
import TestSupport

/// Starts a payer again and again, kills it, and looks at what it has left.
struct Killer {
    private var generator: SeededGenerator
    private let folder: URL
    private var counters: Set<String> = []
    private var cryptograms: Set<String> = []
    /// How much of the journal has been read.
    private var readByteCount = 0
    private var interruptedCount = 0
    private var paymentCount = 0

    private var store: String { folder.appending(path: "store").path }
    private var journal: String { folder.appending(path: "journal").path }

    init(_ generator: SeededGenerator) throws {
        self.generator = generator
        folder = FileManager.default.temporaryDirectory.appending(path: "kill-test-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    /// Kills until enough runs have not come to their end.
    mutating func run(killCount: Int) throws {
        // One run in peace, to know how long it takes.
        let clock = ContinuousClock()
        let start = clock.now
        let payer = try startPayer()
        payer.waitUntilExit()
        guard payer.terminationStatus == 0 else { fail("a run without a kill failed") }
        var length = clock.now - start
        try check()

        var kills = 0
        while kills < killCount {
            let payer = try startPayer()
            Thread.sleep(
                forTimeInterval: length.seconds * Double.random(in: 0...1, using: &generator)
            )
            kill(payer.processIdentifier, SIGKILL)
            payer.waitUntilExit()
            if payer.terminationReason == .uncaughtSignal {
                kills += 1
            } else if payer.terminationStatus == 0 {
                // The machine has become faster.
                length = length * 0.95
            } else {
                fail("a run failed by itself after \(kills) kills")
            }
            try check()
            if kills.isMultiple(of: 100), kills > 0, payer.terminationReason == .uncaughtSignal {
                print(
                    "\(kills) kills: \(paymentCount) payments, \(interruptedCount) reported as interrupted"
                )
            }
        }
        try FileManager.default.removeItem(at: folder)
        print("no counter and no cryptogram came twice, and no payment was lost")
    }

    private func startPayer() throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["pay", store, journal]
        try process.run()
        return process
    }

    /// Reads what the terminal has got since the last run, and looks for it in the wallet.
    private mutating func check() throws {
        var accounted: Set<UInt16> = []
        do throws(SecureStoreError) {
            // There is none yet where the first run was killed early.
            let store = try WalletStore(path: store)
            do throws(PaymentKeyStoreError) {
                for entry in try store.history(of: Payer.card) {
                    accounted.formUnion(entry.transactionCounter...entry.lastCounter)
                    if entry.outcome == .interrupted { interruptedCount += 1 }
                }
                try store.removeHistory(of: Payer.card)
            } catch {
                fail("the history cannot be read: \(error)")
            }
        } catch {
            fail("the store does not open: \(error)")
        }
        let text = (try? Data(contentsOf: URL(filePath: journal))) ?? Data()
        let new = String(decoding: text.dropFirst(readByteCount), as: UTF8.self)
        readByteCount = text.count
        for line in new.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let counter = UInt16(words[0], radix: 16) else {
                fail("the journal has a line \(line)")
            }
            paymentCount += 1
            guard counters.insert(String(words[0])).inserted else {
                fail("counter \(counter) came twice")
            }
            guard cryptograms.insert(String(words[1])).inserted else {
                fail("the cryptogram of counter \(counter) came twice")
            }
            guard accounted.contains(counter) else {
                fail("the terminal got counter \(counter), and the wallet knows nothing of it")
            }
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
