import BERTLV
import CommandLineKit
import Octets
import Traces

/// `tapwire trace`: what a card was asked and what it answered, as a file.
enum TraceCommand {
    static let command = Command(
        "trace",
        summary: "Replays recorded taps, and takes them from and to other programs.",
        subcommands: [replay, importing, export, page]
    )

    /// The file that is worked on.
    static let file = Command.Positional("FILE", "A trace file.")

    /// Reads the trace that the command line names.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    static func trace(_ arguments: Arguments) throws -> Trace {
        let path = arguments.positionals[0]
        let text = try InputFile.text(path, "trace")
        do throws(TraceError) {
            return try Trace(parsing: text)
        } catch {
            throw CommandFailure(.badFile, "trace \(path.quoted), \(error.message)")
        }
    }

    /// The option that shows everything.
    private static let unmask = CommandOption.flag(
        "unmask",
        "Keeps account numbers and track data whole."
    )

    private static let importing = Command(
        "import",
        summary: "Makes a trace of what another program has written down.",
        discussion: [
            "Known are logs of pcscd --debug --apdu, logs of OpenSC, what opensc-tool, scriptor, gscriptor, pyscard and "
                + "GlobalPlatformPro print, and any text in which words or arrows tell commands and responses apart: "
                + "C-APDU: and R-APDU:, APDU: and SW:, Sending: and Received:, -> and <-, >> and <<, => and <=, > and <. "
                + "Without any of them the lines are commands and responses in turn. Bytes may have spaces or colons "
                + "between them; whatever else is in the text is passed over.",
            "The trace goes to the standard output, or with --output to a file. A card that is not known to be public is "
                + "masked; --unmask keeps everything.",
        ],
        examples: [
            "sudo pcscd --foreground --debug --apdu | tee pcscd.log",
            "tapwire trace import pcscd.log --output tap.trace",
        ],
        positionals: [Command.Positional("FILE", "The other program's text.")],
        groups: [
            CommandOption.Group("Output", [output("The trace."), unmask])
        ],
        run: { try TraceCommand.importText($0) }
    )

    private static let export = Command(
        "export",
        summary: "Makes a capture file of a trace that Wireshark opens.",
        discussion: [
            "Each command and each response is a packet that Wireshark's own dissector for ISO 7816 takes apart, without "
                + "anything being set up; what is in them as EMV has it stands in the packets' comments. The link type is "
                + "that of exported PDUs (252).",
            "A response comes as long after its command as the card took. When the first command was sent is not in a "
                + "trace: it is midnight (UTC) of the day of the payment, or 1970 where that is not known. What the terminal took "
                + "between a response and the next command is not there either, and counts as nothing.",
            "A command that was recorded in part only has no packet of its own; it stands in the comment of its response.",
        ],
        examples: [
            "tapwire trace export tap.trace --pcapng tap.pcapng && wireshark tap.pcapng"
        ],
        positionals: [file],
        groups: [
            CommandOption.Group(
                "Output",
                [.value("pcapng", "FILE", "The capture file."), unmask]
            )
        ],
        run: { try TraceCommand.export($0) }
    )

    private static let page = Command(
        "page",
        summary: "Makes a web page of a trace: timeline, exchanges, and what is in them.",
        discussion: [
            "The page is one file that needs nothing else, no network and no JavaScript. It is light or dark as the browser "
                + "is, and can be printed with everything unfolded. A card that is not public is masked; --unmask shows "
                + "everything."
        ],
        examples: ["tapwire trace page tap.trace --output tap.html"],
        positionals: [file],
        groups: [
            AirOptions.group,
            CommandOption.Group("Output", [output("The page."), unmask]),
        ],
        run: { try TraceCommand.page($0) }
    )

    private static func output(_ what: String) -> CommandOption {
        .value("output", "FILE", "\(what) Without it, the standard output.")
    }

    private static let replay = Command(
        "replay",
        summary:
            "Plays a recorded tap again, as its card or as its reader, and says what is otherwise.",
        discussion: [
            "As the card, the recorded answers are given: to our point of sale in this process, or with --vpcd or "
                + "--reader to whatever terminal comes. As the reader, the recorded commands are sent: to a built-in "
                + "card, a card of --profile, or the card in a reader.",
            "Commands and responses are taken apart into data objects. What is another each time may be otherwise and is "
                + "told: the terminal's number and clock (9F37, 9A, 9F21, 9F41), the card's counter and what it "
                + "computes (9F36, 9F26, 9F10, 9F4B, 9F4C, 9F69, 9F60, 9F61), and the random numbers of relay "
                + "resistance. Anything else is a deviation: told with what was expected and what came. --vary adds a "
                + "tag to those that may be otherwise, --strict wants every byte as it was.",
            "What is shown is masked unless the recording and the card asked are both public; --unmask shows everything. "
                + "A masked recording is compared with what came, masked as well. A recorded failure of the link cannot be "
                + "made again in a reader: the answer is 6F00.",
            "The exit code is 0 when everything was as recorded, 1 after a deviation, 65 for a bad file, 69 when the "
                + "reader or pcscd is not there.",
        ],
        examples: [
            "tapwire trace replay tap.trace",
            "tapwire trace replay tap.trace --vpcd 127.0.0.1:35963 --vary 9F02",
            "tapwire trace replay tap.trace --as reader --scheme visa",
            "tapwire trace replay tap.trace --as reader --reader 0 --spend-atc",
        ],
        positionals: [file],
        groups: [
            CommandOption.Group(
                "Replay",
                [
                    .choice("as", ["card", "reader"], "Whose part is played.", default: "card"),
                    .value(
                        "vary",
                        "TAG",
                        "A data object that may be otherwise than recorded, such as 9F02.",
                        isRepeatable: true
                    ),
                    .flag("strict", "Wants every byte as it was recorded."),
                    .flag("keep-going", "As the reader: goes on after a deviation."),
                ]
            ),
            CommandOption.Group(
                "The other side",
                [
                    .value("vpcd", "HOST:PORT", "As the card: the virtual reader it is put into."),
                    .value(
                        "reader",
                        "NAME|PART|NUMBER",
                        "As the reader: the one whose card is asked; as the card: an ACR122U."
                    ),
                    .value(
                        "reader-timeout",
                        "SECONDS",
                        "How long the reader may take over one command.",
                        default: "10"
                    ),
                    .flag(
                        "spend-atc",
                        "As the reader: sends a card in a reader what may cost it a counter or a PIN try."
                    ),
                    .choice("scheme", CardOptions.schemes, "As the reader: a built-in card."),
                    .value("profile", "FILE", "As the reader: a card of one's own."),
                    .choice(
                        "cdcvm",
                        ["yes", "no"],
                        "Whether the user of such a card was authenticated on the device.",
                        default: "yes"
                    ),
                ] + TerminalOptions.options
            ),
            CommandOption.Group(
                "Payment, where the recording does not tell it",
                PaymentOptions.options
            ),
            AirOptions.group,
            PaymentOptions.repeating,
            CommandOption.Group("Output", PaymentOptions.output),
        ],
        run: { try await TraceCommand.replay($0) }
    )
}

extension ExchangeComparison {
    /// Reads `--vary` and `--strict`.
    /// - Throws: `CommandFailure` with `ExitCode.usage`.
    init(_ arguments: Arguments) throws {
        if arguments.has("strict") {
            guard !arguments.has("vary") else {
                throw CommandFailure(.usage, "--strict lets nothing vary; leave out --vary")
            }
            self.init(changing: [])
            return
        }
        var changing = Self.changing
        for text in arguments.values("vary") {
            guard let bytes = try? [UInt8](hex: text), let tag = Tag(bytes: bytes) else {
                throw CommandFailure(
                    .usage,
                    "--vary needs a tag in hexadecimal, such as 9F02, not \(text.quoted)"
                )
            }
            changing.insert(tag)
        }
        self.init(changing: changing)
    }
}
