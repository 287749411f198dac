import EMVData
import Foundation
import NFCWallet
import PassKitSimulator
import SecureStore
import TestSupport
import Testing
import TokenService
import VirtualPOS

@Suite("Whatever happens, in whatever order", .timeLimit(.minutes(5)))
struct PropertyTests {
    @Test(
        "The process ends between any two steps, with everything in files",
        arguments: Route.allCases
    )
    func processEnds(_ route: Route) async throws {
        let folder = URL.temporaryDirectory.appending(path: "tapwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let colours: [DigitizationDecision.Colour] =
            switch route {
            case .manual: [.yellow]
            case .inApp: [.green, .yellow]
            case .walletExtension: [.green]
            }
        for colour in colours {
            var count = 0
            var isBroken = true
            while isBroken {
                let name = folder.appending(path: "\(colour)-\(count)").path
                func open() throws -> ProvisioningDesk.Storage {
                    let wallet = try WalletStore(path: name)
                    return ProvisioningDesk.Storage(
                        keys: wallet,
                        records: wallet,
                        passes: try StoredPassRecords(path: name + ".passes"),
                        tokens: try StoredTokenRecords(path: name + ".bank")
                    )
                }
                let desk = try ProvisioningDesk(colour, stores: open())
                desk.simulation.endProcess(afterSteps: count)
                let made = await add(route, 0, desk, desk.makeHost())
                isBroken = made == nil
                desk.simulation.restart()

                // The phone starts again with what is in its files.
                let phone = desk.makePhone(try open())
                let host = desk.makeHost(phone)
                try check(desk, host, phone, 0)
                var pass = host.passes().first { $0.passActivationState != .deactivated }
                if pass == nil { pass = await add(route, 0, desk, host) }
                let now = try #require(pass, "\(route) \(colour) after \(count) steps")
                if now.passActivationState == .requiresActivation {
                    try host.sendCode(for: now, by: .otpBySMS)
                    try host.activate(now, code: try #require(desk.post.last))
                }
                try check(desk, host, phone, -1)
                let payment = try await desk.pay(phone)
                #expect(payment.report?.result == .approvedOnline, "after \(count) steps")
                // Nor are they in the files.
                #expect(desk.secrets.keyCount > 0)
                for file in ["", "-wal", ".passes", ".passes-wal", ".bank", ".bank-wal"] {
                    let bytes = FileManager.default.contents(atPath: name + file) ?? Data()
                    #expect(desk.secrets.found(in: bytes) == [], "\(file) after \(count) steps")
                }
                count += 1
            }
            #expect(count > 10)
        }
    }

    /// Adds a card on one of the routes; nil when that fails.
    private func add(
        _ route: Route,
        _ index: Int,
        _ desk: ProvisioningDesk,
        _ host: SimulatedWalletHost,
        toWatch: Bool = false
    ) async -> PKSecureElementPass? {
        switch route {
        case .manual:
            return try? host.add(desk.plastic(index), cardholderName: "A", toWatch: toWatch)
        case .inApp:
            guard let app = try? SheetApp(desk.makeApp(host), index) else { return nil }
            try? await app.add(host, toWatch: toWatch)
            return app.pass
        case .walletExtension:
            let app = GuideApp(desk, host)
            app.startWithManyIssuers()
            var installed = app.installed
            installed.useAuthorization = {
                ($0 as? IntentViewController)?.authMultiIssuerButtonTouched()
            }
            var user = WalletUser()
            user.choose = { offers in
                offers.first {
                    $0.identifier == ProvisioningDesk.cards[index].0 && $0.isForWatch == toWatch
                }
            }
            return try? await host.add(from: installed, user: user)
        }
    }

    @Test("Random orders of everything", arguments: 0..<6)
    func randomOrders(_ run: Int) async throws {
        var generator = SeededGenerator()
        let seed = "\(generator)"
        let desk = try ProvisioningDesk()
        var host = desk.makeHost()
        var passCount = 0
        // Mostly 60 steps; where they add no card by chance, as many as it takes.
        for step in 0..<600 where step < 60 || passCount == 0 {
            let place = step
            desk.issuer.decision = [.green, .yellow, .orange, .red].randomElement(using: &generator)
            let all = host.passes() + host.passes(onWatch: true)
            let pass = all.randomElement(using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                desk.simulation.endProcess(afterSteps: Int.random(in: 0..<25, using: &generator))
            }
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...3:
                let isRed = desk.issuer.decision == .red
                let before = tokenCount(desk)
                let route = Route.allCases.randomElement(using: &generator) ?? .manual
                let made = await add(
                    route,
                    Int.random(in: 0..<3, using: &generator),
                    desk,
                    host,
                    toWatch: Bool.random(using: &generator)
                )
                if made != nil { passCount += 1 }
                if isRed {
                    #expect(made == nil && tokenCount(desk) <= before, "\(seed), step \(place)")
                }
            case 4:
                if let pass, let method = host.activationMethods(of: pass).first,
                    pass.passActivationState == .requiresActivation
                {
                    try? host.sendCode(for: pass, by: method)
                    let code = method == .customerService ? "" : desk.post.last ?? ""
                    try? host.activate(pass, code: Bool.random(using: &generator) ? code : "no")
                }
            case 5, 6:
                guard let pass else { continue }
                let card = DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
                switch desk.tokens.token(of: card)?.status {
                case .active:
                    try? desk.server.setState(
                        Int.random(in: 0..<4, using: &generator) == 0 ? .retired : .suspended,
                        of: card
                    )
                case .suspended: try? desk.server.setState(.active, of: card)
                case .inactive where Bool.random(using: &generator):
                    try? desk.server.setState(.retired, of: card)
                default: break
                }
                try? desk.server.revokeKeys(of: card)
                if Int.random(in: 0..<3, using: &generator) == 0,
                    let number = PrimaryAccountNumber(
                        text: ProvisioningDesk.cards[Int.random(in: 0..<3, using: &generator)].3
                    )
                {
                    try? desk.server.replaceAccount(of: card, by: number)
                }
                if let date = TransactionDate(text: "\(2_030 + step % 9)-12-31") {
                    try? desk.server.renew(card, until: date)
                }
            case 7: desk.push.deliver(to: host, shuffledBy: &generator)
            case 8: host.enterForeground()
            case 9: desk.watch.isPaired.toggle()
            case 10 where Bool.random(using: &generator):
                // On the way of a card into the secure element.
                let (party, call) =
                    [
                        (Party.secureElement, "install"), (.secureElement, "remove"),
                        (.secureElement, "activate"), (.wallet, "addPass"),
                    ].randomElement(using: &generator) ?? (.wallet, "")
                desk.simulation.script(
                    party,
                    call,
                    [.loseAnswer, .unreachable].randomElement(using: &generator) ?? .loseAnswer
                )
            case 10:
                desk.simulation.script(
                    Party.allCases.randomElement(using: &generator) ?? .wallet,
                    [
                        "cards", "checkCard", "digitize", "encryptPass", "install", "activate",
                        "linkAndProvision", "replenish", "changeCard", "changePass", "deliver",
                    ].randomElement(using: &generator) ?? "",
                    [.fail(status: 500, message: "Broken"), .loseAnswer]
                        .randomElement(using: &generator) ?? .unreachable
                )
            default: desk.connectivity.isOnline = Int.random(in: 0..<4, using: &generator) > 0
            }
            desk.simulation.restart()
            if Bool.random(using: &generator) { host = desk.makeHost() }
            try check(desk, host, desk.phone, place, seed)
        }
        #expect(passCount > 0, "\(seed)")
        // In the end everything arrives, and devices and token service agree.
        desk.watch.isPaired = true
        desk.connectivity.isOnline = true
        for _ in 0..<40 {
            host = desk.makeHost()
            desk.push.deliver(to: host, shuffledBy: &generator)
        }
        for pass in host.passes() + host.passes(onWatch: true) {
            let card = DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
            let status = desk.tokens.token(of: card)?.status
            let expected: PKSecureElementPass.PassActivationState? =
                switch status {
                case .active: .activated
                case .inactive: .requiresActivation
                case .suspended: .suspended
                case .deleted: .deactivated
                case nil: nil
                }
            #expect(pass.passActivationState == expected, "\(seed)")
        }
        // What was renewed is good until the same day on the device as at the token service.
        for card in try desk.phone.wallet.cards + desk.watchDevice.wallet.cards {
            let token = desk.tokens.token(of: card.id)
            #expect(card.contents?.lastDay == token?.lastDay, "\(seed)")
            let status: Token.Status? =
                switch card.state {
                case .active: .active
                case .inactive: .inactive
                case .suspended: .suspended
                case .retired, .unknown: nil
                }
            #expect(token?.status == status, "\(seed)")
        }
        try check(desk, host, desk.phone, -1, seed)
    }

    private func tokenCount(_ desk: ProvisioningDesk) -> Int {
        ProvisioningDesk.cards.reduce(0) { count, card in
            let number = PrimaryAccountNumber(text: card.3)
            return count
                + ["iPhone", "Apple Watch"].count { device in
                    number.flatMap {
                        desk.tokens.token(
                            standingFor: $0,
                            on: DeviceIdentifier(rawValue: device)
                        )
                    } != nil
                }
        }
    }

    /// What must hold at any time.
    private func check(
        _ desk: ProvisioningDesk,
        _ host: SimulatedWalletHost,
        _ phone: ProvisioningDesk.Device,
        _ step: Int,
        _ seed: String = ""
    ) throws {
        let place: Comment = "\(seed), step \(step)"
        for (isShown, passes, wallet) in [
            (true, host.passes(), phone.wallet),
            (
                host.hasReachableWatch, host.passes(onWatch: true), desk.watchDevice.wallet
            ),
        ] {
            let live = passes.filter { $0.passActivationState != .deactivated }
            let accounts = live.map(\.primaryAccountIdentifier)
            #expect(Set(accounts).count == accounts.count, place)
            let cards = try wallet.cards
            for card in cards where isShown {
                #expect(
                    live.contains { $0.deviceAccountIdentifier == card.id.rawValue },
                    place
                )
            }
            for card in cards where card.state == .inactive {
                #expect(try wallet.paymentCount(of: card.id) == 0, place)
            }
            for pass in live where pass.passActivationState == .activated {
                let card = cards.first { $0.id.rawValue == pass.deviceAccountIdentifier }
                #expect(card?.state == .active, place)
            }
            if let id = try wallet.defaultCard { #expect(cards.contains { $0.id == id }, place) }
        }
        // Nobody's number, token or key is in what is shared or told; looked for at the end, since it takes long.
        guard step < 0 else { return }
        for card in ProvisioningDesk.cards { desk.secrets.note(card.3) }
        for card in try phone.wallet.cards + desk.watchDevice.wallet.cards {
            desk.secrets.note(try #require(card.contents?.number.text))
        }
        // How an access token begins.
        desk.secrets.note("eyJ")
        var told = Data(
            (desk.simulation.exchanges.map { "\($0)" }.joined() + "\(host.passes())"
                + "\(host.passes(onWatch: true))" + "\(desk.push.waiting)").utf8
        )
        told += desk.storage.containerDump
        #expect(desk.secrets.found(in: told) == [], place)
    }

    @Test("The search finds what it looks for, in each form")
    func plantedSecrets() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        try host.add(desk.plastic(), cardholderName: "A")
        #expect(desk.secrets.keyCount == 1)
        let key = try #require(desk.secrets.anyKey)
        let container = try #require(
            AppGroupContainer(groupID: ProvisioningDesk.group, of: desk.makeApp(host))
        )
        for (form, text) in Secrets.forms(key) {
            container.write(Data("before ".utf8) + text + Data(" after".utf8), to: "planted")
            #expect(desk.secrets.found(in: desk.storage.containerDump) == ["a key, \(form)"])
        }
        container.write(Data(ProvisioningDesk.cards[0].3.utf8), to: "planted")
        #expect(desk.secrets.found(in: desk.storage.containerDump).isEmpty)
        desk.secrets.note(ProvisioningDesk.cards[0].3)
        #expect(desk.secrets.found(in: desk.storage.containerDump) == ["a number"])
        let packed: [UInt8] = [0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x00, 0x36]
        container.write(Data([0x57, 0x08] + packed), to: "planted")
        #expect(desk.secrets.found(in: desk.storage.containerDump) == ["a number, packed"])
    }
}
