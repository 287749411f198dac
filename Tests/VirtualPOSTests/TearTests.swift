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

/// Where a field is lost in a tap.
struct Tear: Sendable, CustomStringConvertible {
    var scheme: Scheme
    var usesLimitedUseKeys = false
    var minorUnits: UInt64
    /// At which command, counted from 0.
    var command: Int
    /// Whether the card has heard the command, and only its answer is lost.
    var isAnswered: Bool

    var description: String {
        "\(scheme) \(minorUnits) \(usesLimitedUseKeys ? "LUK " : "")"
            + "\(isAnswered ? "after" : "before") command \(command)"
    }

    /// Every tear of every kind of tap; more commands than any tap has, so that the last ones tear nothing.
    static let all: [Tear] = {
        var tears: [Tear] = []
        for command in 0..<8 {
            for isAnswered in [false, true] {
                for minorUnits in [500, 1234] as [UInt64] {
                    for scheme in Scheme.allCases {
                        tears.append(
                            Tear(
                                scheme: scheme,
                                minorUnits: minorUnits,
                                command: command,
                                isAnswered: isAnswered
                            )
                        )
                    }
                }
                tears.append(
                    Tear(
                        scheme: .visa,
                        usesLimitedUseKeys: true,
                        minorUnits: 1234,
                        command: command,
                        isAnswered: isAnswered
                    )
                )
            }
        }
        return tears
    }()
}

/// A transport that loses the field once, and remembers the counters it saw.
private struct TearingTransport<Base: Transport & ~Copyable>: Transport, ~Copyable {
    var base: Base
    let tear: Tear
    var count = 0
    /// Each cryptogram the card gave, whether the terminal got it or not.
    let cryptograms: Cryptograms

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        defer { count += 1 }
        if count == tear.command, !tear.isAnswered {
            base.fieldOff()
            throw .cardRemoved
        }
        let response = try base.transmit(command)
        cryptograms.note(response)
        guard count == tear.command else { return response }
        base.fieldOff()
        throw .cardRemoved
    }
    mutating func fieldOn() throws(TransportError) { try base.fieldOn() }
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

@Suite("Torn taps", .timeLimit(.minutes(5)))
struct TearTests {
    @Test(
        "A tap that breaks anywhere uses no counter twice, and the card pays again",
        arguments: Tear.all
    )
    func torn(_ tear: Tear) async throws {
        var desk = Desk(tear.scheme)
        if tear.usesLimitedUseKeys, case .visa(var visa) = desk.application.details {
            visa.cryptogramVersion = 43
            desk.application.details = .visa(visa)
        }
        desk.presentations = 2
        let tokens = try desk.makeTokens()
        let personalization = try CardPersonalization(desk.profile)
        let field = SoftwareField()
        let wallet = Wallet(field: field, authenticator: SimulatedAuthenticator(), service: tokens)
        let id = DigitalCard.ID(rawValue: "card")
        try wallet.add(DigitalCard(id: id, label: "card")) { personalization.makeCard() }
        try wallet.setDefaultCard(id)
        try wallet.replenish(id, count: 8)
        let seen = Cryptograms()

        // The terminal asks for the card once more, within the same emulation.
        let first = try await pay(desk, tear, wallet, field, tokens, seen)
        // A card that has not given its cryptogram pays at the second try.
        if first.events.last != "transactionCompleted" { Issue.record("\(first)") }
        // What the terminal holds for approved was told to the app as a payment.
        let isApproved = [.approvedOnline, .approvedOffline].contains(first.result)
        if isApproved { #expect(first.events.last == "transactionCompleted") }
        #expect(first.events.count { $0 == "transactionCompleted" } <= 1)

        // Then the same card pays in a new session, undisturbed.
        var calm = tear
        calm.command = .max
        let second = try await pay(desk, calm, wallet, field, tokens, seen)
        #expect([.approvedOnline, .approvedOffline].contains(second.result))
        #expect(second.events == ["posConnected", "transactionCompleted"])
        #expect(Set(seen.all).count == seen.all.count)
        // Both payments at most, and as many keys as the broken tap may have cost.
        #expect(try wallet.paymentCount(of: id) >= 5)
    }

    private func pay(
        _ desk: Desk,
        _ tear: Tear,
        _ wallet: Wallet,
        _ field: SoftwareField,
        _ tokens: TokenService,
        _ seen: Cryptograms
    ) async throws -> (result: TapReport.Result, events: [String]) {
        let session = ContactlessPaymentSession(wallet: wallet)
        var events = await session.startAndShowCard()
        var card = TearingTransport(base: field.makeTransport(), tear: tear, cryptograms: seen)
        let transaction = try desk.transaction(tear.minorUnits)
        let result: TapReport.Result
        do {
            result = try desk.tap(transaction, &card, tokens).result
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
