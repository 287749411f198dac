import EMVData
import Foundation
import IssuerHost
import NFCWallet
import PassKitSimulator
import Synchronization
import Testing
import TokenService
import VirtualPOS

/// What keeps a pass from paying.
enum Hindrance: CaseIterable {
    case yellow, orange, suspended, deleted, wiped

    var colour: DigitizationDecision.Colour {
        switch self {
        case .yellow: .yellow
        case .orange: .orange
        case .suspended, .deleted, .wiped: .green
        }
    }

    var state: PKSecureElementPass.PassActivationState {
        switch self {
        case .yellow, .orange: .requiresActivation
        case .suspended: .suspended
        case .deleted, .wiped: .deactivated
        }
    }
}

@Suite("What happens to a card that is there", .timeLimit(.minutes(5)))
struct LifecycleTests {
    private func card(of pass: PKSecureElementPass) -> DigitalCard.ID {
        DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
    }

    private func number(_ index: Int) throws -> PrimaryAccountNumber {
        try #require(PrimaryAccountNumber(text: ProvisioningDesk.cards[index].3))
    }

    @Test(
        "A pass that cannot pay has no PPSE entry, and is not active to a payment",
        arguments: Hindrance.allCases,
        [false, true]
    )
    func hindrances(_ hindrance: Hindrance, _ isOnWatch: Bool) async throws {
        let desk = try ProvisioningDesk(hindrance.colour)
        desk.watch.isPaired = true
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A", toWatch: isOnWatch)
        let device = isOnWatch ? desk.watchDevice : desk.phone
        // Before it is hindered, the entry is there.
        let isActive = hindrance.colour == .green
        let before = await desk.directory(device)
        #expect((before?.suffix(2) == [0x90, 0x00]) == isActive)
        switch hindrance {
        case .yellow, .orange: break
        case .suspended: try desk.server.setState(.suspended, of: card(of: pass))
        case .deleted: try desk.server.setState(.retired, of: card(of: pass))
        case .wiped: try device.device.secureElement.wipe()
        }
        desk.push.deliver(to: host)
        host.enterForeground()
        #expect(
            host.passes(onWatch: isOnWatch).map(\.passActivationState) == [hindrance.state]
        )
        let isGone = hindrance.state == .deactivated
        for named in [card(of: pass), nil] {
            let payment = try await desk.pay(device, with: named)
            let isDefaultLost = isGone && named == nil
            #expect(payment.error == (isDefaultLost ? .noDefaultCard : .cardNotActive))
            #expect(payment.report == nil)
            #expect(await desk.directory(device, of: named) == nil)
        }
    }

    @Test(
        "A card that is suspended or deleted while it is shown goes off at once",
        arguments: [DigitalCard.State.suspended, .retired]
    )
    func whileShown(_ state: DigitalCard.State) async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        #expect(await desk.directory(desk.phone)?.suffix(2) == [0x90, 0x00])
        let answer = await desk.directory(desk.phone) {
            try? desk.server.setState(state, of: card(of: pass))
            desk.push.deliver(to: host)
        }
        #expect(answer == nil)
    }

    @Test("A replaced card keeps token and pass, and pays from the new account")
    func replacedCard() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        let (old, new) = (try number(0), try number(2))
        desk.bank[old]?.status = .lost
        #expect(try await desk.pay(desk.phone).report?.result == .declinedOnline)

        try desk.server.replaceAccount(of: card(of: pass), by: new)
        desk.push.deliver(to: host)
        let now = try #require(host.passes().first)
        #expect(now.primaryAccountNumberSuffix == "0135")
        #expect(now.deviceAccountNumberSuffix == pass.deviceAccountNumberSuffix)
        #expect(now.primaryAccountIdentifier == pass.primaryAccountIdentifier)
        let left = try #require(desk.bank[new]?.availableMinorUnits)
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
        #expect(desk.bank[new]?.availableMinorUnits == left - 1_234)

        // Neither number gets a second token on the device; on the watch the account has the name it had.
        desk.bank[old]?.status = .active
        for index in [0, 2] {
            #expect(
                throws: ProvisioningError.digitization(.cardAlreadyProvisionedInWallet)
            ) { try host.add(desk.plastic(index), cardholderName: "A") }
        }
        desk.watch.isPaired = true
        let watchPass = try host.add(desk.plastic(2), cardholderName: "A", toWatch: true)
        #expect(watchPass.primaryAccountIdentifier == pass.primaryAccountIdentifier)
        #expect(host.passes().map(\.passActivationState) == [.activated])
        #expect(try await desk.pay(desk.watchDevice).report?.result == .approvedOnline)

        // The number that was replaced is nobody's any more, even when the device has the card no more.
        try desk.server.setState(.retired, of: card(of: pass))
        desk.push.deliver(to: host)
        #expect(throws: ProvisioningError.digitization(.fpanNotEligible)) {
            try host.add(desk.plastic(0), cardholderName: "A")
        }
        let again = try host.add(desk.plastic(2), cardholderName: "A")
        #expect(again.primaryAccountIdentifier == pass.primaryAccountIdentifier)
        #expect(host.passes().map(\.passActivationState) == [.activated])
    }

    @Test("The issuer's server knows the name of a card that it has replaced")
    func replacedName() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        let new = try number(2)
        desk.issuer.replaceNumber(ofCard: "visa-a", by: new)
        try desk.server.replaceAccount(of: card(of: pass), by: new)
        let token = try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        let card = try #require(try desk.issuer.cards(accessToken: token).first)
        #expect(card.suffix == "0135")
        #expect(card.primaryAccountIdentifier == pass.primaryAccountIdentifier)
    }

    @Test("A replaced card is replaced on phone and watch")
    func replacedOnBoth() async throws {
        let desk = try ProvisioningDesk(.green)
        desk.watch.isPaired = true
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        try host.add(desk.plastic(), cardholderName: "A", toWatch: true)
        try desk.server.replaceAccount(of: card(of: pass), by: number(2))
        desk.push.deliver(to: host)
        for isOnWatch in [false, true] {
            #expect(
                host.passes(onWatch: isOnWatch).map(\.primaryAccountNumberSuffix) == ["0135"]
            )
        }
        desk.bank[try number(0)]?.status = .lost
        for device in [desk.phone, desk.watchDevice] {
            #expect(try await desk.pay(device).report?.result == .approvedOnline)
        }
    }

    @Test("A token is not moved to an account that has one on the device, or is none")
    func refusedReplacements() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        try host.add(desk.plastic(2), cardholderName: "B")
        let unknown = try #require(PrimaryAccountNumber(text: "4761739001010242"))
        let reason = "the account has a card in a wallet already, or is none that pays"
        for number in [try number(2), unknown] {
            #expect(throws: ProvisioningError.refused(.tokenService, reason: reason)) {
                try desk.server.replaceAccount(of: card(of: pass), by: number)
            }
        }
        let nobody = DigitalCard.ID(rawValue: "nobody")
        #expect(throws: ProvisioningError.refused(.tokenService, reason: "unknownCard")) {
            try desk.server.replaceAccount(of: nobody, by: number(1))
        }
        let day = try #require(TransactionDate(text: "2031-12-31"))
        #expect(throws: ProvisioningError.refused(.tokenService, reason: "unknownCard")) {
            try desk.server.renew(nobody, until: day)
        }
        // The cards' profile begins with 2024.
        let early = try #require(TransactionDate(text: "2023-12-31"))
        #expect(
            throws: ProvisioningError.refused(
                .tokenService,
                reason: "the card begins after 2023-12-31"
            )
        ) { try desk.server.renew(card(of: pass), until: early) }
        try desk.server.setState(.retired, of: card(of: pass))
        #expect(throws: ProvisioningError.refused(.tokenService, reason: "unknownCard")) {
            try desk.server.renew(card(of: pass), until: day)
        }
        #expect(throws: ProvisioningError.refused(.tokenService, reason: "unknownCard")) {
            try desk.server.revokeKeys(of: card(of: pass))
        }
    }

    @Test("A renewed card pays after the day it was good for before")
    func renewal() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
        // The terminals' day is 2026-11-30.
        let past = try #require(TransactionDate(text: "2026-10-31"))
        let future = try #require(TransactionDate(text: "2027-01-31"))
        try desk.server.renew(card(of: pass), until: past)
        desk.push.deliver(to: host)
        #expect(try desk.phone.wallet.cards.map { $0.contents?.lastDay } == [past])
        #expect(try await desk.pay(desk.phone).report?.result != .approvedOnline)
        try desk.server.renew(card(of: pass), until: future)
        // Before the device has heard of it, it shows the old day.
        #expect(try desk.phone.wallet.cards.map { $0.contents?.lastDay } == [past])
        desk.push.deliver(to: host)
        #expect(try desk.phone.wallet.cards.map { $0.contents?.lastDay } == [future])
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("Keys that were revoked pay nothing, even before the device hears of it")
    func revokedKeys() async throws {
        for index in [0, 1] {
            let desk = try ProvisioningDesk(.green)
            let host = desk.makeHost()
            let pass = try host.add(desk.plastic(index), cardholderName: "A")
            #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
            try desk.server.revokeKeys(of: card(of: pass))
            #expect(try await desk.pay(desk.phone).report?.result == .declinedOnline)
            desk.push.deliver(to: host)
            #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
        }
    }

    @Test("A server that is made anew numbers its events above those of the one before")
    func newServer() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        // The first one was delayed by an hour, the others all start in the same second.
        desk.date.advance(by: 3_600)
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        try desk.server.setState(.suspended, of: card(of: pass))
        desk.push.deliver(to: host)
        desk.date.advance(by: -3_600)
        for state in [DigitalCard.State.active, .suspended, .active] {
            let server = SimulatedApplePayServer(
                desk.simulation,
                identity: desk.identity,
                tokens: desk.tokens,
                issuer: desk.issuer,
                push: desk.push,
                now: { [date = desk.date] in date.now }
            )
            try server.setState(state, of: card(of: pass))
            desk.push.deliver(to: host)
            #expect(desk.push.waiting.isEmpty)
            #expect(
                host.passes().map(\.passActivationState)
                    == [state == .active ? .activated : .suspended]
            )
        }
    }

    @Test("Each change is applied once, however often and in whatever order it comes")
    func anyOrder() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        let id = card(of: pass)
        try desk.server.setState(.suspended, of: id)
        try desk.server.replaceAccount(of: id, by: number(2))
        for day in ["2031-12-31", "2033-12-31", "2032-12-31"] {
            try desk.server.renew(id, until: #require(TransactionDate(text: day)))
        }
        try desk.server.setState(.active, of: id)
        try desk.server.replaceAccount(of: id, by: number(0))
        let events = desk.push.waiting
        #expect(events.count == 8)
        desk.push.deliver(events.reversed() + events, to: host)
        #expect(desk.push.waiting.isEmpty)
        let now = try #require(host.passes().first)
        #expect(now.passActivationState == .activated)
        #expect(now.primaryAccountNumberSuffix == "0036")
        let lastDay = try #require(TransactionDate(text: "2032-12-31"))
        #expect(try desk.phone.wallet.cards.map { $0.contents?.lastDay } == [lastDay])
        // Of each subject the newest came first, and nothing was done after it.
        let changes = desk.simulation.exchanges.filter { $0.name == "changePass" }
        #expect(changes.map(\.detail) == ["account …0036", "activated", "2032-12-31"])
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("A process that ends between two steps of a change loses nothing of it")
    func processEnds() async throws {
        for count in 0..<60 {
            let desk = try ProvisioningDesk(.green)
            var host = desk.makeHost()
            let pass = try host.add(desk.plastic(), cardholderName: "A")
            let id = card(of: pass)
            try desk.server.setState(.suspended, of: id)
            try desk.server.renew(id, until: #require(TransactionDate(text: "2033-12-31")))
            try desk.server.revokeKeys(of: id)
            try desk.server.setState(.active, of: id)
            try desk.server.replaceAccount(of: id, by: number(2))
            desk.simulation.endProcess(afterSteps: count)
            desk.push.deliver(to: host)
            let isWhole = desk.push.waiting.isEmpty
            desk.simulation.restart()
            host = desk.makeHost()
            desk.push.deliver(to: host)
            #expect(desk.push.waiting.isEmpty)
            #expect(host.passes().map(\.passActivationState) == [.activated], "\(count) steps")
            #expect(host.passes().map(\.primaryAccountNumberSuffix) == ["0135"])
            let token = try #require(desk.tokens.token(of: id))
            #expect(try desk.phone.wallet.cards.map { $0.contents?.lastDay } == [token.lastDay])
            #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
            if isWhole {
                #expect(count > 15)
                return
            }
        }
        Issue.record("the events never came to their end")
    }
}
