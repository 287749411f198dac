import CommandLineKit
import Transport

/// `tapwire card`: a wallet's card in a virtual reader, tap after tap.
enum CardCommand {
    static let command = Command(
        "card",
        summary: "Puts a wallet's card into a reader's field and lets it pay, tap after tap.",
        discussion: [
            "The reader is vsmartcard's vpcd inside pcscd: any PC/SC program, and tapwire pos, finds the card there. "
                + "With --reader it is an ACR122U that acts as the card, in the field of any other terminal. "
                + "The card pays in a new session of its wallet for each tap, until Ctrl-C; payment keys are fetched in "
                + "between. When pcscd goes away, the card waits for it to come back.",
            "A card that is started anew counts from the first counter again, which an issuer that has seen it "
                + "refuses; --atc lets it go on. A card of a --wallet remembers its counter.",
            "A --script changes what the card answers, for those who test terminals: it refuses, delays, damages or leaves. "
                + "The README has the form of the file.",
        ],
        examples: [
            "tapwire card --scheme visa",
            "tapwire card --profile mycard.json --cdcvm no --count 1",
            "tapwire card --scheme mastercard --vpcd localhost:35964",
            "tapwire card --scheme visa --reader ACR122U",
            "tapwire card --scheme mastercard --script Vectors/scripts/three-faults.script",
        ],
        groups: [
            CommandOption.Group(
                "Card",
                [
                    .choice("scheme", CardOptions.schemes, "Which built-in card.", default: "visa"),
                    .value("profile", "FILE", "The card, instead of a built-in one."),
                    StoredWallet.option, StoredWallet.cardOption,
                    .choice(
                        "cdcvm",
                        ["yes", "no"],
                        "Whether the user authenticates on the device before each tap.",
                        default: "yes"
                    ),
                    .value(
                        "atc",
                        "HEX",
                        "The transaction counter (9F36) of the first payment.",
                        default: "0001"
                    ),
                    CardScript.option,
                    .flag(
                        "null",
                        "Answers 6A82 to everything instead, to measure how fast the reader is."
                    ),
                ]
            ),
            CommandOption.Group(
                "Reader",
                [
                    .value(
                        "vpcd",
                        "HOST:PORT",
                        "Where vpcd listens; its second reader has the next port.",
                        default: "127.0.0.1:35963"
                    ),
                    .value(
                        "reader",
                        "NAME|PART|NUMBER",
                        "An ACR122U that acts as the card, instead of a virtual reader."
                    ),
                    .value("count", "NUMBER", "Ends after so many payments."),
                ]
            ),
            CommandOption.Group(
                "Output",
                [
                    .value(
                        "trace",
                        "FILE",
                        "Writes what the card was asked and what it answered to a file, at the end."
                    ),
                    .flag("unmask", "Shows account numbers and track data whole."),
                ]
            ),
        ],
        run: { try await run($0) }
    )
}
