import Testing

@testable import CommandLineKit

/// A command with one option of every kind.
private let brew = Command(
    "brew",
    summary: "Makes tea.",
    discussion: ["Tea is made of water and leaves."],
    examples: ["pot brew --leaf green CUP"],
    positionals: [Command.Positional("CUP", "Where the tea goes.")],
    groups: [
        CommandOption.Group(
            "Tea",
            [
                .choice("leaf", ["green", "black"], "Which leaves.", default: "black"),
                .value("minutes", "MINUTES", "How long it stands."),
                .value("add", "THING", "What goes in.", isRepeatable: true),
            ]
        ),
        CommandOption.Group("Output", [.flag("json", "Prints JSON.")]),
    ],
    run: { _ in .success }
)

private let pot = CommandLineProgram(
    name: "pot",
    summary: "Makes hot drinks.",
    version: "1.2",
    commands: [brew]
)

@Suite("Command lines")
struct ParsingTests {
    @Test("Options, flags and positionals are found wherever they stand")
    func everything() throws {
        let words = [
            "--json", "--leaf=green", "cup", "--minutes", "-3", "--add", "milk", "--add=a=b",
        ]
        let arguments = try Arguments(parsing: words, for: brew)
        #expect(arguments.has("json"))
        #expect(arguments["leaf"] == "green")
        #expect(arguments["minutes"] == "-3")
        #expect(arguments.values("add") == ["milk", "a=b"])
        #expect(arguments.positionals == ["cup"])
    }

    @Test("Options become words that read as the same options, whatever is in them")
    func words() throws {
        let words = [
            "--json", "--leaf=green", "--minutes", "-3", "--add", "a=b", "--add=--c d", "cup",
        ]
        let arguments = try Arguments(parsing: words, for: brew)
        let again = arguments.optionWords(without: [])
        #expect(again == ["--add=a=b", "--add=--c d", "--json", "--leaf=green", "--minutes=-3"])
        #expect(try Arguments(parsing: again + ["cup"], for: brew) == arguments)
        #expect(
            arguments.optionWords(without: ["add", "leaf", "cup"]) == ["--json", "--minutes=-3"]
        )
    }

    @Test("An optional positional may be left out, and the usage line says so")
    func optional() throws {
        let pour = Command(
            "pour",
            summary: "Pours tea.",
            positionals: [
                Command.Positional("POT", "From where."),
                Command.Positional("CUP", "Where to.", isRepeatable: true, isOptional: true),
            ],
            run: { _ in .success }
        )
        #expect(try Arguments(parsing: ["pot"], for: pour).positionals == ["pot"])
        #expect(try Arguments(parsing: ["pot", "a", "b"], for: pour).positionals.count == 3)
        #expect(throws: CommandFailure(.usage, "pour needs POT: From where.")) {
            try Arguments(parsing: [], for: pour)
        }
        #expect(pot.help(for: pour).contains("Usage: pot pour POT [CUP ...]"))
    }

    @Test("A default stands in for an option that is not given, and is not given")
    func defaults() throws {
        let arguments = try Arguments(parsing: ["cup"], for: brew)
        #expect(arguments["leaf"] == "black")
        #expect(!arguments.has("leaf"))
        #expect(arguments["minutes"] == nil)
        #expect(arguments.values("add") == [])
    }

    @Test("Behind two dashes nothing is an option")
    func terminator() throws {
        #expect(try Arguments(parsing: ["--", "--json"], for: brew).positionals == ["--json"])
        #expect(try Arguments(parsing: ["-"], for: brew).positionals == ["-"])
    }

    @Test(
        "A wrong command line is one sentence that names the thing and the way out",
        arguments: [
            (["--jsno", "cup"], "unknown option “--jsno”; did you mean --json?"),
            (["--minute", "3", "cup"], "unknown option “--minute”; did you mean --minutes?"),
            (["--zebra", "cup"], "unknown option “--zebra”; --help lists what there is"),
            (["-json", "cup"], "options begin with two dashes: “--json”, not “-json”"),
            (["--json", "--json", "cup"], "--json is given twice; give it once"),
            (["--json=yes", "cup"], "--json takes no value; leave out “=yes”"),
            (["cup", "--minutes"], "--minutes needs a value: --minutes MINUTES"),
            (["cup", "--minutes", "--json"], "--minutes needs a value: --minutes MINUTES"),
            (["cup", "--minutes="], "--minutes needs a value: --minutes MINUTES"),
            (["cup", "--leaf", "gren"], "unknown value of --leaf “gren”; did you mean green?"),
            (["cup", "--leaf", "white"], "unknown value of --leaf “white”; use green or black"),
            ([], "brew needs CUP: Where the tea goes."),
            (["cup", "mug"], "brew does not take “mug”; options begin with two dashes"),
            (
                ["cup", "a\u{1B}[31m"],
                "brew does not take “a\\u{1B}[31m”; options begin with two dashes"
            ),
        ]
    )
    func errors(words: [String], message: String) {
        #expect(throws: CommandFailure(.usage, message)) {
            try Arguments(parsing: words, for: brew)
        }
    }

    @Test("A value that is read says what it should have been")
    func values() throws {
        let arguments = try Arguments(parsing: ["cup", "--minutes", "soon"], for: brew)
        let expected = CommandFailure(.usage, "--minutes needs a number, not “soon”")
        #expect(throws: expected) {
            try arguments.value("minutes", expecting: "a number") { Int($0) }
        }
        let fine = try Arguments(parsing: ["cup", "--minutes", "4"], for: brew)
        #expect(try fine.value("minutes", expecting: "a number") { Int($0) } == 4)
        #expect(try fine.value("leaf", expecting: "a word") { $0 } == "black")
        #expect(try fine.value("add", expecting: "a word") { $0 } == nil)
    }

    @Test("Quoted text is cut where it is long")
    func quoting() {
        #expect(
            String(repeating: "x", count: 201).quoted == "“" + String(repeating: "x", count: 200)
                + "…”"
        )
        #expect(
            String(repeating: "x", count: 200).quoted == "“" + String(repeating: "x", count: 200)
                + "”"
        )
    }

    @Test("What could steer a terminal is escaped where text is quoted or stands in a sentence")
    func escaping() {
        #expect("a\u{1B}[31m\u{7}\n\u{202E}é".quoted == #"“a\u{1B}[31m\u{07}\n\u{202E}é”"#)
        #expect("naïve €".escapingControls == "naïve €")
    }

    @Test("The program's own help and version", arguments: [["--help"], ["-h"], ["help"]])
    func ownWords(words: [String]) throws {
        #expect(try shown(words) == pot.help)
        #expect(try shown(["--version"]) == "pot 1.2\n")
    }

    @Test(
        "A command's help comes however it is asked for",
        arguments: [["help", "brew"], ["brew", "--help"], ["brew", "--zebra", "-h"]]
    )
    func commandWords(words: [String]) throws {
        #expect(try shown(words) == pot.help(for: brew))
    }

    /// The text a command line asks to see; nil when it asks for something else.
    private func shown(_ words: [String]) throws -> String? {
        if case .show(let text) = try pot.request(words) { text } else { nil }
    }

    @Test("A program called without a word explains itself")
    func nothing() throws {
        guard case .explain(pot.help) = try pot.request([]) else {
            Issue.record("no explanation")
            return
        }
    }

    @Test(
        "Unknown subcommands",
        arguments: [
            (["brwe"], "unknown subcommand “brwe”; did you mean brew?"),
            (["help", "brwe"], "unknown subcommand “brwe”; did you mean brew?"),
            (["wash"], "unknown subcommand “wash”; --help lists what there is"),
            (["--verison"], "unknown option “--verison”; did you mean --version?"),
        ]
    )
    func subcommands(words: [String], message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try pot.request(words) }
    }

    @Test("The help of a program reads like this")
    func programHelp() {
        #expect(
            pot.help == """
                Makes hot drinks.

                Usage: pot SUBCOMMAND [options]

                Subcommands:
                  brew             Makes tea.
                  help SUBCOMMAND  Shows the options of a subcommand.

                Options:
                  --version  Shows the version.
                  --help     Shows this help.

                """
        )
    }

    @Test("The help of a command reads like this")
    func commandHelp() {
        #expect(
            pot.help(for: brew) == """
                Makes tea.

                Usage: pot brew [options] CUP

                Arguments:
                  CUP  Where the tea goes.

                Tea:
                  --leaf green|black  Which leaves. [black]
                  --minutes MINUTES   How long it stands.
                  --add THING         What goes in. May be given more than once.

                Output:
                  --json              Prints JSON.
                  --help              Shows this help.

                Tea is made of water and leaves.

                Examples:
                  pot brew --leaf green CUP

                """
        )
    }
}
