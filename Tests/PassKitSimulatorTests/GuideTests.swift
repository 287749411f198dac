import D1
import Foundation
import NFCWallet
import PassKitSimulator
import Synchronization
import Testing
import VirtualPOS

@Suite("The SDK of the Wallet extension", .timeLimit(.minutes(5)))
struct GuideTests {
    @Test("Several issuers: one token for each, and each card is offered")
    func manyIssuers() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.startWithManyIssuers()
        #expect(app.configurationErrors.isEmpty)
        var installed = app.installed
        installed.useAuthorization = {
            ($0 as? IntentViewController)?.authMultiIssuerButtonTouched()
        }
        let titles = Mutex<[String]>([])
        var user = WalletUser()
        user.choose = { offers in
            titles.withLock { $0 = offers.map(\.title) }
            return offers.first { $0.identifier == "mc-b" }
        }
        let pass = try await host.add(from: installed, user: user)
        #expect(pass.localizedName == "Card of Bob")
        #expect(
            titles.withLock { $0 }.sorted() == [
                "Card of Alice", "Card of Bob", "Second card of Bob",
            ]
        )
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
        // The next time nobody is asked who he is, and the card is not among those offered.
        #expect(await host.discover(installed).requiresAuthentication == false)
        _ = try await host.add(
            from: installed,
            user: {
                var user = WalletUser()
                user.choose = { offers in
                    titles.withLock { $0 = offers.map(\.title) }
                    return offers.first
                }
                return user
            }()
        )
        #expect(titles.withLock { $0 }.sorted() == ["Card of Alice", "Second card of Bob"])
        #expect(app.errors.errors.isEmpty)
    }

    @Test("Login overwrites the tokens, and refuses what is none")
    func login() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        let token = try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        let view = IntentViewController()
        for (given, isGood) in [(token, true), (token.dropLast(40), true), (Data(), false)] {
            var one: Data? = given
            var many = [given]
            app.process.run {
                view.login(&one) { #expect(($0 == nil) == isGood) }
                view.login(&many) { #expect(($0 == nil) == isGood) }
            }
            #expect(one == nil && many.isEmpty)
        }
        let foreign = try desk.issuer.logIn(consumerID: "bob", issuerID: "issuer-2")
        var tokens = [foreign]
        app.process.run {
            view.login(&tokens) { #expect($0?.kind == .invalidAccessToken) }
        }
        // Outside of any process there is no group at all.
        var lost: Data? = token
        view.login(&lost) { #expect($0?.kind == .walletExtensionAppGroupIDNotFound) }
    }

    @Test("The app does not belong to the group")
    func invalidGroup() throws {
        let desk = try ProvisioningDesk()
        let app = GuideApp(desk, desk.makeHost(), group: "group.com.example.other")
        app.start()
        #expect(app.configurationErrors.map(\.kind) == [.invalidAppGroupID])
        app.startWithManyIssuers()
        #expect(app.configurationErrors.map(\.kind) == [.invalidAppGroupID, .invalidAppGroupID])
    }

    @Test(
        "status: the extension lacks the group, or the app has put down nothing",
        arguments: [
            true, false,
        ]
    )
    func statusError(_ isConfigured: Bool) async throws {
        let desk = try ProvisioningDesk()
        let host = desk.makeHost()
        let app = GuideApp(
            desk,
            host,
            extensionGroups: isConfigured ? [] : [ProvisioningDesk.group]
        )
        if isConfigured { app.start() }
        #expect(await host.discover(app.installed).isShown == false)
        let error = try #require(app.errors.errors.first)
        #expect(error.code == 20_009 && error.kind == .walletExtensionAppGroupIDNotFound)
        #expect(error.cause == .storage(-25_300))
        #expect(
            error.localizedDescription.hasPrefix("Error in status API. Cause: [2](-25300) ")
        )
        #expect(error.localizedDescription.contains("Error: [20009]"))
    }

    @Test("The server refuses: passEntries, remotePassEntries, generate")
    func serverErrors() async throws {
        for (call, name, message, count) in [
            ("cards", "passEntries", "Server error", 1),
            ("cards", "remotePassEntries", "Server error", 2),
            ("encryptPass", "generate", "911. Operation failed .1", 1),
        ] {
            let desk = try ProvisioningDesk(.green)
            desk.watch.isPaired = name == "remotePassEntries"
            let host = desk.makeHost()
            let app = GuideApp(desk, host)
            app.start()
            for _ in 1..<count { desk.simulation.script(.issuerServer, call, .delay(.zero)) }
            desk.simulation.script(
                .issuerServer,
                call,
                .fail(status: 400, message: message)
            )
            _ = try? await host.add(from: app.installed)
            let error = try #require(app.errors.errors.first)
            #expect(error.api == name && error.code == 40_001)
            #expect(error.cause == .server(status: 400, message: message))
            let text = error.localizedDescription
            #expect(text.hasPrefix("Error in \(name) API. Cause: [3]"))
            #expect(text.contains("400") && text.contains("'\(message)'"))
            #expect(text.contains("Error: [40001]"))
        }
    }

    @Test("With last4 user B is not taken for user A; without it he is")
    func sharedDevice() async throws {
        for (last4, isShown) in [("0135", true), (nil, false)] as [(String?, Bool)] {
            let desk = try ProvisioningDesk(.green)
            let host = desk.makeHost()
            let app = GuideApp(desk, host)
            app.start()
            _ = try await host.add(from: app.installed)
            #expect(await host.discover(app.installed).isShown == false)
            // Bob logs in on Alice's phone.
            app.start(consumer: "bob", last4: last4)
            #expect(await host.discover(app.installed).isShown == isShown)
        }
    }

    @Test("status takes too long: the app is not shown; a late answer changes nothing")
    func lateStatus() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        for (delay, isLate) in [(99, false), (100, true), (5_000, true), (0, false)] {
            desk.simulation.script(
                .handlerExtension,
                "status",
                .delay(.milliseconds(delay))
            )
            let discovery = await host.discover(app.installed)
            #expect(discovery.isLate == isLate && discovery.isShown == !isLate)
            #expect(discovery.duration >= .milliseconds(min(delay, 100)))
        }
        desk.simulation.script(.handlerExtension, "passEntries", .delay(.seconds(20)))
        await #expect(
            throws: ProvisioningError.timedOut(
                .handlerExtension,
                call: "passEntries",
                limit: .seconds(20)
            )
        ) { try await host.add(from: app.installed) }
        desk.simulation.script(
            .handlerExtension,
            "generateAddPaymentPassRequest",
            .delay(.seconds(21))
        )
        await #expect(
            throws: ProvisioningError.timedOut(
                .handlerExtension,
                call: "generateAddPaymentPassRequest",
                limit: .seconds(20)
            )
        ) { try await host.add(from: app.installed) }
        #expect(host.passes().isEmpty)
        #expect(try await host.add(from: app.installed).passActivationState == .activated)
    }

    @Test("An empty handler, as in the guide, serves Wallet")
    func plainHandler() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        var installed = app.installed
        installed.makeHandler = { PlainIntentHandler() }
        #expect(try await host.add(from: installed).passActivationState == .activated)
    }

    @Test(
        "Somebody else's face, or none enrolled: nothing is added",
        arguments: [
            AuthenticationResult.failed, .cancelled, .biometricNotEnrolled,
        ]
    )
    func biometrics(_ result: AuthenticationResult) async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost(authenticator: SimulatedAuthenticator(result))
        let app = GuideApp(desk, host)
        app.start()
        await #expect(throws: ProvisioningError.notAuthenticated) {
            try await host.add(from: app.installed)
        }
        #expect(!desk.simulation.exchanges.contains { $0.to == .issuerServer })
    }

    @Test("An extension that has the user cancelled adds nothing")
    func cancelled() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        desk.simulation.script(.issuerServer, "logIn", .fail(status: 401, message: "No"))
        await #expect(throws: ProvisioningError.notAuthenticated) {
            try await host.add(from: app.installed)
        }
        // What the app shares with its extensions names no account.
        #expect(host.passes().isEmpty)
        let dump = String(decoding: desk.storage.containerDump, as: UTF8.self)
        #expect(!dump.contains(ProvisioningDesk.cards[0].3))
    }
}
