import CommandLineKit
import EMVData
import NFCWallet
import PassKitSimulator
import Profiles

/// What is to happen when a card is brought into the wallet, and to it when it is there.
struct ProvisionScenario {
    /// How the card gets there.
    enum Route: String, CaseIterable {
        case manual
        case inApp = "in-app"
        case walletExtension = "extension"
    }

    /// Which device it is for.
    enum Device: String, CaseIterable {
        case phone, watch
    }

    /// Whether there is a watch.
    enum Watch: String, CaseIterable {
        case paired, unreachable, notPaired
    }

    /// How the user's authentication ends.
    enum Authentication: String, CaseIterable {
        case succeeded, failed, cancelled, notEnrolled

        var result: AuthenticationResult {
            switch self {
            case .succeeded: .succeeded
            case .failed: .failed
            case .cancelled: .cancelled
            case .notEnrolled: .biometricNotEnrolled
            }
        }
    }

    /// A process of the issuer that may lack the app group.
    enum Process: String, CaseIterable {
        case issuerApp, handlerExtension, authorizationExtension
    }

    /// What happens to the card's token once it is there.
    enum Event {
        case suspend
        case resume
        case delete
        /// The plastic card gets the number of this account of the test bank.
        case replaceCard(account: Int)
        case renew(until: TransactionDate)
        case revokeKeys

        /// The name of the change.
        var name: String {
            switch self {
            case .suspend: "tokenSuspended"
            case .resume: "tokenResumed"
            case .delete: "tokenDeleted"
            case .replaceCard: "cardReplaced"
            case .renew: "expiryRenewed"
            case .revokeKeys: "keysRevoked"
            }
        }
    }

    /// How what happened to the token gets to the device.
    enum Delivery: String, CaseIterable {
        /// One by one, as it happens.
        case inOrder
        /// All of it late, the last first.
        case reversed
        /// All of it late, and then all of it once more.
        case twice
    }

    /// How a party behaves.
    struct Step {
        /// Where it stands in the file.
        var path: String
        var party: Party
        var call: String
        var behaviour: Behaviour
    }

    var route = Route.inApp
    var scheme = Scheme.visa
    var account = 1
    var device = Device.phone
    /// Whether there is a watch; nil for what the device needs.
    var watch: Watch?
    var encryption = PKEncryptionScheme.ECC_V2
    var decision: DigitizationDecision.Colour?
    var reasons: Set<ReasonCode> = []
    var isActivated = false
    var authentication = Authentication.succeeded
    /// Whether the app has called `configure` with what its extensions need.
    var isConfigured = true
    var processesWithoutGroup: Set<Process> = []
    var acceptsTerms = true
    var isOnline = true
    var events: [Event] = []
    var delivery = Delivery.inOrder
    var steps: [Step] = []
    /// The members of the file that play a part on one route only.
    var routeMembers: [(name: String, route: Route)] = []

    /// Reads a scenario file, if one is named, and the options, which come first.
    /// - Throws: `CommandFailure` with `ExitCode.usage` or `ExitCode.badFile`.
    init(_ arguments: Arguments) throws {
        let path = arguments.positionals.first
        if let path {
            self = try InputFile.json(path, .scenario) { (text: [UInt8]) throws(ProfilesError) in
                try ProvisionScenario(json: text)
            }
        }
        if let route = arguments["route"].flatMap(Route.init(rawValue:)) { self.route = route }
        if let scheme = arguments["scheme"].flatMap(Scheme.init(rawValue:)) {
            self.scheme = scheme
        }
        let serial = try arguments.value("account", expecting: "a number from 1 to 9") { text in
            Int(text).flatMap { (1...StoredWallet.accountCount).contains($0) ? $0 : nil }
        }
        if let serial { account = serial }
        if let name = arguments["device"].flatMap(Device.init(rawValue:)) { device = name }
        if let name = arguments["encryption"] {
            guard self.route == .inApp else {
                throw CommandFailure(
                    .usage,
                    "leave out --encryption: only with --route in-app the issuer's app chooses it"
                )
            }
            encryption = Self.encryption(name)
        }
        if let colour = arguments["decision"].flatMap(DigitizationDecision.Colour.init(rawValue:)) {
            decision = colour
        }
        for code in arguments.values("reason") {
            let reason = ReasonCode(rawValue: code.uppercased())
            guard ReasonCode.meanings.contains(where: { $0.code == reason }) else {
                throw CommandFailure(
                    .usage,
                    "--reason needs a code from 01 to 0H, not \(code.quoted)"
                )
            }
            reasons.insert(reason)
        }
        if arguments.has("activate") { isActivated = true }
        guard let path else { return }
        do throws(ProfilesError) {
            try checkWhole()
        } catch {
            guard let route = arguments["route"] else {
                throw JSONFileKind.scenario.failure(error, in: path)
            }
            throw CommandFailure(
                .usage,
                "leave out --route \(route): scenario \(path.quoted), \(error)"
            )
        }
    }

    static func encryption(_ name: String) -> PKEncryptionScheme {
        name == "RSA_V2" ? .RSA_V2 : .ECC_V2
    }

    /// Whether there is a watch, and can be reached.
    var watchState: Watch { watch ?? (device == .watch ? .paired : .notPaired) }
}
