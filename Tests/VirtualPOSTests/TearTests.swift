import EMVData
import Emulation
import NFCWallet
import Profiles
import Synchronization
import TerminalKernels
import TestSupport
import Testing
import TokenService
import Transport
import VirtualPOS

/// A card, and the payment it makes.
struct TornPayment: Hashable, Sendable, CustomStringConvertible {
    var scheme: Scheme
    var usesLimitedUseKeys = false
    var minorUnits: UInt64

    var description: String {
        "\(scheme) \(minorUnits)\(usesLimitedUseKeys ? " LUK" : "")"
    }

    /// Each kind of card, above the floor limit and below it.
    static let all: [TornPayment] =
        Scheme.allCases.flatMap { scheme in
            [500, 1234].map { TornPayment(scheme: scheme, minorUnits: $0) }
        } + [TornPayment(scheme: .visa, usesLimitedUseKeys: true, minorUnits: 1234)]

    /// The terminal, the card and the issuer.
    func makeDesk() -> Desk {
        var desk = Desk(scheme)
        if usesLimitedUseKeys, case .visa(var visa) = desk.application.details {
            visa.cryptogramVersion = 43
            desk.application.details = .visa(visa)
        }
        return desk
    }
}

/// Where a field is lost in a presentation of the card.
struct Tear: Hashable, Sendable, CustomStringConvertible {
    /// At which command, counted from 0.
    var command: Int
    /// Whether the card has heard the command, and only its answer is lost.
    var isAnswered: Bool

    var description: String { "\(isAnswered ? "after" : "before") command \(command)" }

    /// Every place in a tap; more commands than any tap has, so that the last ones tear nothing.
    static let all: [Tear] = (0..<8).flatMap { command in
        [false, true].map { Tear(command: command, isAnswered: $0) }
    }
}

/// A transport that loses the field once in each presentation there is a tear for, and remembers the counters it saw.
private struct TearingTransport<Base: Transport & ~Copyable>: Transport, ~Copyable {
    var base: Base
    /// The tears that are still to come, that of the next presentation first.
    var tears: [Tear]
    /// Each cryptogram the card gave, whether the terminal got it or not.
    let cryptograms: Cryptograms
    private var tear: Tear?
    private var count = 0

    init(_ base: consuming Base, _ tears: [Tear], _ cryptograms: Cryptograms) {
        self.base = base
        self.tears = tears
        self.cryptograms = cryptograms
    }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        let isTorn = tear?.command == count
        defer { count += 1 }
        if isTorn, tear?.isAnswered == false {
            base.fieldOff()
            throw .cardRemoved
        }
        let response = try base.transmit(command)
        cryptograms.note(response)
        guard isTorn else { return response }
        base.fieldOff()
        throw .cardRemoved
    }
    mutating func fieldOn() throws(TransportError) {
        tear = tears.isEmpty ? nil : tears.removeFirst()
        count = 0
        try base.fieldOn()
    }
    mutating func fieldOff() { base.fieldOff() }
}

private final class Cryptograms: Sendable {
    private let counters = Mutex<[[UInt8]]>([])

    var all: [[UInt8]] { counters.withLock { $0 } }

    /// Notes the counter of a response that has a cryptogram, open or signed.
    func note(_ response: [UInt8]) {
        let starts = response.indices.dropLast(4)
        guard let start = starts.first(where: { response[$0...].starts(with: [0x9F, 0x36, 0x02]) })
        else { return }
        counters.withLock { $0.append(Array(response[start + 3..<start + 5])) }
    }
}

/// How a card that was torn away comes back within one emulation.
enum TornReturn: CaseIterable, Sendable {
    /// The terminal asks for it again.
    case tryAgain
    /// The terminal has given up, and takes the payment anew.
    case reentry
}

@Suite("Torn taps", .timeLimit(.minutes(10)))
struct TearTests {
    @Test(
        "A tap that breaks anywhere uses no counter twice, and the card pays again",
        arguments: TornPayment.all,
        Tear.all
    )
    func torn(_ payment: TornPayment, _ tear: Tear) async throws {
        let table = try TornTable(payment, .tryAgain)
        try await table.check([tear])
    }

    @Test(
        "So does one that breaks anywhere again, on Try Again and on re-entry",
        arguments: TornPayment.all,
        TornReturn.allCases
    )
    func tornTwice(_ payment: TornPayment, _ way: TornReturn) async throws {
        for first in Tear.all {
            let table = try TornTable(payment, way)
            // A tap that was not torn the first time has no second one.
            for second in Tear.all {
                guard try await table.check([first, second]) > 1 else { break }
            }
        }
    }
}

/// A card in a wallet, and all cryptograms it has given.
private struct TornTable {
    let payment: TornPayment
    let way: TornReturn
    private let desk: Desk
    private let tokens: TokenService
    private let field = SoftwareField()
    private let wallet: Wallet
    private let seen = Cryptograms()
    private let id = DigitalCard.ID(rawValue: "card")

    init(_ payment: TornPayment, _ way: TornReturn) throws {
        self.payment = payment
        self.way = way
        var desk = payment.makeDesk()
        // The terminal asks for the card as often as it is torn away, or not at all.
        desk.presentations = way == .tryAgain ? 3 : 1
        self.desk = desk
        tokens = try desk.makeTokens()
        wallet = try desk.makeWallet(field, tokens)
    }

    /// Lets the card pay with tears, and once more without.
    /// - Returns: How often the card was presented in the emulation with the tears.
    @discardableResult
    func check(_ tears: [Tear]) async throws -> Int {
        if try wallet.paymentCount(of: id) < 8 { try wallet.replenish(id, count: 8) }
        let before = try wallet.paymentCount(of: id)
        let comment: Comment = "\(payment), \(way), \(tears)"

        // A card that has not given its cryptogram pays at the next try.
        let first = try await pay(tears)
        #expect(first.events.last == "transactionCompleted", "\(comment): \(first)")
        #expect(first.events.count { $0 == "transactionCompleted" } == 1, "\(comment): \(first)")

        // Then the same card pays in a new session, undisturbed.
        let second = try await pay([])
        #expect([.approvedOnline, .approvedOffline].contains(second.result), comment)
        #expect(second.events == ["posConnected", "transactionCompleted"], comment)
        #expect(Set(seen.all).count == seen.all.count, comment)
        // Both payments at most, and as many keys as the broken taps may have cost.
        let spent = try before - wallet.paymentCount(of: id)
        #expect(spent <= 2 + tears.count, comment)
        return first.events.count { $0 == "posConnected" }
    }

    /// One emulation.
    private func pay(_ tears: [Tear]) async throws -> (result: TapReport.Result, events: [String]) {
        let session = ContactlessPaymentSession(wallet: wallet)
        var events = await session.startAndShowCard()
        var card = TearingTransport(field.makeTransport(), tears, seen)
        let transaction = try desk.transaction(payment.minorUnits)
        var result = TapReport.Result.ended
        do {
            for _ in 0..<(way == .tryAgain ? 1 : tears.count + 1) {
                result = try desk.tap(transaction, &card, tokens).result
            }
        } catch TransportError.timeout {
            // The card had paid, so that it is not shown once more.
            result = .ended
        }
        session.cancel()
        var names: [String] = []
        while let event = await events.next() {
            switch event {
            case .posConnected: names.append("posConnected")
            case .posDisconnected: names.append("posDisconnected")
            case .transactionCompleted: names.append("transactionCompleted")
            case .errorEncountered(let error): names.append("\(error)")
            default: names.append("authentication")
            }
        }
        await session.settled()
        return (result, names)
    }
}
