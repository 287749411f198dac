import CommandLineKit
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
            "tapwire tap --scheme mastercard --amount 80 --type cashback --cashback 30 --json",
            "tapwire tap --card-trace Vectors/traces/visa-offline.trace --ca-keys Vectors/ca-keys/schemes.json",
        ],
        groups: [
            CommandOption.Group(
                "Payment",
                [
                    .choice("scheme", ["visa", "mastercard"], "Which built-in card pays."),
                    .value("amount", "AMOUNT", "How much, in the main unit: 12.34."),
                    .value(
                        "currency",
                        "CODE",
                        "The currency's three letters.",
                        default: "EUR"
                    ),
                    .choice(
                        "type",
                        PaymentOptions.types.map(\.word),
                        "What the payment is for.",
                        default: "purchase"
                    ),
                    .value("cashback", "AMOUNT", "How much of the amount is paid out in cash."),
                    .choice(
                        "cdcvm",
                        ["yes", "no"],
                        "Whether the user authenticates on the device before the tap.",
                        default: "yes"
                    ),
                ]
            ),
            CommandOption.Group(
                "Parties",
                [
                    .value("profile", "FILE", "The card, instead of a built-in one."),
                    .value("config", "FILE", "The terminal, instead of the built-in one."),
                    .value(
                        "ca-keys",
                        "FILE",
                        "Certification authorities' keys beside those of the terminal.",
                        isRepeatable: true
                    ),
                    .value("card-trace", "FILE", "A recorded card that answers as it did."),
                ]
            ),
            CommandOption.Group(
                "Repeating a run",
                [
                    .value(
                        "date",
                        "DATE",
                        "The day, 2026-11-30, or day and time, 2026-11-30T14:05:00; a day alone means noon."
                    ),
                    .value(
                        "seed",
                        "NUMBER",
                        "All random numbers follow from it; without --date it is noon."
                    ),
                    .value("un", "HEX", "The terminal's unpredictable number (9F37), four bytes."),
                ]
            ),
            CommandOption.Group(
                "Output",
                [
                    .flag("json", "Prints JSON."),
                    .value("trace", "FILE", "Also writes the exchanges to a file."),
                    .flag("unmask", "Shows account numbers and track data whole."),
                ]
            ),
        ],
        run: { try await run($0) }
    )
}
