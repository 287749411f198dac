import D1
import EMVData
import Foundation
import NFCWallet
import PassKitSimulator
import Testing

/// An issuer's server that answers the request for a pass with nonsense.
private final class BabblingServer: IssuerServer {
    private let server: SimulatedIssuerServer

    init(_ server: SimulatedIssuerServer) { self.server = server }

    func logIn(consumerIDs: [String], issuerID: String) throws(ProvisioningError) -> Data {
        try server.logIn(consumerIDs: consumerIDs, issuerID: issuerID)
    }
    func cards(accessToken: Data) throws(ProvisioningError) -> [IssuerCard] {
        try server.cards(accessToken: accessToken)
    }
    func encryptPass(
        _ cardID: String,
        for challenge: ProvisioningChallenge,
        accessToken: Data
    ) throws(ProvisioningError) -> Data {
        Data("<html>".utf8)
    }
    func isGenuine(_ activationData: Data, for account: PrimaryAccountNumber) -> Bool { false }
    func accountIsKnown(_ account: PrimaryAccountNumber, as identifier: String) {}
}

@Suite("The SDK's errors, each by its cause", .timeLimit(.minutes(5)))
struct D1ErrorTests {
    /// The calls of the extension without a user interface, by their names in errors.
    private static let calls = ["status", "passEntries", "remotePassEntries", "generate"]

    /// Calls the extension once, in a process of its own.
    private func call(
        _ name: String,
        _ app: GuideApp,
        _ host: SimulatedWalletHost,
        groups: Set<String> = [ProvisioningDesk.group],
        server: (any IssuerServer)? = nil,
        card: String = "visa-a"
    ) throws {
        let desk = app.desk
        let process = AppProcess(
            .handlerExtension,
            bundleIdentifier: ProvisioningDesk.app + ".handler",
            entitlements: Entitlements(appGroups: groups),
            host: host,
            issuerServer: server ?? desk.issuer,
            simulation: desk.simulation
        )
        let challenge = desk.server.challenge(.ECC_V2, for: desk.phone.device.identifier)
        let configuration = try #require(
            PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2)
        )
        process.run {
            let handler = IntentHandler(app.errors)
            switch name {
            case "status":
                handler.status { #expect(!$0.passEntriesAvailable) }
            case "passEntries": handler.passEntries { #expect($0.isEmpty) }
            case "remotePassEntries": handler.remotePassEntries { #expect($0.isEmpty) }
            default:
                handler.generateAddPaymentPassRequestForPassEntryWithIdentifier(
                    card,
                    configuration: configuration,
                    certificateChain: challenge.certificates,
                    nonce: challenge.nonce,
                    nonceSignature: challenge.nonceSignature
                ) { #expect($0 == nil) }
            }
        }
    }

    private func makeApp() throws -> (SimulatedWalletHost, GuideApp) {
        let desk = try ProvisioningDesk(.green)
        desk.watch.isPaired = true
        let host = desk.makeHost()
        let app = GuideApp(desk, host)
        return (host, app)
    }

    /// Keeps an access token, as the extension with a user interface does.
    private func logIn(_ app: GuideApp) throws {
        var token: Data? = try app.desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        app.process.run {
            IntentViewController().login(&token) { #expect($0 == nil) }
        }
    }

    @Test(
        "20009 in each call: another group, none, or an app that was never configured",
        arguments: D1ErrorTests.calls,
        [["group.com.example.other"], [], [ProvisioningDesk.group]]
    )
    func missingGroup(_ name: String, _ groups: [String]) throws {
        let (host, app) = try makeApp()
        if groups != [ProvisioningDesk.group] {
            app.start()
            try logIn(app)
        }
        try call(name, app, host, groups: Set(groups))
        let error = try #require(app.errors.errors.first)
        #expect(error.kind == .walletExtensionAppGroupIDNotFound && error.code == 20_009)
        #expect(error.api == name && error.cause == .storage(-25_300))
        let text = error.localizedDescription
        #expect(text.hasPrefix("Error in \(name) API. Cause: [2](-25300) "))
        #expect(text.contains("Error: [20009]"))
        #expect(app.errors.errors.count == 1)
    }

    @Test("login of an extension with another group, in the call and in the flow")
    func loginGroup() async throws {
        let (host, app) = try makeApp()
        app.start()
        var token: Data? = try app.desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        let stranger = AppProcess(
            .authorizationExtension,
            bundleIdentifier: ProvisioningDesk.app + ".authorization",
            entitlements: Entitlements(appGroups: ["group.com.example.other"]),
            host: host,
            issuerServer: app.desk.issuer,
            simulation: app.desk.simulation
        )
        stranger.run {
            IntentViewController().login(&token) { error in
                #expect(error?.code == 20_009 && error?.api == "login")
                #expect(error?.cause == .storage(-25_300))
                #expect(
                    error?.localizedDescription
                        .hasPrefix("Error in login API. Cause: [2](-25300) ") == true
                )
            }
        }
        // The token is overwritten all the same, and nobody is logged in.
        #expect(token == nil)
        var installed = app.installed
        installed.authorizationEntitlements.appGroups = ["group.com.example.other"]
        await #expect(throws: ProvisioningError.notAuthenticated) {
            try await host.add(from: installed)
        }
        #expect(await host.discover(app.installed).requiresAuthentication)
    }

    @Test(
        "40001 in each call that asks the server: its causes",
        arguments: D1ErrorTests.calls.dropFirst()
    )
    func causes(_ name: String) throws {
        let (host, app) = try makeApp()
        app.start()
        try logIn(app)
        let request = name == "generate" ? "encryptPass" : "cards"
        for (party, behaviour, cause, number) in [
            (
                .issuerServer, .fail(status: 400, message: "Server error"),
                .server(status: 400, message: "Server error"), "[3]"
            ),
            (.issuerServer, .unreachable, .network, "[1]"),
            (.connectivity, .unreachable, .network, "[1]"),
            (.connectivity, .loseAnswer, .network, "[1]"),
            (
                .connectivity, .fail(status: 502, message: "Proxy"),
                .server(status: 502, message: "Proxy"), "[3]"
            ),
            (.issuerServer, .refuse("no"), .other("The issuer server refused: no"), "[4]"),
        ] as [(Party, Behaviour, D1Error.Cause, String)] {
            let count = app.errors.errors.count
            app.desk.simulation.script(party, request, behaviour)
            try call(name, app, host)
            let error = try #require(app.errors.errors.last)
            #expect(app.errors.errors.count == count + 1)
            #expect(error.kind == .cardOperationFailed && error.code == 40_001)
            #expect(error.api == name && error.cause == cause)
            let text = error.localizedDescription
            #expect(text.hasPrefix("Error in \(name) API. Cause: \(number)"), "\(text)")
            #expect(text.contains("Error: [40001]"))
        }
        app.desk.connectivity.isOnline = false
        try call(name, app, host)
        #expect(app.errors.errors.last?.cause == .network)
    }

    @Test("generate: an answer that is none, certificates of nobody, a card that is none")
    func generate() throws {
        let (host, app) = try makeApp()
        app.start()
        try logIn(app)
        try call("generate", app, host, server: BabblingServer(app.desk.issuer))
        #expect(app.errors.errors.last?.cause == .other("The answer is not JSON"))
        try call("generate", app, host, card: "nobody's")
        #expect(app.errors.errors.last?.kind == .invalidParameter)

        let desk = try ProvisioningDesk(.green, identity: ApplePayIdentity(now: 1_796_025_600))
        let otherHost = desk.makeHost()
        let other = GuideApp(desk, otherHost)
        other.start()
        try logIn(other)
        try call("generate", other, otherHost)
        #expect(
            other.errors.errors.last?.cause == .other("The request is not accepted: untrustedChain")
        )
    }

    @Test("Nobody is logged in", arguments: D1ErrorTests.calls.dropFirst())
    func notLoggedIn(_ name: String) throws {
        let (host, app) = try makeApp()
        app.start()
        try call(name, app, host)
        let error = try #require(app.errors.errors.last)
        #expect(error.kind == .invalidAccessToken && error.api == name && error.cause == nil)
    }

    @Test("configure: what is empty, or does not fit")
    func parameters() throws {
        let (_, app) = try makeApp()
        func card(
            _ id: String,
            _ title: String = "Card",
            _ last4: String? = "0036"
        )
            -> ConfigParams.CardParams
        {
            ConfigParams.CardParams(
                cardID: id,
                cardArt: CardArt([]),
                productTitle: title,
                last4: last4
            )
        }
        func kinds(_ configs: [ConfigParams]) -> [D1Error.Kind]? {
            var kinds: [D1Error.Kind]?
            app.d1Task.configure(configs) { kinds = $0?.map(\.kind) }
            return kinds
        }
        let core = ConfigParams.coreConfig(consumerID: "alice")
        #expect(kinds([core, .cardConfig()]) == nil)
        #expect(kinds([.cardConfig()]) == [.invalidParameter])
        #expect(kinds([.coreConfig(consumerID: "")]) == [.invalidParameter])
        let group = ProvisioningDesk.group
        for wrong in [card(""), card("a", ""), card("a", "b", "036"), card("a", "b", "003x")] {
            #expect(
                kinds([core, .walletExtensionConfig(cardParamsList: [wrong], appGroupID: group)])
                    == [.invalidParameter]
            )
        }
        let nobody = ConfigParams.IssuerParams(
            cardParams: card("a"),
            issuerID: "",
            consumerID: "alice"
        )
        #expect(
            kinds([core, .walletExtensionConfig(issuerParamsList: [nobody], appGroupID: group)])
                == [.invalidParameter]
        )
        #expect(
            kinds([
                .cardConfig(),
                .walletExtensionConfig(cardParamsList: [card("a")], appGroupID: "other"),
            ]) == [.invalidParameter, .invalidAppGroupID]
        )
        app.d1Task.configure([
            core, .walletExtensionConfig(cardParamsList: [card("a")], appGroupID: "other"),
        ]) { errors in
            #expect(
                errors?.first?.localizedDescription.hasPrefix("Error: invalidAppGroupID. ") == true
            )
        }
    }
}
