import Foundation
import NFCWallet
import PassKitSimulator
import Testing
import VirtualPOS

@Suite("An app written against PassKit alone", .timeLimit(.minutes(5)))
struct TalkTests {
    private func start() throws -> (ProvisioningDesk, SimulatedWalletHost, TalkBackend) {
        let desk = try ProvisioningDesk(.yellow)
        let token = try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        return (desk, desk.makeHost(), TalkBackend(server: desk.issuer, token: token))
    }

    @Test("In-app provisioning, and what the app shows at each state")
    func inApp() async throws {
        let (desk, host, backend) = try start()
        let process = desk.makeApp(host)
        let app = TalkApp(backend)
        var card = try #require(backend.card)
        #expect(process.run { app.states(card) == (nil, nil) && app.canAdd(card) })
        #expect(app.showsButton(nil))
        let sheet = try #require(process.run { app.makeSheet(card) })
        // Outside of an app there is no sheet.
        #expect(app.makeSheet(card) == nil)
        #expect(sheet.requestConfiguration.cardDetails.map(\.label) == ["Kind"])
        await host.present(sheet, of: process)
        let pass = try #require(app.pass)
        #expect(app.error == nil && pass.passActivationState == .requiresActivation)
        card = try #require(backend.card)
        func state() -> PKSecureElementPass.PassActivationState? {
            process.run { app.states(card).phone }
        }
        #expect(state() == .requiresActivation && app.showsButton(state()))
        #expect(process.run { !app.canAdd(card) })
        try host.sendCode(for: pass, by: .otpBySMS)
        try host.activate(pass, code: try #require(desk.post.last))
        #expect(state() == .activated && !app.showsButton(state()))
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)

        desk.watch.isPaired = true
        #expect(process.run { app.canAdd(card) && app.states(card).watch == nil })
        let second = try #require(process.run { app.makeSheet(card) })
        await host.present(second, of: process, toWatch: true)
        #expect(process.run { app.states(card).watch } == .requiresActivation)
        await host.present(second, of: process)
        #expect(app.pass == nil)
        #expect((app.error as? PKAddPaymentPassError)?.code == .unsupported)
    }

    @Test("The Wallet extension")
    func walletExtension() async throws {
        let (desk, host, backend) = try start()
        desk.watch.isPaired = true
        let application = IssuerApplication(
            bundleIdentifier: ProvisioningDesk.app,
            entitlements: Entitlements(),
            issuerServer: desk.issuer,
            makeHandler: { TalkHandler(backend) },
            makeAuthorization: { TalkAuthorization() },
            useAuthorization: { ($0 as? TalkAuthorization)?.authenticate() }
        )
        let discovery = await host.discover(application)
        #expect(discovery.isShown && discovery.requiresAuthentication)
        #expect(try await host.add(from: application).isRemotePass == false)
        // The card is on the phone now, whatever the extension offers.
        #expect(try await host.add(from: application).isRemotePass)
        await #expect(throws: ProvisioningError.alreadyOnDevice) {
            try await host.add(from: application)
        }
    }
}
