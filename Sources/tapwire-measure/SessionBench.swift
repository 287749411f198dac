import CardEngine
import EMVCrypto
import Foundation
import NFCWallet
import Profiles
import Synchronization

/// Many payment sessions at once on the clock of the system, none of which meets a reader.
///
/// It tells how late the latest of them ended, and what one takes of memory.
enum SessionBench {
    /// Runs the sessions.
    /// - Parameters:
    ///   - count: How many.
    ///   - duration: How long each lasts.
    /// - Throws: When the built-in card cannot be made.
    static func run(count: Int, duration: Duration) async throws {
        let personalization = try CardPersonalization(.builtIn(.visa))
        let latenesses = Latenesses(duration)
        let before = residentByteCount()
        let start = ContinuousClock.now
        var sessions: [ContactlessPaymentSession] = []
        for _ in 0..<count {
            sessions.append(try makeSession(personalization, latenesses, duration))
        }
        let began = ContinuousClock.now - start
        let memory = max(0, residentByteCount() - before)
        for session in sessions { await session.settled() }

        let all = latenesses.all.sorted()
        guard all.count == count, let latest = all.last else {
            fail("\(all.count) of \(count) sessions ended by their timer")
        }
        print("\(count) sessions of \(duration), started within \(began.milliseconds) ms")
        print("median  \(all[count / 2].milliseconds) ms late")
        print("latest  \(latest.milliseconds) ms late")
        print("memory  \(memory / count) bytes a session")
    }

    /// A session whose card is shown.
    private static func makeSession(
        _ personalization: CardPersonalization,
        _ latenesses: Latenesses,
        _ duration: Duration
    ) throws -> ContactlessPaymentSession {
        let card = DigitalCard.ID(rawValue: "card")
        let keys = MemoryKeyStore()
        let key = DoubleLengthKey(left: 1, right: 2)
        try keys.add(PaymentKey(transactionCounter: 1, cryptogramKey: key), for: card)
        var configuration = Wallet.Configuration()
        configuration.requiresAuthentication = false
        configuration.sessionDuration = duration
        configuration.reservedKeyCount = 1
        let wallet = Wallet(
            field: TimedField(latenesses),
            authenticator: SimulatedAuthenticator(),
            service: OfflineCredentialService(),
            keys: keys,
            configuration: configuration
        )
        try wallet.add(DigitalCard(id: card, label: "")) { personalization.makeCard() }
        try wallet.setDefaultCard(card)
        let session = ContactlessPaymentSession(wallet: wallet)
        session.startPayment()
        session.startEmulation()
        return session
    }

    /// How many bytes of the process lie in memory.
    private static func residentByteCount() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func fail(_ sentence: String) -> Never {
        FileHandle.standardError.write(Data(("tapwire-measure: " + sentence + "\n").utf8))
        exit(EXIT_FAILURE)
    }
}

/// How late each session ended.
private final class Latenesses: Sendable {
    let duration: Duration
    private let values = Mutex<[Duration]>([])

    init(_ duration: Duration) { self.duration = duration }

    var all: [Duration] { values.withLock { $0 } }

    func add(_ value: Duration) { values.withLock { $0.append(value) } }
}

/// A radio without readers, which looks at the clock when its card is shown and when it is taken away.
private final class TimedField: CardField {
    private let latenesses: Latenesses
    private let presented = Mutex<ContinuousClock.Instant?>(nil)

    init(_ latenesses: Latenesses) { self.latenesses = latenesses }

    func present(_ card: any EmulatedCard) { presented.withLock { $0 = .now } }

    func withdraw(_ card: any EmulatedCard) {
        guard let start = presented.withLock({ $0.take() }) else { return }
        latenesses.add(.now - (start + latenesses.duration))
    }
}

extension Duration {
    fileprivate var milliseconds: String {
        let tenths = Int((self / .milliseconds(1) * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
