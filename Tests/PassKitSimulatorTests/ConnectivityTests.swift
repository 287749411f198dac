import NFCWallet
import PassKitSimulator
import Testing
import VirtualPOS

@Suite("The network between device and servers", .timeLimit(.minutes(5)))
struct ConnectivityTests {
    private func card(of pass: PKSecureElementPass) -> DigitalCard.ID {
        DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
    }

    @Test("At each call to a server it is slow, refuses, fails or loses the answer")
    func everyCall() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = try SheetApp(desk.makeApp(host))
        for (call, party) in [
            ("challenge", Party.applePayServer), ("encryptPass", .issuerServer),
            ("checkCard", .applePayServer), ("linkAndProvision", .applePayServer),
        ] {
            for (behaviour, error) in [
                (.refuse("a wall"), .refused(.connectivity, reason: "a wall")),
                (
                    .fail(status: 503, message: "Proxy"),
                    .server(.connectivity, status: 503, message: "Proxy")
                ),
                (.unreachable, .unreachable(party)), (.loseAnswer, .unreachable(party)),
            ] as [(Behaviour, ProvisioningError)] {
                desk.simulation.script(.connectivity, call, behaviour)
                try await app.add(host)
                // The app tells Wallet nothing of why it has no request.
                let expected = party == .issuerServer ? .request(.incomplete) : error
                #expect(app.error?.cause == expected, "\(call) \(behaviour)")
                #expect(host.passes().isEmpty)
                #expect(try desk.phone.wallet.cards.isEmpty)
                let told = desk.simulation.exchanges.last { $0.name == call }
                #expect(told?.error == error)
            }
        }
        let start = desk.clock.now
        desk.simulation.script(.connectivity, "checkCard", .delay(.seconds(7)))
        try await app.add(host)
        #expect(desk.clock.now - start == .seconds(7))
        #expect(app.pass?.passActivationState == .activated)
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("A lost answer inside the device leaves no card without a pass, and none half added")
    func lostInside() async throws {
        for colour in [DigitizationDecision.Colour.green, .yellow] {
            let desk = try ProvisioningDesk(colour)
            let host = desk.makeHost()
            for (party, call) in [(Party.secureElement, "install"), (.wallet, "addPass")] {
                desk.simulation.script(party, call, .loseAnswer)
                #expect(throws: ProvisioningError.unreachable(party)) {
                    try host.add(desk.plastic(), cardholderName: "A")
                }
                #expect(host.passes().isEmpty)
                #expect(try desk.phone.wallet.cards.isEmpty)
            }
            // A card that cannot be removed again keeps its pass.
            desk.simulation.script(.secureElement, "install", .loseAnswer)
            desk.simulation.script(.secureElement, "remove", .unreachable)
            #expect(throws: ProvisioningError.unreachable(.secureElement)) {
                try host.add(desk.plastic(), cardholderName: "A")
            }
            #expect(try desk.phone.wallet.cards.count == 1)
            let pass = try #require(desk.makeHost().passes().first)
            if colour == .yellow {
                try host.sendCode(for: pass, by: .otpBySMS)
                try host.activate(pass, code: try #require(desk.post.last))
            }
            #expect(host.passes().map(\.passActivationState) == [.activated])
            #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
        }
    }

    @Test("Without the network a card is there without keys, and gets them later")
    func keys() async throws {
        let desk = try ProvisioningDesk(.yellow)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        try host.sendCode(for: pass, by: .otpBySMS)
        desk.simulation.script(.connectivity, "replenish", .unreachable)
        try host.activate(pass, code: try #require(desk.post.last))
        #expect(host.passes().map(\.passActivationState) == [.activated])
        #expect(try await desk.pay(desk.phone).error == .noPaymentKeys)
        desk.connectivity.isOnline = false
        host.enterForeground()
        #expect(try desk.phone.wallet.paymentCount(of: card(of: pass)) == 0)
        desk.connectivity.isOnline = true
        host.enterForeground()
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("A card whose activation was not answered is activated by the push")
    func lostActivation() async throws {
        let desk = try ProvisioningDesk(.yellow)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        desk.push.deliver(to: host)
        try host.sendCode(for: pass, by: .otpBySMS)
        desk.simulation.script(.connectivity, "activate", .loseAnswer)
        #expect(throws: ProvisioningError.unreachable(.applePayServer)) {
            try host.activate(pass, code: try #require(desk.post.last))
        }
        #expect(host.passes().map(\.passActivationState) == [.requiresActivation])
        #expect(try await desk.pay(desk.phone).error == .cardNotActive)
        desk.push.deliver(to: host)
        #expect(host.passes().map(\.passActivationState) == [.activated])
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("A push whose receipt is lost comes again and changes nothing")
    func lostReceipt() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        desk.push.deliver(to: host)
        for (state, expected) in [
            (DigitalCard.State.suspended, PKSecureElementPass.PassActivationState.suspended),
            (.active, .activated),
        ] {
            try desk.server.setState(state, of: card(of: pass))
            for party in [Party.push, .connectivity] {
                let call = party == .push ? "deliver" : desk.push.waiting[0].change.name
                desk.simulation.script(party, call, .loseAnswer)
                desk.push.deliver(to: host)
                #expect(desk.push.waiting.count == 1)
                #expect(host.passes().map(\.passActivationState) == [expected])
            }
            let count = desk.simulation.exchanges.count { $0.name == "changePass" }
            desk.push.deliver(to: host)
            #expect(desk.push.waiting.isEmpty)
            #expect(desk.simulation.exchanges.count { $0.name == "changePass" } == count)
        }
    }

    @Test("What was put down for a call that has not come is counted")
    func unused() throws {
        let desk = try ProvisioningDesk(.green)
        desk.simulation.script(.applePayServer, "checkCard", .refuse("a"), .refuse("b"))
        #expect(desk.simulation.scriptedCount(.applePayServer, "checkCard") == 2)
        _ = try? desk.makeHost().add(desk.plastic(), cardholderName: "A")
        #expect(desk.simulation.scriptedCount(.applePayServer, "checkCard") == 1)
        #expect(desk.simulation.scriptedCount(.applePayServer, "challenge") == 0)
    }
}
