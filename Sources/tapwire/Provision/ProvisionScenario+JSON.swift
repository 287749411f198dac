import EMVData
import NFCWallet
import PassKitSimulator
import Profiles

extension ProvisionScenario {
    private enum Encryption: String, CaseIterable {
        case ECC_V2, RSA_V2
    }

    private enum SchemeName: String, CaseIterable {
        case visa, mastercard
    }

    private enum ColourName: String, CaseIterable {
        case green, yellow, orange, red
    }

    private enum EventName: String, CaseIterable {
        case suspend, resume, delete, cardReplaced, expiryRenewed, keysRevoked
    }

    private static let accounts = 1...UInt64(StoredWallet.accountCount)

    /// Reads a scenario; `checkWhole` is still to come.
    init(json text: [UInt8]) throws(ProfilesError) {
        var object = try JSONObject(parsing: text)
        if object.has("route") { route = try object.choice("route", of: Route.self) }
        if object.has("scheme") {
            scheme = try object.choice("scheme", of: SchemeName.self) == .visa ? .visa : .mastercard
        }
        if let serial = try object.optionalInteger("account", in: Self.accounts) {
            account = Int(serial)
        }
        if object.has("device") { device = try object.choice("device", of: Device.self) }
        if object.has("watch") { watch = try object.choice("watch", of: Watch.self) }
        if object.has("encryption") {
            routeMembers.append(("encryption", .inApp))
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
                    ReasonCode.meanings.contains(where: { $0.code.rawValue == code.uppercased() })
                else { throw ProfilesError(path, "must be a code from \"01\" to \"0H\"") }
                reasons.insert(ReasonCode(rawValue: code.uppercased()))
            }
        }
        if object.has("activate") { isActivated = try object.boolean("activate") }
        if object.has("acceptTerms") { acceptsTerms = try object.boolean("acceptTerms") }
        if object.has("online") { isOnline = try object.boolean("online") }
        try readExtension(&object)
        if object.has("events") {
            for (value, path) in try object.elements("events") {
                events.append(try Self.event(value, path))
            }
        }
        if object.has("delivery") {
            delivery = try object.choice("delivery", of: Delivery.self)
            guard !events.isEmpty else {
                throw ProfilesError("delivery", "plays a part only with events")
            }
        }
        if object.has("parties") {
            for (value, path) in try object.elements("parties") {
                steps.append(try Self.step(value, path))
            }
        }
        try object.finish()
    }

    /// Reads what plays a part with the Wallet extension only.
    private mutating func readExtension(_ object: inout JSONObject) throws(ProfilesError) {
        if object.has("authentication") {
            routeMembers.append(("authentication", .walletExtension))
            authentication = try object.choice("authentication", of: Authentication.self)
        }
        if object.has("configured") {
            routeMembers.append(("configured", .walletExtension))
            isConfigured = try object.boolean("configured")
        }
        if object.has("withoutAppGroup") {
            routeMembers.append(("withoutAppGroup", .walletExtension))
            for (value, path) in try object.elements("withoutAppGroup") {
                guard case .string(let name) = value, let process = Process(rawValue: name) else {
                    let names = Process.allCases.map { "\"\($0.rawValue)\"" }
                    throw ProfilesError(path, "must be one of \(names.joined(separator: ", "))")
                }
                processesWithoutGroup.insert(process)
            }
        }
    }

    private static func event(
        _ value: Profiles.JSONValue,
        _ path: String
    ) throws(ProfilesError) -> Event {
        var object = try JSONObject(value, path: path)
        let event: Event
        switch try object.choice("event", of: EventName.self) {
        case .suspend: event = .suspend
        case .resume: event = .resume
        case .delete: event = .delete
        case .cardReplaced:
            event = .replaceCard(account: Int(try object.integer("account", in: accounts)))
        case .expiryRenewed: event = .renew(until: try object.date("lastDay"))
        case .keysRevoked: event = .revokeKeys
        }
        try object.finish()
        return event
    }

    private static func step(
        _ value: Profiles.JSONValue,
        _ path: String
    ) throws(ProfilesError) -> Step {
        var object = try JSONObject(value, path: path)
        let party = try object.choice("party", of: Party.self)
        let call = try object.text("call", 1...40)
        let delay = try object.optionalInteger("delayMilliseconds", in: 0...3_600_000)
        let reason = try object.optionalString("refuse")
        let status = try object.optionalInteger("failWithStatus", in: 400...599)
        let message = try object.optionalString("message")
        let isUnreachable = object.has("unreachable") ? try object.boolean("unreachable") : false
        let losesAnswer = object.has("loseAnswer") ? try object.boolean("loseAnswer") : false
        try object.finish()
        var behaviours: [Behaviour] = []
        if let delay { behaviours.append(.delay(.milliseconds(Int64(delay)))) }
        if let reason { behaviours.append(.refuse(reason)) }
        if let status {
            behaviours.append(.fail(status: Int(status), message: message ?? "Server error"))
        }
        if isUnreachable { behaviours.append(.unreachable) }
        if losesAnswer { behaviours.append(.loseAnswer) }
        guard behaviours.count == 1, let behaviour = behaviours.first else {
            throw ProfilesError(
                path,
                "must have one of delayMilliseconds, refuse, failWithStatus, unreachable and loseAnswer"
            )
        }
        return Step(path: path, party: party, call: call, behaviour: behaviour)
    }
}
