import CommandLineKit
import NFCWallet

/// `tapwire provision`: from an issuer's app to a card in the wallet, on one of the three routes.
enum ProvisionCommand {
    static let command: Command = {
        var command = Command(
            "provision",
            summary:
                "Brings a card from its issuer's app into the wallet, and draws who calls whom.",
            discussion: [
                "The issuer's app, its Wallet extensions, Wallet, the Apple Pay server, the token service and the "
                    + "issuer's server are simulated; what they send each other is encrypted, signed and checked. "
                    + "The card stays in the wallet: tapwire wallet pay taps it. A scenario file says the same as "
                    + "the options, how parties are slow, refuse or fail, and what happens to the card later; "
                    + "options given beside it come first.",
                "The exit code is 0 when the wallet has the card, 1 when it does not get there, "
                    + "or something fails after that, such as its activation.",
            ],
            examples: [
                "tapwire provision --route in-app --scheme visa --decision yellow",
                "tapwire provision scenario.json --diagram sequence.svg",
                "tapwire provision check-art card.png",
            ],
            positionals: [
                Command.Positional(
                    "SCENARIO",
                    "A JSON file that says what is to happen.",
                    isOptional: true
                )
            ],
            groups: [
                CommandOption.Group(
                    "Card",
                    [
                        .choice(
                            "route",
                            ProvisionScenario.Route.allCases.map(\.rawValue),
                            "How the card gets into the wallet. [in-app]"
                        ),
                        .choice("scheme", CardOptions.schemes, "Which scheme's card. [visa]"),
                        .value(
                            "account",
                            "NUMBER",
                            "Which account of the test bank, 1 to 9. [1]"
                        ),
                        .choice(
                            "device",
                            ProvisionScenario.Device.allCases.map(\.rawValue),
                            "Whose card it is; the watch's wallet is FILE.watch. [phone]"
                        ),
                        .choice(
                            "encryption",
                            ["ECC_V2", "RSA_V2"],
                            "How the issuer encrypts the card for the Apple Pay server. [ECC_V2]"
                        ),
                        .choice(
                            "decision",
                            ["green", "yellow", "orange", "red"],
                            "What the issuer decides; without it what is usual with the reasons."
                        ),
                        .value(
                            "reason",
                            "CODE",
                            "Why the card is looked at twice, such as 0G.",
                            isRepeatable: true
                        ),
                        .flag("activate", "Types the code in that a yellow card needs."),
                    ]
                ),
                CommandOption.Group(
                    "Output",
                    [
                        .flag("json", "Prints JSON."),
                        .value("diagram", "FILE", "Writes the sequence as a picture, SVG."),
                    ]
                ),
                WalletCommand.place(),
            ],
            run: { try await ProvisionCommand.run($0) }
        )
        command.subcommands = [checkArt]
        return command
    }()

    private static let checkArt = Command(
        "check-art",
        summary: "Looks whether the picture of a card keeps Wallet's rules.",
        discussion: [
            "The exit code is 0 when it does, 1 when it does not, 65 when the file cannot be read. What must not "
                + "be on the picture, such as an account number or a chip, only people see."
        ],
        examples: ["tapwire provision check-art card.png"],
        positionals: [Command.Positional("FILE", "The picture, PNG or PDF.")],
        groups: [CommandOption.Group("Output", [.flag("json", "Prints JSON.")])],
        run: { try CheckArt.run($0) }
    )
}
