import CommandLineKit

/// `tapwire bench`: how long cards take.
enum BenchCommand {
    static let command = Command(
        "bench",
        summary: "Measures how long a card takes for each command and for whole taps.",
        discussion: [
            "Each command is measured in turn with what it cannot be faster than, its floor: what libcrypto alone needs, "
                + "a copy of the response, or a card that answers 6A82 through the same reader. Ratios hold on any "
                + "machine, times on the one they were measured on.",
            "Without a way the card answers in this process. With --vpcd it is put into a virtual reader and read through "
                + "pcscd. With --reader any card is measured; GET PROCESSING OPTIONS and GENERATE AC cost it a "
                + "transaction counter each time, so only SELECT and the records it gives without them are sent, unless "
                + "--spend-atc says that it may.",
            "It measures in blocks, each in a process of its own, for where a process has its memory makes a difference too. "
                + "--compare says of each command whether it became slower or faster, by how much, and when the difference "
                + "is noise: chance, or the pace of the machine.",
        ],
        examples: [
            "tapwire bench --scheme visa --air 106",
            "tapwire bench --json > before.json",
            "tapwire bench --compare before.json --svg bench.svg",
            "tapwire bench --vpcd 127.0.0.1:35963",
            "tapwire bench --reader ACR --rounds 100",
            "tapwire bench --taps 1000000 --cores 2 --state taps.json",
            "tapwire bench --merge part1.json --merge part2.json",
        ],
        groups: [
            CommandOption.Group(
                "Card",
                [
                    .choice(
                        "scheme",
                        CardOptions.schemes,
                        "Which built-in card; both, one after the other, where neither is named."
                    ),
                    .value("profile", "FILE", "The card, instead of a built-in one."),
                    .value("vpcd", "HOST:PORT", "Puts the card into vpcd's reader there."),
                    .value(
                        "reader",
                        "NAME|PART|NUMBER",
                        "Measures the card in a reader; with --vpcd, the reader that the card appears in."
                    ),
                    .flag("spend-atc", "Makes whole payments with the card in the reader."),
                ]
            ),
            CommandOption.Group(
                "Payment",
                PaymentOptions.options.prefix(2) + TerminalOptions.options
            ),
            CommandOption.Group(
                "Measurement",
                [
                    .value(
                        "rounds",
                        "NUMBER",
                        "How many taps; by default 4000 in process, 1000 through vpcd, 200 in a reader, 50 that spend."
                    ),
                    .value(
                        "blocks",
                        "NUMBER",
                        "How many processes they are made in, one after the other; 15, through a reader 9, with 1 in this one."
                    ),
                    .value(
                        "warm-up",
                        "NUMBER",
                        "How many taps first do not count, of each block and every hundred."
                    ),
                    .value("compare", "FILE", "Compares with what --json printed earlier."),
                ]
            ),
            AirOptions.group,
            CommandOption.Group(
                "Load",
                [
                    .value("taps", "NUMBER", "Makes so many taps as fast as it can."),
                    .value("cores", "NUMBER", "How many at a time.", default: "1"),
                    .value("shard", "PART/PARTS", "Makes only a part of them: 2/5."),
                    .value(
                        "state",
                        "FILE",
                        "Keeps what was done here, and goes on from there when it is started again."
                    ),
                    .value(
                        "merge",
                        "FILE",
                        "Adds up what --json printed for several parts.",
                        isRepeatable: true
                    ),
                ]
            ),
            PaymentOptions.repeating,
            CommandOption.Group(
                "Output",
                [
                    .flag("json", "Prints JSON."),
                    .value("svg", "FILE", "Also draws a picture."),
                ]
            ),
        ],
        run: { try await run($0) }
    )
}
