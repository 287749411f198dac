import CommandLineKit
import D1
import EMVData
import Foundation
import NFCWallet
import PassKitSimulator
import Profiles
import SecureStore
import Synchronization

extension ProvisionCommand {
    static func run(_ arguments: Arguments) async throws -> ExitCode {
        let scenario = try ProvisionScenario(arguments)
        let diagram = try OutputFile(
            "diagram",
            "diagram",
            arguments,
            inputs: arguments.positionals
        )
        let desk = try ProvisionDesk(
            scenario,
            path: WalletCommand.path(arguments, makesFolder: true),
            place: arguments["wallet"]
        )
        let isJSON = arguments.has("json")
        if !isJSON {
            Console.output.write(desk.headline + "\n\n")
            let drawing = SequenceText(scenario)
            for line in drawing.head { Console.output.write(line + "\n") }
            desk.simulation.observe { exchange, moment in
                for line in drawing.lines(exchange, moment) { Console.output.write(line + "\n") }
            }
        }
        let outcome = await desk.run()
        if isJSON {
            Console.output.write(outcome.json(desk).text)
        } else {
            Console.output.write("\n" + outcome.text(desk))
        }
        try diagram?.write(SequenceSVG(desk.simulation.exchanges, title: desk.headline).text)
        if case .failure(let error) = outcome.result {
            throw desk.storeFailure(error)
                ?? CommandFailure(.failure, outcome.failure(error, desk))
        }
        return .success
    }
}

/// What came of a provisioning.
struct ProvisionOutcome {
    /// The pass, or why there is none.
    var result: Result<PKSecureElementPass, ProvisioningError>
    /// The pass that came to the wallet, even where something failed after that.
    var added: PKSecureElementPass?
    /// What Wallet found out from `status`; nil on other routes.
    var discovery: IssuerDiscovery?
    /// What the extension reported.
    var errors: [D1Error]

    /// What failed, and what there is all the same.
    func failure(_ error: ProvisioningError, _ desk: ProvisionDesk) -> String {
        if let added {
            return
                "the card was added and is \(added.passActivationState); then something failed: \(error.sentence)"
        }
        let isThere =
            error == .alreadyOnDevice || error == .digitization(.cardAlreadyProvisionedInWallet)
        guard isThere else { return "no card was added: \(error.sentence)" }
        if let waiting = desk.waitingPass {
            let command = desk.command(
                "activate \(waiting.deviceAccountIdentifier)\(desk.activationWay(waiting))"
            )
            return
                "no card was added: the wallet has one of this account that waits to be activated: \(command)"
        }
        return "no card was added: the wallet has one of this account; "
            + "delete it (\(desk.command("delete CARD"))) or take another --account"
    }

    func text(_ desk: ProvisionDesk) -> String {
        var lines: [String] = []
        if let discovery {
            let time = ProvisionDesk.time(discovery.duration)
            lines.append(
                discovery.isLate
                    ? "status    no answer within its 100 ms"
                    : discovery.error == nil
                        ? "status    answered in \(time) of its 100 ms" : "status    no answer"
            )
        }
        lines += errors.map { "error     \(Markup.shown($0.localizedDescription))" }
        if let pass = (try? result.get()) ?? added {
            lines.append(
                "pass      \(pass.localizedName), account …\(pass.primaryAccountNumberSuffix), device account …\(pass.deviceAccountNumberSuffix): \(pass.passActivationState)"
            )
            lines.append("button    \(AddToWalletButton(pass.passActivationState).text)")
            if let words = desk.next(pass) { lines.append("next      \(desk.command(words))") }
        }
        lines += desk.waitingEvents.map {
            "waiting   \($0.change.name) has not come to the device"
        }
        lines += desk.unusedSteps.map { "unused    \($0)" }
        return lines.map { $0 + "\n" }.joined()
    }

    func json(_ desk: ProvisionDesk) -> CommandLineKit.JSONValue {
        var members: [CommandLineKit.JSONValue.Member] = [
            .init("route", .string(desk.scenario.route.rawValue)),
            .init("scheme", .string(desk.scenario.scheme.rawValue)),
            .init("account", .string(desk.number.masked)),
        ]
        if let pass = (try? result.get()) ?? added {
            members.append(
                .init(
                    "pass",
                    [
                        "card": .string(pass.deviceAccountIdentifier),
                        "name": .string(pass.localizedName),
                        "state": .string("\(pass.passActivationState)"),
                        "primaryAccountIdentifier": .string(pass.primaryAccountIdentifier),
                        "primaryAccountNumberSuffix": .string(pass.primaryAccountNumberSuffix),
                        "deviceAccountNumberSuffix": .string(pass.deviceAccountNumberSuffix),
                    ]
                )
            )
        }
        if case .failure(let error) = result {
            members.append(.init("error", .string(error.sentence)))
        }
        if let discovery {
            members.append(
                .init(
                    "status",
                    [
                        "microseconds": .integer(ProvisionDesk.microseconds(discovery.duration)),
                        "isLate": .bool(discovery.isLate),
                        "isShown": .bool(discovery.isShown),
                    ]
                )
            )
        }
        members.append(
            .init("extensionErrors", .array(errors.map { .string($0.localizedDescription) }))
        )
        let calls = desk.simulation.exchanges
        let start = calls.first?.start ?? .zero
        let exchanges = calls.map { exchange -> CommandLineKit.JSONValue in
            [
                "from": .string(exchange.from.rawValue), "to": .string(exchange.to.rawValue),
                "call": .string(exchange.name), "detail": .string(exchange.detail),
                "depth": .integer(Int64(exchange.depth)),
                "startMicroseconds": .integer(ProvisionDesk.microseconds(exchange.start - start)),
                "durationMicroseconds": .integer(ProvisionDesk.microseconds(exchange.duration)),
                "error": exchange.error.map { .string($0.sentence) } ?? .null,
            ]
        }
        members.append(.init("exchanges", .array(exchanges)))
        members.append(
            .init("waiting", .array(desk.waitingEvents.map { .string($0.change.name) }))
        )
        members.append(.init("unused", .array(desk.unusedSteps.map { .string($0) })))
        return .object(members)
    }
}

extension AddToWalletButton {
    /// What the button of the issuer's app is like.
    var text: String {
        switch self {
        case .add: "“Add to Apple Wallet” is shown"
        case .finishVerification:
            "“Add to Apple Wallet” is shown, and leads to the verification in Wallet"
        case .hidden: "“Add to Apple Wallet” is not shown"
        }
    }
}

extension ProvisioningError {
    /// Whether somebody did not come to an end in time.
    var isOfTime: Bool {
        switch self {
        case .timedOut, .timedOutInAll: true
        default: false
        }
    }

    /// The reason for people, without a full stop.
    var sentence: String {
        switch self {
        case .refused(let party, let reason):
            "the \(party.name) refused: \(Markup.shown(reason))"
        case .server(let party, let status, let message):
            "the \(party.name) answered with HTTP status \(status): \(Markup.shown(message))"
        case .unreachable(let party): "the \(party.name) cannot be reached"
        case .timedOut(let party, let call, let limit):
            "the \(party.name) did not answer \(call) within \(ProvisionDesk.time(limit))"
        case .timedOutInAll(let party, let call, let limit):
            "the \(party.name) took more than its \(ProvisionDesk.time(limit)) in all, with \(call)"
        case .request(let error): "the request is not accepted: \(error)"
        case .digitization(.cardAlreadyProvisionedInWallet):
            "the wallet has a card of this account; delete it (tapwire wallet delete) or take another --account"
        case .digitization(.serverError): "the token service failed, or the issuer's server did"
        case .digitization(.networkError):
            "the token service, or the issuer's server behind it, cannot be reached"
        case .digitization(let error): "the token service refused: \(error)"
        case .declined: "the card was declined (red)"
        case .cancelled: "the user did not go on"
        case .notAuthenticated: "the user is not authenticated"
        case .missingEntitlement: "the app may not add passes"
        case .alreadyOnDevice:
            "the device has a pass of this account; delete the card (tapwire wallet delete) or take another --account"
        case .unknownPass: "there is no such pass, or it waits for nothing"
        case .notPaired: "no watch is paired, or it is out of reach"
        case .store: "the wallet cannot be written"
        case .busy: "another program is adding or changing a card of the wallet; try again"
        case .processEnded: "the process ended"
        }
    }
}
