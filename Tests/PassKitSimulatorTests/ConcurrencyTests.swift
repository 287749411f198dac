import Dispatch
import Foundation
import NFCWallet
import PassKitSimulator
import SecureStore
import Synchronization
import TestSupport
import Testing
import TokenService
import VirtualPOS

/// Two programs of one phone, each with stores of its own on the same files.
private struct TwoPrograms {
    let desk: ProvisioningDesk
    let first: SimulatedWalletHost
    let second: SimulatedWalletHost
    let phone: ProvisioningDesk.Device

    /// Opens the files twice; `patience` is how long the second one waits for the first, in milliseconds.
    init(
        _ colour: DigitizationDecision.Colour,
        in folder: URL,
        patience: Int32
    ) throws {
        func open(_ patience: Int32) throws -> ProvisioningDesk.Storage {
            let name = folder.appending(path: "wallet").path
            let wallet = try WalletStore(path: name)
            return ProvisioningDesk.Storage(
                keys: wallet,
                records: wallet,
                passes: try StoredPassRecords(
                    path: name + ".passes",
                    patienceMilliseconds: patience
                ),
                tokens: try StoredTokenRecords(path: name + ".bank")
            )
        }
        desk = try ProvisioningDesk(colour, stores: open(60_000))
        first = desk.makeHost()
        phone = desk.makePhone(try open(patience))
        second = desk.makeHost(phone)
    }
}

@Suite("Two programs of one phone", .timeLimit(.minutes(5)))
struct ConcurrencyTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = try ScratchFolder.make("two-programs")
        defer { ScratchFolder.remove(folder) }
        try await body(folder)
    }

    /// Does something once, when a call begins or ends.
    private func when(
        _ name: String,
        of party: Party,
        _ moment: Simulation.Moment,
        in desk: ProvisioningDesk,
        _ body: @escaping @Sendable () -> Void
    ) {
        let isDone = Mutex(false)
        desk.simulation.observe { exchange, now in
            guard exchange.name == name, exchange.to == party, moment == now else { return }
            let isFirst = isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst { body() }
        }
    }

    @Test("An event that comes to one while the other applies an older one waits for it")
    func events() async throws {
        try await withFolder { folder in
            let both = try TwoPrograms(.green, in: folder, patience: 0)
            let pass = try both.first.add(both.desk.plastic(), cardholderName: "A")
            let card = DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
            both.desk.push.deliver(to: both.first)
            try both.desk.server.setState(.suspended, of: card)
            try both.desk.server.setState(.active, of: card)
            let events = both.desk.push.waiting
            #expect(events.count == 2)
            let isTaken = Mutex<Bool?>(nil)
            when("changeCard", of: .secureElement, .began, in: both.desk) {
                isTaken.withLock { $0 = both.second.receive(events[1]) }
            }
            #expect(both.first.receive(events[0]))
            #expect(isTaken.withLock { $0 } == false)
            #expect(both.second.receive(events[1]))
            #expect(both.first.passes().map(\.passActivationState) == [.activated])
            #expect(try both.phone.wallet.cards.map(\.state) == [.active])
            #expect(try await both.desk.pay(both.phone).report?.result == .approvedOnline)
        }
    }

    @Test("A suspension that comes to one while the other activates the card is not lifted")
    func activation() async throws {
        try await withFolder { folder in
            let both = try TwoPrograms(.yellow, in: folder, patience: 0)
            let pass = try both.first.add(both.desk.plastic(), cardholderName: "A")
            let card = DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
            both.desk.push.deliver(to: both.first)
            try both.first.sendCode(for: pass, by: .otpBySMS)
            let code = try #require(both.desk.post.last)
            let problem = Mutex<ProvisioningError?>(nil)
            let desk = both.desk
            when("activate", of: .applePayServer, .ended, in: desk) {
                try? desk.server.setState(.suspended, of: card)
                desk.push.deliver(to: both.second)
                do throws(ProvisioningError) {
                    try both.second.activate(pass, code: code)
                } catch {
                    problem.withLock { $0 = error }
                }
            }
            try both.first.activate(pass, code: code)
            #expect(problem.withLock { $0 } == .busy)
            both.desk.push.deliver(to: both.second)
            #expect(both.desk.push.waiting.isEmpty)
            #expect(both.first.passes().map(\.passActivationState) == [.suspended])
            #expect(try both.phone.wallet.cards.map(\.state) == [.suspended])
            #expect(try await both.desk.pay(both.phone).error == .cardNotActive)
        }
    }

    @Test("Events that come to both at once: the newest of each subject counts", arguments: 0..<4)
    func atOnce(_ run: Int) async throws {
        try await withFolder { folder in
            var generator = SeededGenerator()
            let seed: Comment = "\(generator)"
            let both = try TwoPrograms(.green, in: folder, patience: 60_000)
            let pass = try both.first.add(both.desk.plastic(), cardholderName: "A")
            let card = DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
            both.desk.push.deliver(to: both.first)
            let isSuspended = Bool.random(using: &generator)
            for number in 0..<15 {
                let isOdd = number.isMultiple(of: 2) != isSuspended
                try both.desk.server.setState(isOdd ? .active : .suspended, of: card)
            }
            let events = both.desk.push.waiting
            let orders = [events.shuffled(using: &generator), events.shuffled(using: &generator)]
            let hosts = [both.first, both.second]
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                for event in orders[index] { _ = hosts[index].receive(event) }
            }
            let state = try #require(both.desk.tokens.token(of: card)?.status)
            #expect((state == .suspended) == isSuspended, seed)
            #expect(
                both.second.passes().map(\.passActivationState)
                    == [isSuspended ? .suspended : .activated],
                seed
            )
            #expect(
                try both.phone.wallet.cards.map(\.state) == [isSuspended ? .suspended : .active],
                seed
            )
        }
    }
}
