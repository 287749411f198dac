import CardEngine
import EMVCrypto
import Octets
import Profiles
import Synchronization

/// Sends invented commands to a card with a Visa and a Mastercard application.
///
/// The first byte says what the wallet has put in; then follow commands as messages.
func fuzzCard(_ bytes: [UInt8]) {
    var input = InputReader(bytes)
    let options = input.byte()
    FuzzedCard.shared(hasRandomBytes: options & 0x04 == 0).withLock { fuzzed in
        fuzzed.prepare(isAuthenticated: options & 0x01 != 0, hasKeys: options & 0x02 == 0)
        while !input.isAtEnd {
            let command = input.message()
            let (response, event) = fuzzed.send(command)
            precondition(2...Card.maximumResponseCount ~= response.count)
            guard case .refused = event else { continue }
            precondition(response.count == 2, "a refusal is a status word alone")
            let again = fuzzed.send(command).response
            precondition(again == response, "a refused command changed something")
        }
    }
}

/// One card for all inputs, because making its private keys takes far longer than a tap.
///
/// Only the counters of its applications go on from one input to the next.
struct FuzzedCard: ~Copyable, Sendable {
    /// The card of this process, or the one that never gets random bytes.
    static func shared(hasRandomBytes: Bool = true) -> Shared {
        hasRandomBytes ? withRandomBytes : withoutRandomBytes
    }

    /// A card that every input finds again.
    final class Shared: Sendable {
        private let card: Mutex<FuzzedCard>

        init(randomByteCount: Int) { card = Mutex(FuzzedCard(randomByteCount: randomByteCount)) }

        func withLock(_ body: (inout FuzzedCard) -> Void) { card.withLock { body(&$0) } }
    }

    private static let withRandomBytes = Shared(randomByteCount: Card.maximumRandomBytes)
    private static let withoutRandomBytes = Shared(randomByteCount: 0)

    private static let personalization: CardPersonalization = {
        var profile = CardProfile.builtIn(.visa)
        profile.applications += CardProfile.builtIn(.mastercard).applications
        do { return try CardPersonalization(profile) } catch { fatalError("\(error)") }
    }()

    private let randomByteCount: Int
    private var card = FuzzedCard.personalization.makeCard()
    private var counters: [UInt16] = [0, 0]

    init(randomByteCount: Int) { self.randomByteCount = randomByteCount }

    /// Makes the card as a wallet leaves it before a tap.
    mutating func prepare(isAuthenticated: Bool, hasKeys: Bool) {
        if counters.contains(where: { $0 > UInt16.max - 64 }) {
            card = FuzzedCard.personalization.makeCard()
            counters = [0, 0]
        }
        card.fieldOn()
        card.userAuthenticated = isAuthenticated
        for index in counters.indices {
            card.returnUnusedKeys(forApplication: index) { _ in }
            for _ in 0..<(hasKeys ? 4 : 0) {
                counters[index] += 1
                let key = PaymentKey(
                    transactionCounter: counters[index],
                    cryptogramKey: DoubleLengthKey(left: 1, right: 2)
                )
                card.reserve(key, forApplication: index)
            }
        }
        let random = [UInt8](repeating: 0x5C, count: randomByteCount - card.randomByteCount)
        card.addRandomBytes(random.span)
    }

    /// Sends a command and tells the response and what happened.
    mutating func send(_ command: [UInt8]) -> (response: [UInt8], event: CardEvent) {
        var event = CardEvent.none
        let response = [UInt8](capacity: Card.maximumResponseCount) {
            (output: inout OutputSpan<UInt8>) in
            event = card.respond(to: command.span, into: &output)
        }
        return (response, event)
    }
}
