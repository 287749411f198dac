import Foundation
import NFCWallet
import PassKitSimulator
import Testing
import VirtualPOS

private typealias State = PKSecureElementPass.PassActivationState

@Suite("Passes", .timeLimit(.minutes(5))) struct PassTests {
    @Test("States have Apple's numbers, and change lawfully")
    func states() {
        #expect(
            [State.activated, .requiresActivation, .activating, .suspended, .deactivated]
                .map(\.rawValue) == [0, 1, 2, 3, 4]
        )
        let lawful: [State: Set<State>] = [
            .activated: [.suspended, .deactivated],
            .requiresActivation: [.activating, .deactivated],
            .activating: [.activated, .requiresActivation, .deactivated],
            .suspended: [.activated, .deactivated],
            .deactivated: [],
        ]
        for (state, nexts) in lawful {
            for next in lawful.keys { #expect(state.canBecome(next) == nexts.contains(next)) }
        }
    }

    @Test("The button for all six rows")
    func button() {
        #expect(AddToWalletButton(nil) == .add)
        #expect(AddToWalletButton(.deactivated) == .add)
        #expect(AddToWalletButton(.requiresActivation) == .finishVerification)
        #expect(AddToWalletButton(.activated) == .hidden)
        #expect(AddToWalletButton(.activating) == .hidden)
        #expect(AddToWalletButton(.suspended) == .hidden)
    }

    @Test(
        "An app sees its own passes, and none without the entitlement",
        arguments: [
            (["com.example.issuer"], true), (["com.example.*"], true), (["*"], true),
            (["com.example.issuer.handler"], false), (["com.other.*"], false), ([], false),
        ]
    )
    func ownPasses(_ associated: [String], _ isSeen: Bool) throws {
        let desk = try ProvisioningDesk(.green, associated: associated)
        let host = desk.makeHost()
        try host.add(desk.plastic(), cardholderName: "A")
        #expect(host.passes().count == 1)
        let app = desk.makeApp(host)
        #expect(PKPassLibrary(app).passes(of: .secureElement).count == (isSeen ? 1 : 0))
        #expect(app.run { PKPassLibrary().passes(of: .secureElement).count } == (isSeen ? 1 : 0))
        #expect(PKPassLibrary(app).passes(of: .barcode).isEmpty)
        let other = AppProcess(
            .issuerApp,
            bundleIdentifier: "com.example.issuer",
            entitlements: Entitlements(mayProvisionPasses: false),
            host: host,
            issuerServer: desk.issuer,
            simulation: desk.simulation
        )
        #expect(PKPassLibrary(other).passes(of: .secureElement).isEmpty)
        #expect(PKPassLibrary().passes(of: .secureElement).isEmpty)
    }

    @Test("Phone and watch: another token, the same account; none while the watch is away")
    func watch() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = try SheetApp(desk.makeApp(host))
        let library = PKPassLibrary(app.process)
        try await app.add(host, toWatch: true)
        #expect(app.error?.cause == .notPaired)
        #expect(library.remoteSecureElementPasses.isEmpty)
        try await app.add(host)
        let phonePass = try #require(app.pass)
        let identifier = phonePass.primaryAccountIdentifier
        #expect(!library.canAddSecureElementPass(primaryAccountIdentifier: identifier))

        desk.watch.isPaired = true
        #expect(library.canAddSecureElementPass(primaryAccountIdentifier: identifier))
        // The issuer knows the account's name now: the phone is not offered again.
        #expect(try app.configuration().primaryAccountIdentifier == identifier)
        try await app.add(host)
        #expect(app.error?.cause == .alreadyOnDevice)
        try await app.add(host, toWatch: true)
        let watchPass = try #require(app.pass)
        #expect(watchPass.isRemotePass && watchPass.devicePassIdentifier == nil)
        #expect(watchPass.primaryAccountIdentifier == identifier)
        #expect(watchPass.deviceAccountIdentifier != phonePass.deviceAccountIdentifier)
        #expect(watchPass.deviceAccountNumberSuffix != phonePass.deviceAccountNumberSuffix)
        #expect(library.remoteSecureElementPasses == [watchPass])
        #expect(library.passes(of: .secureElement) == [phonePass])
        #expect(!library.canAddSecureElementPass(primaryAccountIdentifier: identifier))
        #expect(try await desk.pay(desk.watchDevice).report?.result == .approvedOnline)
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)

        desk.watch.isReachable = false
        #expect(library.remoteSecureElementPasses.isEmpty)
    }

    @Test("The extension offers the watch's cards when there is a watch")
    func remoteEntries() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        app.start()
        #expect(try await host.add(from: app.installed).isRemotePass == false)
        #expect(await host.discover(app.installed).isShown == false)
        desk.watch.isPaired = true
        #expect(await host.discover(app.installed).isShown)
        #expect(try await host.add(from: app.installed).isRemotePass)
        #expect(await host.discover(app.installed).isShown == false)
    }

    @Test("Changes are told as they happen, and once more in the foreground")
    func changes() async throws {
        let desk = try ProvisioningDesk(.yellow)
        desk.watch.isPaired = true
        let host = desk.makeHost()
        let library = PKPassLibrary(desk.makeApp(host))
        var changes = library.changes.makeAsyncIterator()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        #expect(await changes.next() == .PKPassLibraryDidChange)
        try host.add(desk.plastic(1), cardholderName: "B", toWatch: true)
        #expect(await changes.next() == .PKPassLibraryRemotePaymentPassesDidChange)
        // The user proves who he is elsewhere, and comes back to the app.
        #expect(AddToWalletButton(pass.passActivationState) == .finishVerification)
        try host.sendCode(for: pass, by: .otpByEmail)
        library.activate(pass, activationData: Data(try #require(desk.post.last).utf8)) {
            #expect($0 && $1 == nil)
        }
        host.enterForeground()
        var last: PKPassLibraryNotificationName?
        while last != .didEnterForeground { last = await changes.next() }
        #expect(library.passes(of: .secureElement).map(\.passActivationState) == [.activated])
        library.activate(pass, activationData: Data()) { #expect(!$0 && $1 != nil) }
    }

    @Test("Three wrong codes, a late one, a new one")
    func codes() async throws {
        let desk = try ProvisioningDesk(.yellow)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        try host.sendCode(for: pass, by: .otpBySMS)
        for left in [2, 1, 0] {
            #expect(throws: ProvisioningError.digitization(.invalidInput(attemptsLeft: left))) {
                try host.activate(pass, code: "wrong")
            }
        }
        #expect(throws: ProvisioningError.digitization(.invalidInput(attemptsLeft: 0))) {
            try host.activate(pass, code: try #require(desk.post.last))
        }
        try host.sendCode(for: pass, by: .otpBySMS)
        desk.date.advance(by: 10 * 60)
        #expect(throws: ProvisioningError.digitization(.codeExpired)) {
            try host.activate(pass, code: try #require(desk.post.last))
        }
        #expect(host.passes().map(\.passActivationState) == [.requiresActivation])
        try host.sendCode(for: pass, by: .otpBySMS)
        desk.date.advance(by: 10 * 60 - 1)
        try host.activate(pass, code: try #require(desk.post.last))
        #expect(throws: ProvisioningError.unknownPass) { try host.activate(pass, code: "") }
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("Suspended, resumed, deleted: each once, whatever comes how often")
    func lifecycle() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        let card = DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
        func state() -> State? { host.passes().first?.passActivationState }
        desk.push.deliver(to: host)
        #expect(desk.push.waiting.isEmpty)

        try desk.server.setState(.suspended, of: card)
        let suspension = try #require(desk.push.waiting.first)
        #expect(host.receive(suspension) && host.receive(suspension))
        #expect(state() == .suspended)
        #expect(await desk.directory(desk.phone) == nil)
        #expect(try await desk.pay(desk.phone).error == .cardNotActive)

        try desk.server.setState(.active, of: card)
        desk.push.deliver(to: host)
        #expect(state() == .activated)
        #expect(await desk.directory(desk.phone)?.suffix(2) == [0x90, 0x00])
        // The suspension comes once more, late.
        #expect(host.receive(suspension))
        #expect(state() == .activated)
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)

        desk.server.tell(card, .cardReplaced(suffix: "4242"))
        desk.server.tell(card, .keysRevoked)
        desk.push.deliver(to: host)
        #expect(host.passes().first?.primaryAccountNumberSuffix == "4242")
        #expect(host.passes().first?.deviceAccountNumberSuffix == pass.deviceAccountNumberSuffix)
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)

        try desk.server.setState(.retired, of: card)
        desk.push.deliver(to: host)
        #expect(state() == .deactivated)
        #expect(await desk.directory(desk.phone) == nil)
        #expect(try desk.phone.wallet.cards.isEmpty)
        #expect(try await desk.pay(desk.phone).error == .noDefaultCard)
        #expect(AddToWalletButton(state()) == .add)
        // What is deactivated is added anew, and the old pass goes.
        try host.add(desk.plastic(), cardholderName: "A")
        #expect(host.passes().map(\.passActivationState) == [.activated])
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("A card that waits for its code is not resumed past it")
    func inactive() throws {
        let desk = try ProvisioningDesk(.yellow)
        let host = desk.makeHost()
        let pass = try host.add(desk.plastic(), cardholderName: "A")
        let card = DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
        for state in [DigitalCard.State.active, .suspended] {
            #expect(throws: ProvisioningError.self) { try desk.server.setState(state, of: card) }
        }
        desk.push.deliver(to: host)
        #expect(host.passes().map(\.passActivationState) == [.requiresActivation])
        try desk.server.setState(.retired, of: card)
        desk.push.deliver(to: host)
        #expect(host.passes().map(\.passActivationState) == [.deactivated])
    }

    @Test("What the secure element has lost is deactivated, and can be added anew")
    func wiped() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        try host.add(desk.plastic(), cardholderName: "A")
        try desk.phone.device.secureElement.wipe()
        host.enterForeground()
        #expect(host.passes().map(\.passActivationState) == [.deactivated])
        try host.add(desk.plastic(), cardholderName: "A")
        #expect(host.passes().map(\.passActivationState) == [.activated])
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("A suspension that overtakes its pass waits for it")
    func earlyEvent() throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let early = TokenLifecycleEvent(
            number: 9,
            card: DigitalCard.ID(rawValue: "not here yet"),
            change: .tokenSuspended
        )
        #expect(!host.receive(early))
        desk.push.send(early)
        desk.push.deliver(to: host)
        #expect(desk.push.waiting == [early])
    }
}
