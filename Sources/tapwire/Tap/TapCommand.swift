import CommandLineKit
import Transport
import VirtualPOS

/// `tapwire tap`: one payment, from the field to the receipt.
enum TapCommand {
    static let command = Command(
        "tap",
        summary: "Makes one contactless payment and shows every exchange of it.",
        discussion: [
            "The card lives in a wallet of its own, the point of sale knows nothing of it but what it answers, and "
                + "the issuer checks the cryptogram. With --card-trace a recorded card answers instead; it must be "
                + "asked exactly what it was asked when it was recorded.",
            "The exit code is 0 when the payment is approved, 1 when it is declined or ends otherwise, 2 when an "
                + "issuer should have been asked and nobody could answer, 64 for a wrong command line, 65 for a bad "
                + "file.",
        ],
        examples: [
            "tapwire tap --scheme visa --amount 12.34 --currency EUR",
            "tapwire tap --wallet ~/.tapwire/wallet --amount 12.34",
            "tapwire tap --scheme mastercard --amount 80 --type cashback --cashback 30 --json",
            "tapwire tap --card-trace Vectors/traces/visa-offline.trace --ca-keys Vectors/ca-keys/schemes.json",
        ],
        groups: [
            CommandOption.Group(
                "Payment",
                [.choice("scheme", CardOptions.schemes, "Which built-in card pays.")]
                    + PaymentOptions.options + [
                        .choice(
                            "cdcvm",
                            ["yes", "no"],
                            "Whether the user authenticates on the device before the tap.",
                            default: "yes"
                        )
                    ]
            ),
            CommandOption.Group(
                "Parties",
                [
                    .value("profile", "FILE", "The card, instead of a built-in one."),
                    StoredWallet.option, StoredWallet.cardOption,
                ] + TerminalOptions.options + [
                    .value("card-trace", "FILE", "A recorded card that answers as it did."),
                    CardScript.option,
                ]
            ),
            AirOptions.group,
            PaymentOptions.repeating,
            CommandOption.Group(
                "Output",
                PaymentOptions.output + [
                    .value("svg", "FILE", "Also draws where the time goes on the radio.")
                ]
            ),
        ],
        run: { try await run($0) }
    )
}
