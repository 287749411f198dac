import CommandLineKit
import TestVectors

/// `tapwire vectors`: runs files of test values, and commands against cards.
enum VectorsCommand {
    static let command = Command(
        "vectors",
        summary: "Runs test vectors: computes each case and compares with what its source says.",
        discussion: [
            "Without a path the program's own files are run. A folder stands for the .json files in it. Vectors/README.md "
                + "describes the format, which is the same for files of your own.",
            "Card tests send commands to the built-in cards. With --scheme, --profile or --reader nothing else is run, on "
                + "that card: with --profile and --reader every card test of PATH, and without PATH those that are for "
                + "every card. In a reader, tests that could cost the card a transaction counter or a try of its PIN are "
                + "left out unless --spend-atc is given.",
            "A case whose value is in doubt is run like any other and told at the end.",
        ],
        examples: [
            "tapwire vectors", "tapwire vectors --filter cvn18",
            "tapwire vectors my-vectors/ --json",
            "tapwire vectors --shard 2/4 --junit results.xml", "tapwire vectors --reader 0",
        ],
        positionals: [
            Command.Positional(
                "PATH",
                "A file of test vectors, or a folder of them.",
                isRepeatable: true,
                isOptional: true
            )
        ],
        groups: [
            CommandOption.Group(
                "Cases",
                [
                    .value("filter", "TEXT", "Only families and cases with TEXT in their name."),
                    .value("shard", "I/N", "Only part I of N parts that make up the whole."),
                    .flag("list", "Names the cases instead of running them."),
                    .value(
                        "show",
                        "FAMILY",
                        "Prints the program's file of a family, to start one's own from."
                    ),
                ]
            ),
            CommandOption.Group(
                "Card tests",
                [
                    .choice("scheme", CardOptions.schemes, "Only card tests, on a built-in card."),
                    .value("profile", "FILE", "Only card tests, on the card of a profile."),
                    .value(
                        "reader",
                        "NAME|PART|NUMBER",
                        "Only card tests, on the card in a reader."
                    ),
                    .flag("spend-atc", "With --reader: runs tests that may cost the card."),
                    .flag("unmask", "With --reader: shows account numbers and track data whole."),
                ]
            ),
            CommandOption.Group(
                "Output",
                [
                    .flag("json", "Prints JSON, with every case."),
                    .value("junit", "FILE", "Writes a report in JUnit's form as well."),
                ]
            ),
        ],
        run: { arguments in try await onThread(named: "vectors") { try run(arguments) } }
    )

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        for option in ["list", "show"] where arguments.has(option) && arguments.has("junit") {
            throw CommandFailure(
                .usage,
                "--\(option) runs nothing, so that --junit has nothing to report; leave one of them out"
            )
        }
        if let family = arguments["show"] {
            let others = [
                "list", "filter", "shard", "scheme", "profile", "reader", "spend-atc", "unmask",
                "json",
            ]
            let other = others.first(where: arguments.has).map { "--\($0)" }
            if let other = other ?? (arguments.positionals.isEmpty ? nil : "a PATH") {
                throw CommandFailure(
                    .usage,
                    "--show prints the program's own file whole, so that \(other) plays no part; leave it out"
                )
            }
            try show(family)
            return .success
        }
        let card = try VectorCardChoice(arguments)
        let items = try VectorSelection(arguments, card).items()
        guard !arguments.has("list") else {
            Console.output.write(
                arguments.has("json") ? VectorReport.listJSON(items).text : VectorReport.list(items)
            )
            return .success
        }
        let junit = try OutputFile(
            "junit",
            "JUnit report",
            arguments,
            inputs: arguments.positionals
        )
        let report = try VectorRunner(card).run(items)
        try junit?.write(report.junit)
        Console.output.write(arguments.has("json") ? report.json.text : report.text)
        return report.failedCount == 0 ? .success : .failure
    }

    /// Prints the program's file of a family.
    private static func show(_ family: String) throws(CommandFailure) {
        guard let file = VectorFile.builtIn.first(where: { $0.name == "\(family).json" }) else {
            throw .unknown("family", family, among: VectorFamilies.names)
        }
        Console.output.write(String(decoding: file.json, as: UTF8.self))
    }
}
