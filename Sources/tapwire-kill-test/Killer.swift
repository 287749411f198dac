import Foundation
import NFCWallet
import SecureStore
import TestSupport

/// Starts a program again and again, kills it, and looks at what it has left.
struct Killer {
    /// What the program does.
    enum Work: String {
        /// It pays.
        case pay
        /// It adds cards, changes their states and deletes them.
        case provision
    }

    private let work: Work
    private var generator: SeededGenerator
    private let folder: URL
    private var counters: Set<String> = []
    private var cryptograms: Set<String> = []
    /// How much of the journal has been read.
    private var readByteCount = 0
    private var interruptedCount = 0
    private var paymentCount = 0
    private var finishedCount = 0
    private var killCount = 0

    /// How many kills a store of tokens sees, each of which leaves some: no more than can be read quickly.
    private static let killsPerStore = 50

    private var store: String {
        let number = work == .pay ? 0 : killCount / Self.killsPerStore
        return folder.appending(path: "store\(number)").path
    }
    private var journal: String { folder.appending(path: "journal").path }

    init(_ work: Work, _ generator: SeededGenerator) throws {
        self.work = work
        self.generator = generator
        folder = try ScratchFolder.make("kill-test")
    }

    /// Kills until enough runs have not come to their end.
    mutating func run(killCount count: Int) throws {
        // One run in peace, to know how long it takes.
        let clock = ContinuousClock()
        let start = clock.now
        let program = try startProgram()
        program.waitUntilExit()
        guard program.terminationStatus == 0 else { fail("a run without a kill failed") }
        var length = clock.now - start
        try check()

        while killCount < count {
            let program = try startProgram()
            Thread.sleep(
                forTimeInterval: length.seconds * Double.random(in: 0...1, using: &generator)
            )
            kill(program.processIdentifier, SIGKILL)
            program.waitUntilExit()
            let isKilled = program.terminationReason == .uncaughtSignal
            if !isKilled, program.terminationStatus == 0 {
                // The machine has become faster.
                length = length * 0.95
            } else if !isKilled {
                fail("a run failed by itself after \(killCount) kills")
            }
            try check()
            if isKilled { killCount += 1 }
            if isKilled, killCount.isMultiple(of: 100) { print("\(killCount) kills: \(tally)") }
        }
        ScratchFolder.remove(folder)
        print(conclusion)
    }

    private var tally: String {
        switch work {
        case .pay: "\(paymentCount) payments, \(interruptedCount) reported as interrupted"
        case .provision: "\(finishedCount) cards whose change was broken off and finished"
        }
    }

    private var conclusion: String {
        switch work {
        case .pay: "no counter and no cryptogram came twice, and no payment was lost"
        case .provision: "\(tally); wallet and server agreed each time"
        }
    }

    private func startProgram() throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [work.rawValue, store, journal]
        try process.run()
        return process
    }

    /// Looks at what a run has left.
    private mutating func check() throws {
        switch work {
        case .pay: try checkPayments()
        case .provision: finishedCount += try Provisioner(store: store).check()
        }
    }

    /// Reads what the terminal has got since the last run, and looks for it in the wallet.
    private mutating func checkPayments() throws {
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
