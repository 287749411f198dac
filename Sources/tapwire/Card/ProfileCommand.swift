import CommandLineKit
import Profiles

/// `tapwire profile`: the built-in files, to start one's own from.
enum ProfileCommand {
    static let command = Command(
        "profile",
        summary:
            "Prints a built-in card profile or terminal configuration, to start one's own from.",
        examples: [
            "tapwire profile --scheme visa > mycard.json",
            "tapwire profile --terminal > myterminal.json",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .choice("scheme", ["visa", "mastercard"], "Prints the card of this scheme."),
                    .flag("terminal", "Prints the terminal's configuration."),
                ]
            )
        ],
        run: { arguments in
            Console.output.write(try text(arguments))
            return .success
        }
    )

    private static func text(_ arguments: Arguments) throws -> String {
        let scheme = arguments["scheme"].flatMap(Scheme.init(rawValue:))
        switch (scheme, arguments.has("terminal")) {
        case (let scheme?, false): return CardProfile.builtInJSON(scheme)
        case (nil, true): return TerminalConfiguration.builtInJSON
        default:
            throw CommandFailure(
                .usage,
                "profile needs --scheme visa, --scheme mastercard or --terminal, one of them"
            )
        }
    }
}
