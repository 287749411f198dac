import CommandLineKit
import EMVData
import NFCWallet
import PassKitSimulator
import Profiles

/// What is to happen when a card is brought into the wallet.
struct ProvisionScenario {
    /// How the card gets there.
    enum Route: String, CaseIterable {
        case manual
        case inApp = "in-app"
        case walletExtension = "extension"
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

    /// How a party behaves.
    struct Step {
        var party: Party
        var call: String
        var behaviour: Behaviour
    }

    /// The calls at which parties may behave so.
    private static let calls: [Party: [String]] = [
        .user: ["biometrics", "terms"],
        .issuerApp: ["generateRequestWithCertificateChain"],
        .handlerExtension: ["status", "passEntries", "generateAddPaymentPassRequest"],
        .authorizationExtension: ["authenticate"],
        .wallet: ["addPass", "passActivated"],
        .secureElement: ["cards", "remove", "install", "activate"],
        .applePayServer: [
            "requiredFields", "challenge", "checkCard", "linkAndProvision", "sendCode", "activate",
        ],
        .tokenService: ["checkEligibility", "digitize", "selectMethod", "activate"],
        .issuerServer: ["logIn", "cards", "encryptPass", "authorizeService"],
    ]

    var route = Route.inApp
    var scheme = Scheme.visa
    var account = 1
    var encryption = PKEncryptionScheme.ECC_V2
    var decision: DigitizationDecision.Colour?
    var reasons: Set<ReasonCode> = []
    var isActivated = false
    var authentication = Authentication.succeeded
    var acceptsTerms = true
    var isOnline = true
    var steps: [Step] = []

    /// Reads a scenario file, if one is named, and the options, which come first.
    /// - Throws: `CommandFailure` with `ExitCode.usage` or `ExitCode.badFile`.
    init(_ arguments: Arguments) throws {
        if let path = arguments.positionals.first {
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
    }

    private static func encryption(_ name: String) -> PKEncryptionScheme {
        name == "RSA_V2" ? .RSA_V2 : .ECC_V2
    }

    // MARK: JSON

    private enum Encryption: String, CaseIterable {
        case ECC_V2, RSA_V2
    }

    private enum SchemeName: String, CaseIterable {
        case visa, mastercard
    }

    private enum ColourName: String, CaseIterable {
        case green, yellow, orange, red
    }

    /// Reads a scenario.
    init(json text: [UInt8]) throws(ProfilesError) {
        var object = try JSONObject(parsing: text)
        if object.has("route") { route = try object.choice("route", of: Route.self) }
        if object.has("scheme") {
            scheme = try object.choice("scheme", of: SchemeName.self) == .visa ? .visa : .mastercard
        }
        let accounts = 1...UInt64(StoredWallet.accountCount)
        if let serial = try object.optionalInteger("account", in: accounts) {
            account = Int(serial)
        }
        if object.has("encryption") {
            guard route == .inApp else {
                throw ProfilesError("encryption", "plays a part only with the route \"in-app\"")
            }
            encryption =
                Self.encryption(try object.choice("encryption", of: Encryption.self).rawValue)
        }
        if object.has("decision") {
            let name = try object.choice("decision", of: ColourName.self).rawValue
            decision = DigitizationDecision.Colour(rawValue: name)
        }
        if object.has("reasons") {
            for (value, path) in try object.elements("reasons") {
                guard case .string(let code) = value,
                    ReasonCode.meanings.contains(where: { $0.code.rawValue == code })
                else { throw ProfilesError(path, "must be a code from \"01\" to \"0H\"") }
                reasons.insert(ReasonCode(rawValue: code))
            }
        }
        if object.has("activate") { isActivated = try object.boolean("activate") }
        if object.has("acceptTerms") { acceptsTerms = try object.boolean("acceptTerms") }
        if object.has("online") { isOnline = try object.boolean("online") }
        if object.has("authentication") {
            guard route == .walletExtension else {
                throw ProfilesError(
                    "authentication",
                    "plays a part only with the route \"extension\""
                )
            }
            authentication = try object.choice("authentication", of: Authentication.self)
        }
        if object.has("parties") {
            for (value, path) in try object.elements("parties") {
                steps.append(try Self.step(value, path))
            }
        }
        try object.finish()
    }

    private static func step(
        _ value: Profiles.JSONValue,
        _ path: String
    ) throws(ProfilesError) -> Step {
        var object = try JSONObject(value, path: path)
        let party = try object.choice("party", of: Party.self)
        let call = try object.text("call", 1...40)
        guard let calls = calls[party] else {
            throw ProfilesError(path, "has the party \(party.rawValue), which is not called here")
        }
        guard calls.contains(call) else {
            throw ProfilesError(
                path,
                "has a call that \(party.rawValue) does not have; it has \(calls.joined(separator: ", "))"
            )
        }
        let delay = try object.optionalInteger("delayMilliseconds", in: 0...3_600_000)
        let reason = try object.optionalString("refuse")
        let status = try object.optionalInteger("failWithStatus", in: 400...599)
        let message = try object.optionalString("message")
        let isUnreachable = object.has("unreachable") ? try object.boolean("unreachable") : false
        try object.finish()
        var behaviours: [Behaviour] = []
        if let delay { behaviours.append(.delay(.milliseconds(Int64(delay)))) }
        if let reason { behaviours.append(.refuse(reason)) }
        if let status {
            behaviours.append(.fail(status: Int(status), message: message ?? "Server error"))
        }
        if isUnreachable { behaviours.append(.unreachable) }
        guard behaviours.count == 1, let behaviour = behaviours.first else {
            throw ProfilesError(
                path,
                "must have one of delayMilliseconds, refuse, failWithStatus and unreachable"
            )
        }
        return Step(party: party, call: call, behaviour: behaviour)
    }
}
