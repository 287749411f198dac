import CommandLineKit

/// `tapwire pos`: a point of sale on a PC/SC reader.
enum POSCommand {
    static let command = Command(
        "pos",
        summary: "Takes contactless payments from any card in a PC/SC reader.",
        discussion: [
            "The same kernels as those of tapwire tap run on whatever card the reader finds. For cards of our test "
                + "issuer the issuer answers; with any other card nobody can be asked, so the payment is neither approved "
                + "nor declined, and DE 55 is printed as a terminal would send it.",
            "Each tap spends one of the card's transaction counters, as every payment does. A card of tapwire card "
                + "started anew counts from 0001 again, which the issuer refuses as a copy for as long as pos runs.",
            "The exit code is that of tapwire tap; with --loop the first one that is not 0. It is 69 when the reader or "
                + "pcscd is not there.",
        ],
        examples: [
            "tapwire pos --amount 12.34",
            "tapwire pos --reader \"ACS ACR122U\" --amount 80 --currency USD --trace tap.trace",
            "tapwire pos --reader 0 --amount 1 --loop --json",
            "tapwire pos --wallet ~/.tapwire/wallet --amount 12.34",
        ],
        groups: [
            CommandOption.Group(
                "Payment",
                PaymentOptions.options + [
                    .flag("loop", "Takes one payment after the other, until Ctrl-C."),
                    .value("count", "NUMBER", "Takes so many payments."),
                ]
            ),
            CommandOption.Group(
                "Parties",
                ReaderOptions.options + [
                    .value(
                        "profile",
                        "FILE",
                        "A card whose issuer answers, beside the built-in ones.",
                        isRepeatable: true
                    ),
                    .value(
                        "wallet",
                        "FILE",
                        "A wallet whose bank answers for its cards as well, as of tapwire wallet pay."
                    ),
                ] + TerminalOptions.options
            ),
            PaymentOptions.repeating,
            CommandOption.Group("Output", PaymentOptions.output),
        ],
        run: { try await run($0) }
    )
}
