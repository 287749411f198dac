import PassKitSimulator
import Profiles

extension ProvisionScenario {
    /// The calls that the scenario can come to, by who is called; those at which parties may be slow, refuse or fail.
    var calls: [(party: Party, names: [String])] {
        let inside: [(Party, [String])] = [
            (.user, route == .walletExtension ? ["biometrics", "terms"] : ["terms"]),
            (.issuerApp, route == .inApp ? ["generateRequestWithCertificateChain"] : []),
            (.authorizationExtension, route == .walletExtension ? ["authenticate"] : []),
            (.handlerExtension, route == .walletExtension ? extensionCalls : []),
            (.wallet, ["addPass", "passActivated"] + (hasEvents ? ["changePass"] : [])),
            (
                .secureElement,
                ["cards", "remove", "install", "activate"] + (hasEvents ? ["changeCard"] : [])
            ),
            (.applePayServer, applePayServerCalls),
            (.tokenService, tokenServiceCalls),
            (.issuerServer, accessCalls + ["authorizeService"]),
            (.push, hasEvents ? ["deliver"] : []),
        ]
        let crossing = applePayServerCalls + ["replenish"] + accessCalls + eventNames
        let all = inside + [(.connectivity, crossing)]
        return all.filter { !$0.1.isEmpty }.map { (party: $0.0, names: $0.1) }
    }

    private var hasEvents: Bool { !events.isEmpty }

    private var extensionCalls: [String] {
        let remote = watchState == .paired ? ["remotePassEntries"] : []
        return ["status", "passEntries"] + remote + ["generateAddPaymentPassRequest"]
    }

    private var applePayServerCalls: [String] {
        let first = route == .manual ? "requiredFields" : "challenge"
        return [first, "checkCard", "linkAndProvision"]
            + (isActivated ? ["sendCode", "activate"] : [])
    }

    private var tokenServiceCalls: [String] {
        ["checkEligibility", "digitize"] + (isActivated ? ["selectMethod", "activate"] : [])
            + ["replenish"] + eventNames
    }

    /// What app and extensions ask of the issuer's server.
    private var accessCalls: [String] {
        route == .manual ? [] : ["logIn", "cards", "encryptPass"]
    }

    /// What happens to the token, each once.
    private var eventNames: [String] {
        events.reduce(into: []) { if !$0.contains($1.name) { $0.append($1.name) } }
    }

    /// Checks what hangs on several members, and on the options.
    func checkWhole() throws(ProfilesError) {
        for member in routeMembers where member.route != route {
            throw ProfilesError(
                member.name,
                "plays a part only with the route \"\(member.route.rawValue)\""
            )
        }
        for step in steps {
            guard let names = calls.first(where: { $0.party == step.party })?.names else {
                throw ProfilesError(
                    step.path,
                    "has the party \(step.party.rawValue), which is not called here"
                )
            }
            guard names.contains(step.call) else {
                throw ProfilesError(
                    step.path,
                    "has a call that \(step.party.rawValue) does not get here; it gets \(names.joined(separator: ", "))"
                )
            }
        }
    }
}
