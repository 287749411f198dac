import CommandLineKit
import EMVCrypto
import EMVData
import Emulation
import NFCWallet
import Profiles
import TerminalKernels
import Transport
import VirtualPOS

/// A card in a wallet, its bank, and the terminal that taps it, for as many taps as the card has counters.
struct BenchParty {
    /// The card's scheme.
    let scheme: Scheme
    /// How its application makes cryptograms.
    let macByteCount: Int
    let field: BenchField
    private let wallet: CardWallet
    private let terminal: POSTerminal
    private let options: PaymentOptions
    private var environment: POSEnvironment

    /// Below and above the built-in terminal's floor limit, so that one tap ends offline and the next one online.
    private static let amounts: [UInt64] = [500, 2000]
    /// How many amounts take turns.
    static let amountCount = amounts.count
    /// Enough for as many taps as a card has counters.
    private static let availableMinorUnits: UInt64 = 1_000_000_000_000_000

    /// How a tap went.
    struct Tap {
        var report: TapReport
        var duration: Duration
        var samples: [BenchSample]
    }

    /// Brings the parties together.
    /// - Throws: `CommandFailure` when the card cannot pay.
    init(
        _ card: CardPersonalization,
        _ terminal: TerminalOptions,
        _ options: PaymentOptions
    ) throws {
        let application = card.profile.applications[0]
        scheme = application.scheme
        macByteCount =
            switch application.cryptogram {
            case .visaCVN17: 16
            case .visaCVN18: 48
            default: 40
            }
        field = BenchField()
        wallet = try CardWallet(
            card,
            field: field,
            usesDeviceCVM: false,
            seed: options.seed,
            availableMinorUnits: Self.availableMinorUnits
        )
        self.terminal = try terminal.pointOfSale()
        self.options = options
        environment = terminal.environment(options)
    }

    /// Shows the card to readers for the next tap.
    /// - Throws: `CommandFailure` when the card has spent its last counter.
    func showCard() throws -> ContactlessPaymentSession {
        guard try wallet.replenish() > 0 else {
            throw CommandFailure(.failure, "the card has spent its last counter, FFFF")
        }
        let session = wallet.makeSession()
        session.startPayment()
        session.startEmulation()
        guard field.presented != nil else {
            throw CommandFailure(.internalFault, "the wallet does not show its card")
        }
        return session
    }

    /// Makes one tap in process.
    /// - Parameter number: Which one, from 0: it decides amount and sequence counter.
    /// - Returns: What became of it.
    /// - Throws: `CommandFailure` when there is no card any more.
    mutating func tap(_ number: Int) throws -> Tap {
        let session = try showCard()
        defer { session.cancel() }
        var card = BenchTransport(field)
        let (report, duration) = try tap(number, over: &card)
        return Tap(report: report, duration: duration, samples: card.samples)
    }

    /// Taps whatever card is at the other end of a transport.
    mutating func tap(
        _ number: Int,
        over card: inout some Transport & ~Copyable
    ) throws -> (TapReport, Duration) {
        let transaction = transaction(number)
        let start = ContinuousClock.now
        do throws(TransportError) {
            let report = try terminal.tap(
                transaction,
                over: &card,
                host: wallet.bank,
                environment: &environment,
                surroundings: POSTerminal.Surroundings(clock: .continuous)
            )
            return (report, start.duration(to: .now))
        } catch {
            throw CommandFailure(error)
        }
    }

    private func transaction(_ number: Int) -> Transaction {
        let units = Self.amounts[number % Self.amounts.count]
        guard let amount = options.amount ?? Amount(minorUnits: units, currency: options.currency)
        else { preconditionFailure("the amounts have fewer than twelve digits") }
        return Transaction(
            amount: amount,
            type: .purchase,
            date: options.date,
            time: options.time,
            sequenceCounter: UInt32(truncatingIfNeeded: number % 99_999_999 + 1)
        )
    }
}

extension BenchParty {
    /// What a command of a tap in process cannot be faster than.
    func floor(of sample: BenchSample) -> BenchFloor {
        let signing = CryptoWork(hashByteCounts: [128], signatureCount: 1)
        switch sample.kind {
        case .processingOptions where scheme == .visa: return .cryptography(mac)
        case .signedProcessingOptions, .signedCryptogram: return .cryptography(mac + signing)
        case .cryptogram: return .cryptography(mac)
        default: return .copy(byteCount: sample.responseCount)
        }
    }

    /// What libcrypto has to do for a whole tap: for the card, for the terminal, which checks a signature, and for the
    /// issuer, who checks the cryptogram and answers with another.
    func floor(of tap: Tap) -> BenchFloor {
        var work = CryptoWork()
        for sample in tap.samples {
            if case .cryptography(let part) = floor(of: sample) { work = work + part }
        }
        if work.signatureCount > 0 {
            work.chainCount = 1
            work.hashByteCounts += [176, 144, 128]
        }
        if tap.report.request != nil { work = work + mac + CryptoWork(macByteCounts: [8]) }
        return .cryptography(work)
    }

    private var mac: CryptoWork { CryptoWork(macByteCounts: [macByteCount]) }
}
