import Foundation
import NFCWallet
import SecureStore
import TestSupport

/// Starts a program again and again, kills it, and looks at what it has left.
struct Killer {
    /// What the program does.
    enum Work: String, CaseIterable {
        /// It pays.
        case pay
        /// It pays, and some payments cannot be put down.
        case forget
        /// It adds cards, changes their states and deletes them.
        case provision
    }

    /// A payment that the terminal has got.
    private struct Payment: Hashable {
        var card: Substring
        var counter: UInt16
    }

    private let work: Work
    private var generator: SeededGenerator
    private let folder: URL
    /// What the terminal has got since the store was made.
    private var payments: Set<Payment> = []
    private var cryptograms: Set<Substring> = []
    /// How much of the journal has been read.
    private var readByteCount = 0
    private var storeNumber = 0
    private var interruptedCount = 0
    private var paymentCount = 0
    private var finishedCount = 0
    private var killCount = 0

    /// How many kills a store sees: no more tokens than can be read quickly, and no more keys than an hour has.
    private static let killsPerStore = 30

    private var store: String { folder.appending(path: "store\(storeNumber)").path }
    private var journal: String { store + ".journal" }

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
            guard isKilled else { continue }
            killCount += 1
            if killCount.isMultiple(of: 100) { print("\(work) \(killCount) kills: \(tally)") }
            if killCount.isMultiple(of: Self.killsPerStore) { takeNewStore() }
        }
        ScratchFolder.remove(folder)
        print(conclusion)
    }

    private mutating func takeNewStore() {
        storeNumber += 1
        payments = []
        cryptograms = []
        readByteCount = 0
    }

    private var tally: String {
        switch work {
        case .pay, .forget:
            "\(paymentCount) payments, \(interruptedCount) times some were reported as interrupted"
        case .provision: "\(finishedCount) cards whose change was broken off and finished"
        }
    }

    private var conclusion: String {
        switch work {
        case .pay, .forget:
            "\(work) \(tally); no counter and no cryptogram came twice, and no payment was lost"
        case .provision: "\(work) \(tally); wallet and server agreed each time"
        }
    }

    private mutating func startProgram() throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [work.rawValue, store, journal, String(generator.next())]
        try process.run()
        return process
    }

    /// Looks at what a run has left.
    private mutating func check() throws {
        switch work {
        case .pay, .forget: try checkPayments()
        case .provision: finishedCount += try Provisioner(store: store).check()
        }
    }

    /// Reads what the terminal has got since the last run, and looks for it in the wallet.
    private mutating func checkPayments() throws {
        let accounted = try takeHistories()
        let text = (try? Data(contentsOf: URL(filePath: journal))) ?? Data()
        let new = String(decoding: text.dropFirst(readByteCount), as: UTF8.self)
        readByteCount = text.count
        for line in new.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let counter = UInt16(words[1], radix: 16) else {
                fail("the journal has a line \(line)")
            }
            let payment = Payment(card: words[0], counter: counter)
            paymentCount += 1
            guard payments.insert(payment).inserted else {
                fail("counter \(counter) of \(payment.card) came twice")
            }
            guard cryptograms.insert(words[2]).inserted else {
                fail("the cryptogram of counter \(counter) of \(payment.card) came twice")
            }
            guard accounted.contains(payment) else {
                fail(
                    "the terminal got counter \(counter) of \(payment.card), and the wallet knows nothing of it"
                )
            }
        }
    }

    /// Reads what the wallet knows of the last run, and has it forget that.
    private mutating func takeHistories() throws -> Set<Payment> {
        var accounted: Set<Payment> = []
        do throws(SecureStoreError) {
            // There is none yet where the first run was killed early.
            let store = try WalletStore(path: store)
            do throws(PaymentKeyStoreError) {
                for card in Payer.cards {
                    for entry in try store.history(of: card.id) {
                        for counter in entry.transactionCounter...entry.lastCounter {
                            accounted.insert(Payment(card: card.id.rawValue[...], counter: counter))
                        }
                        if entry.outcome == .interrupted { interruptedCount += 1 }
                    }
                    try store.removeHistory(of: card.id)
                }
            } catch {
                fail("the history cannot be read: \(error)")
            }
        } catch {
            fail("the store does not open: \(error)")
        }
        return accounted
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
