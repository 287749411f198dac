import D1
import EMVData
import Foundation
import NFCWallet
import PassKitSimulator
import Synchronization

// The calls of the SDK's guide, with its names and argument labels. What is Apple's alone is replaced: `UIImage` by
// `CardArt`, `SecItemAdd`, `SecItemUpdate` and `SecItemCopyMatching` by `Keychain`, `UIViewController` by nothing, a
// button's `@objc` action by a method that the test calls.

/// The issuer's app: the guide's first two listings.
final class GuideApp: Sendable {
    let process: AppProcess
    let d1Task: D1Task
    let desk: ProvisioningDesk
    private let group: String
    private let failures = Mutex<[D1Error]>([])
    private let extensionGroups: Set<String>
    private let appGroups: Set<String>
    /// What the extension said was wrong.
    let errors = ErrorLog()

    init(
        _ desk: ProvisioningDesk,
        _ host: SimulatedWalletHost,
        group: String = ProvisioningDesk.group,
        appGroups: Set<String> = [ProvisioningDesk.group],
        extensionGroups: Set<String> = [ProvisioningDesk.group]
    ) {
        self.desk = desk
        self.group = group
        self.appGroups = appGroups
        self.extensionGroups = extensionGroups
        process = AppProcess(
            .issuerApp,
            bundleIdentifier: ProvisioningDesk.app,
            entitlements: Entitlements(appGroups: appGroups),
            host: host,
            issuerServer: desk.issuer,
            simulation: desk.simulation
        )
        d1Task = D1Task(issuerID: "issuer-1", in: process)
    }

    /// What `configure` said.
    var configurationErrors: [D1Error] { failures.withLock { $0 } }

    /// The app as it is installed.
    var installed: IssuerApplication {
        IssuerApplication(
            bundleIdentifier: ProvisioningDesk.app,
            entitlements: Entitlements(appGroups: appGroups),
            extensionEntitlements: Entitlements(appGroups: extensionGroups),
            issuerServer: desk.issuer,
            makeHandler: { [errors] in IntentHandler(errors) },
            makeAuthorization: { IntentViewController() },
            useAuthorization: { ($0 as? IntentViewController)?.authButtonTouched() }
        )
    }

    /// The app starts: one consumer and one issuer.
    func start(consumer: String = "alice", last4: String? = "0036") {
        let coreConfig = ConfigParams.coreConfig(consumerID: consumer)
        let cardConfig = ConfigParams.cardConfig()

        let card = ConfigParams.CardParams(
            cardID: consumer == "alice" ? "visa-a" : "visa-b",
            cardArt: CardArt([]),
            productTitle: "Example card",
            last4: last4
        )
        let walletExtensionConfig = ConfigParams.walletExtensionConfig(
            cardParamsList: [card],
            appGroupID: group
        )

        d1Task.configure([coreConfig, cardConfig, walletExtensionConfig]) { errors in
            if let errors = errors {
                for error in errors { failures.withLock { $0.append(error) } }
            }
        }

        saveToKeychain(key: "D1ConsumerID", value: consumer)
    }

    /// The app starts: several consumers and issuers.
    func startWithManyIssuers() {
        let coreConfig = ConfigParams.coreConfig(consumerID: "alice")
        let cardConfig = ConfigParams.cardConfig()

        var issuerParamsList: [ConfigParams.IssuerParams] = []
        let card1 = ConfigParams.CardParams(
            cardID: "visa-a",
            cardArt: CardArt([]),
            productTitle: "Card of Alice",
            last4: "0036"
        )
        let card2 = ConfigParams.CardParams(
            cardID: "mc-b",
            cardArt: CardArt([]),
            productTitle: "Card of Bob",
            last4: "0028"
        )
        let card3 = ConfigParams.CardParams(
            cardID: "visa-b",
            cardArt: CardArt([]),
            productTitle: "Second card of Bob",
            last4: "0135"
        )
        let issuerParam1 = ConfigParams.IssuerParams(
            cardParams: card1,
            issuerID: "issuer-1",
            consumerID: "alice"
        )
        let issuerParam2 = ConfigParams.IssuerParams(
            cardParams: card2,
            issuerID: "issuer-2",
            consumerID: "bob"
        )
        let issuerParam3 = ConfigParams.IssuerParams(
            cardParams: card3,
            issuerID: "issuer-1",
            consumerID: "bob"
        )
        issuerParamsList.append(issuerParam1)
        issuerParamsList.append(issuerParam2)
        issuerParamsList.append(issuerParam3)

        let walletExtensionConfig = ConfigParams.walletExtensionConfig(
            issuerParamsList: issuerParamsList,
            appGroupID: group
        )

        d1Task.configure([coreConfig, cardConfig, walletExtensionConfig]) { errors in
            if let errors = errors {
                for error in errors { failures.withLock { $0.append(error) } }
            }
        }

        saveToKeychain(key: "issuerID1", value: "issuer-1")
        saveToKeychain(key: "issuerID2", value: "issuer-2")
    }

    private func saveToKeychain(key: String, value: String) {
        guard let valueData = value.data(using: .utf8) else {
            return
        }
        let keychain = Keychain(of: process)
        let status = keychain.add(
            service: "IssuerAppService",
            account: key,
            accessGroup: group,
            value: valueData
        )
        if status == .duplicateItem {
            _ = keychain.update(
                service: "IssuerAppService",
                account: key,
                accessGroup: group,
                value: valueData
            )
        }
    }
}

/// What extensions said was wrong.
final class ErrorLog: Sendable {
    private let state = Mutex<[D1Error]>([])
    var errors: [D1Error] { state.withLock { $0 } }
    func append(_ error: D1Error) { state.withLock { $0.append(error) } }
}

/// The extension without a user interface, as the guide has it at first.
class PlainIntentHandler: D1IssuerProvisioningExtensionHandler {
}

/// The extension without a user interface, which notes errors.
class IntentHandler: D1IssuerProvisioningExtensionHandler {
    private let log: ErrorLog

    init(_ log: ErrorLog) {
        self.log = log
        super.init()
    }

    override func errorEncountered(_ error: D1Error) {
        log.append(error)
    }
}

/// The extension that authenticates the user.
class IntentViewController: D1IssuerProvisioningExtensionAuthorizationProviding {
    var completionHandler: ((PKIssuerProvisioningExtensionAuthorizationResult) -> Void)?

    func authButtonTouched() {
        let consumerID = loadFromKeychain(key: "D1ConsumerID")

        guard isOwner() else {
            completionHandler?(.canceled)
            return
        }
        var issuerToken = getAccessToken(sub: consumerID ?? "")

        login(&issuerToken) { [weak self] error in
            if let _ = error {
                self?.completionHandler?(.canceled)
            } else {
                self?.completionHandler?(.authorized)
            }
        }
    }

    func authMultiIssuerButtonTouched() {
        let issuerId1 = loadFromKeychain(key: "issuerID1")
        let issuerId2 = loadFromKeychain(key: "issuerID2")

        let issuerToken1 = getAccessToken(iss: issuerId1 ?? "")
        let issuerToken2 = getAccessToken(iss: issuerId2 ?? "")
        var issuerTokens = [issuerToken1, issuerToken2]

        login(&issuerTokens) { [weak self] error in
            if let _ = error {
                self?.completionHandler?(.canceled)
            } else {
                self?.completionHandler?(.authorized)
            }
        }
    }

    private func isOwner() -> Bool {
        let result = Mutex(AuthenticationResult.cancelled)
        AppProcess.current?.authenticate { answer in result.withLock { $0 = answer } }
        return result.withLock { $0 } == .succeeded
    }

    func loadFromKeychain(key: String) -> String? {
        guard let process = AppProcess.current else { return nil }
        let (status, item) = Keychain(of: process).copyMatching(
            service: "IssuerAppService",
            account: key,
            accessGroup: ProvisioningDesk.group
        )
        if status == .success,
            let data = item
        {
            return String(data: data, encoding: .utf8)
        }
        return nil
    }

    func getAccessToken(sub: String) -> Data? {
        try? AppProcess.current?.callIssuer("logIn") { server throws(ProvisioningError) in
            try server.logIn(consumerID: sub, issuerID: "issuer-1")
        }
    }

    /// One token for each issuer, good for both consumers that have cards of it.
    func getAccessToken(iss: String) -> Data {
        let consumers = iss == "issuer-1" ? ["alice", "bob"] : ["bob"]
        let token = try? AppProcess.current?.callIssuer("logIn") {
            server throws(ProvisioningError) in
            try server.logIn(consumerIDs: consumers, issuerID: iss)
        }
        return token ?? Data()
    }
}
