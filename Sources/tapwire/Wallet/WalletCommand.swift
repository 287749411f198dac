import CommandLineKit
import Foundation

/// `tapwire wallet`: a wallet in a file, as an app keeps it on a phone.
enum WalletCommand {
    static let command = Command(
        "wallet",
        summary:
            "Keeps cards and payment keys in a file, and pays with them as an app on a phone does.",
        subcommands: [
            list, add, activate, pay, setDefault, suspend, resume, delete, replenish, history, keys,
        ]
    )

    private static let list = Command(
        "list",
        summary: "Shows the cards, their states, and how many payments their keys are good for.",
        groups: [place([json])],
        run: { try WalletCommand.list($0) }
    )

    private static let add = Command(
        "add",
        summary: "Puts a card of the test bank into the wallet.",
        discussion: [
            "The token service makes a token for the account, unless it declines; the card shows the token to terminals. "
                + "Green cards pay at once. Yellow ones wait for the code that their issuer sends, orange ones for "
                + "their issuer's people: tapwire wallet activate. Visa cards get limited-use keys, Mastercard ones "
                + "single-use keys."
        ],
        examples: [
            "tapwire wallet add --scheme visa",
            "tapwire wallet add --scheme mastercard --account 2 --decision yellow",
        ],
        groups: [
            CommandOption.Group(
                "Card",
                [
                    .choice("scheme", CardOptions.schemes, "Which scheme's card."),
                    .value(
                        "account",
                        "NUMBER",
                        "Which account of the test bank, 1 to 9.",
                        default: "1"
                    ),
                    .choice(
                        "decision",
                        ["green", "yellow", "orange", "red"],
                        "What the token service decides.",
                        default: "green"
                    ),
                ]
            ),
            place(),
        ],
        run: { try await WalletCommand.add($0) }
    )

    private static let activate = Command(
        "activate",
        summary: "Has a code sent to the user, or activates a card with it.",
        examples: ["tapwire wallet activate 1", "tapwire wallet activate 1 --code 123456"],
        positionals: [card],
        groups: [
            CommandOption.Group(
                "Code",
                [
                    .value("code", "DIGITS", "The code that came."),
                    .choice(
                        "by",
                        ["sms", "email", "issuer"],
                        "How the issuer finds out who the user is.",
                        default: "sms"
                    ),
                ]
            ),
            place(),
        ],
        run: { try WalletCommand.activate($0) }
    )

    private static let pay = Command(
        "pay",
        summary:
            "Pays with a card and shows the session as it goes: events, countdown, alert message.",
        discussion: [
            "With --amount a terminal in this process taps the card after a moment. Without it the card is shown in vpcd's "
                + "virtual reader, or in the field of an ACR122U with --reader, where tapwire pos --wallet or any other "
                + "terminal taps it within 60 seconds. Ctrl-C cancels the payment. A card that is named becomes the default one and stays it.",
            "On a terminal the last line counts the seconds down. Elsewhere, and with NO_COLOR, each line of the modal says how "
                + "many are left.",
            "The exit code is 0 when the card has paid and, with --amount, the terminal has approved; 65 when the wallet's "
                + "files cannot be used; 1 otherwise. Ctrl-C after that changes neither.",
        ],
        examples: [
            "tapwire wallet pay --amount 12.34", "tapwire wallet pay 2 --amount 80 --scenario b",
            "tapwire wallet pay 1 --vpcd 127.0.0.1:35963",
            "tapwire wallet pay 1 --reader ACR122U --scenario b",
        ],
        positionals: [optionalCard],
        groups: [
            CommandOption.Group("Payment", Array(PaymentOptions.options.prefix(2))),
            CommandOption.Group(
                "Session",
                [
                    .choice(
                        "scenario",
                        ["a", "b"],
                        "Whether the card is shown after the authentication (a) or when a reader is there (b).",
                        default: "a"
                    ),
                    .choice(
                        "cdcvm",
                        ["yes", "no"],
                        "Whether the user authenticates on the device before the tap.",
                        default: "yes"
                    ),
                    .value(
                        "tap-after",
                        "SECONDS",
                        "When the terminal in this process taps.",
                        default: "1"
                    ),
                    .value("vpcd", "HOST:PORT", "Where vpcd listens, instead of 127.0.0.1:35963."),
                    .value(
                        "reader",
                        "NAME|PART|NUMBER",
                        "An ACR122U that acts as the card, instead of a virtual reader."
                    ),
                    .flag("offline", "No keys are fetched: payments go on until none is left."),
                ]
            ),
            place([
                PaymentOptions.trace,
                .flag("unmask", "Shows account numbers and track data whole in the file."),
            ]),
        ],
        run: { try await WalletCommand.pay($0) }
    )

    private static let setDefault = Command(
        "default",
        summary: "Makes a card the one that pays when none is named.",
        positionals: [card],
        groups: [place()],
        run: { try WalletCommand.setDefault($0) }
    )

    private static let suspend = change("suspend", "Keeps a card from paying for now.")
    private static let resume = change("resume", "Lets a suspended card pay again.")
    private static let delete = change(
        "delete",
        "Takes a card out of the wallet, with its keys and history."
    )

    private static func change(_ name: String, _ summary: String) -> Command {
        Command(
            name,
            summary: summary,
            positionals: [card],
            groups: [place()],
            run: { try WalletCommand.change($0, name) }
        )
    }

    private static let replenish = Command(
        "replenish",
        summary: "Fetches payment keys where few are left.",
        positionals: [optionalCard],
        groups: [
            CommandOption.Group(
                "Keys",
                [
                    .flag("force", "Fetches them however many are left."),
                    .flag("offline", "The server cannot be reached."),
                ]
            ),
            place(),
        ],
        run: { try WalletCommand.replenish($0) }
    )

    private static let history = Command(
        "history",
        summary: "Shows what a card has paid: at most ten payments of the last thirty days.",
        positionals: [optionalCard],
        groups: [place([json])],
        run: { try WalletCommand.history($0) }
    )

    private static let keys = Command(
        "keys",
        summary: "Shows what is left of a card's payment keys; never the keys.",
        positionals: [optionalCard],
        groups: [place([json])],
        run: { try WalletCommand.keys($0) }
    )

    private static let card = Command.Positional(
        "CARD",
        "The card, by its number in tapwire wallet list or its identifier."
    )
    private static let optionalCard = Command.Positional(
        "CARD",
        "The card, by its number in tapwire wallet list or its identifier; the default one without.",
        isOptional: true
    )
    private static let json = CommandOption.flag("json", "Prints JSON.")

    /// The option that says where the wallet is, and others that go with it.
    static func place(_ more: [CommandOption] = []) -> CommandOption.Group {
        CommandOption.Group(
            "Wallet",
            [.value("wallet", "FILE", "Where the wallet is, instead of ~/.tapwire/wallet.")] + more
        )
    }

    /// Where the wallet is.
    /// - Parameters:
    ///   - arguments: What the user said.
    ///   - makesFolder: Whether the folder of the usual place is made.
    /// - Returns: Its path.
    /// - Throws: `CommandFailure` when it cannot be made.
    static func path(_ arguments: Arguments, makesFolder: Bool = false) throws -> String {
        if let path = arguments["wallet"] {
            guard !path.isEmpty else {
                throw CommandFailure(.usage, "--wallet needs the name of a file")
            }
            return path
        }
        // Foundation asks the list of users only, which a container may not have its user in.
        let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let folder =
            (home.map { URL(filePath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser)
            .appending(path: ".tapwire")
        let path = folder.appending(path: "wallet").path
        guard makesFolder, !FileManager.default.fileExists(atPath: folder.path) else { return path }
        do {
            // A home that does not exist is none, and is not made.
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure(
                .badFile,
                "\(folder.path) cannot be made; name another file with --wallet"
            )
        }
        return path
    }
}
