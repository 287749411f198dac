import D1
import EMVData
import Foundation
import NFCWallet
import PassKitSimulator
import TestSupport
import Testing
import VirtualPOS

@Suite("Who may, who is logged in, and what fails", .timeLimit(.minutes(5)))
struct SharedDeviceTests {
    @Test("User B of the same issuer is not served with user A's access token")
    func otherUser() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        _ = try await host.add(from: app.installed)
        #expect(await host.discover(app.installed).requiresAuthentication == false)

        app.start(consumer: "bob", last4: "0135")
        let discovery = await host.discover(app.installed)
        #expect(discovery.isShown && discovery.requiresAuthentication)
        // Nor is A logged in when A comes back.
        app.start(last4: "0042")
        #expect(await host.discover(app.installed).requiresAuthentication)
    }

    @Test("The issuer's server shows a consumer his own cards")
    func ownCards() throws {
        let desk = try ProvisioningDesk()
        for (consumer, cards) in [("alice", ["visa-a"]), ("bob", ["visa-b"])] {
            let token = try desk.issuer.logIn(consumerID: consumer, issuerID: "issuer-1")
            #expect(try desk.issuer.cards(accessToken: token).map(\.cardID) == cards)
        }
        let token = try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        let challenge = desk.server.challenge(.ECC_V2, for: desk.phone.device.identifier)
        #expect(
            throws: ProvisioningError.server(.issuerServer, status: 404, message: "Unknown card")
        ) {
            try desk.issuer.encryptPass("visa-b", for: challenge, accessToken: token)
        }
    }

    @Test("An access token that has expired is dropped: the next status asks for a login")
    func expiredToken() async throws {
        let desk = try ProvisioningDesk(.yellow)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        var user = WalletUser()
        user.choose = { _ in nil }
        _ = try? await host.add(from: app.installed, user: user)
        #expect(await host.discover(app.installed).requiresAuthentication == false)
        desk.date.advance(by: 5 * 60)
        _ = try? await host.add(from: app.installed)
        #expect(
            app.errors.errors.map(\.cause) == [
                .server(status: 401, message: "Access token not accepted")
            ]
        )
        #expect(await host.discover(app.installed).requiresAuthentication)
        #expect(try await host.add(from: app.installed).passActivationState == .requiresActivation)
    }

    @Test("Both extensions need the entitlement", arguments: [true, false])
    func entitlement(_ isHandler: Bool) async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        var installed = app.installed
        if isHandler {
            installed.extensionEntitlements.mayProvisionPasses = false
        } else {
            installed.authorizationEntitlements.mayProvisionPasses = false
        }
        #expect(await host.discover(installed).isShown != isHandler)
        await #expect(throws: ProvisioningError.missingEntitlement) {
            try await host.add(from: installed)
        }
        #expect(host.passes().isEmpty)
    }

    @Test("A server or an extension that fails is not late, and not a refusal")
    func causes() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        desk.simulation.script(.handlerExtension, "status", .fail(status: 500, message: "Broken"))
        let discovery = await host.discover(app.installed)
        #expect(!discovery.isLate && !discovery.isShown)
        #expect(
            discovery.error == .server(.handlerExtension, status: 500, message: "Broken")
        )
        for (behaviour, error) in [
            (.fail(status: 500, message: "Broken"), .digitization(.serverError)),
            (.unreachable, .digitization(.networkError)), (.refuse("no"), .declined),
        ] as [(Behaviour, ProvisioningError)] {
            desk.simulation.script(.issuerServer, "authorizeService", behaviour)
            #expect(throws: error) { try host.add(desk.plastic(), cardholderName: "A") }
        }
        #expect(host.passes().isEmpty)
    }

    @Test("A push that is refused, fails or is slow comes again")
    func push() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        desk.push.deliver(to: host)
        try desk.server.setState(.suspended, of: card(of: pass))
        for behaviour: Behaviour in [.refuse("no"), .fail(status: 500, message: ""), .unreachable] {
            desk.simulation.script(.push, "deliver", behaviour)
            desk.push.deliver(to: host)
            #expect(desk.push.waiting.count == 1)
            #expect(host.passes().map(\.passActivationState) == [.activated])
        }
        desk.simulation.script(.push, "deliver", .delay(.seconds(5)))
        let start = desk.clock.now
        desk.push.deliver(to: host)
        #expect(desk.clock.now - start == .seconds(5))
        #expect(host.passes().map(\.passActivationState) == [.suspended])
    }

    @Test("Replacements and renewals come in any order, and the newest counts", arguments: 0..<4)
    func replacements(_ run: Int) throws {
        var generator = SeededGenerator()
        let seed: Comment = "\(generator)"
        let desk = try ProvisioningDesk(.green)
        var host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        for number in 0..<20 {
            if Bool.random(using: &generator) {
                desk.server.tell(card(of: pass), .cardReplaced(suffix: "\(1_000 + number)"))
            } else {
                let date = try #require(TransactionDate(text: "20\(30 + number)-12-31"))
                desk.server.tell(card(of: pass), .expiryRenewed(date))
            }
        }
        desk.server.tell(card(of: pass), .cardReplaced(suffix: "4242"))
        desk.server.tell(
            card(of: pass),
            .expiryRenewed(try #require(TransactionDate(text: "2027-01-31")))
        )
        while !desk.push.waiting.isEmpty {
            if Bool.random(using: &generator) {
                desk.simulation.script(.push, "deliver", .refuse("later"))
            }
            if Bool.random(using: &generator) { host = desk.makeHost() }
            desk.push.deliver(to: host, shuffledBy: &generator)
        }
        #expect(host.passes().map(\.primaryAccountNumberSuffix) == ["4242"], seed)
        let record = try #require(desk.phone.device.records.passes().first)
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        #expect(text.contains("2027-01-31"), seed)
    }

    private func card(of pass: PKSecureElementPass) -> DigitalCard.ID {
        DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
    }
}
