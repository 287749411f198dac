extension CommandLineProgram {
    /// How wide help text is at most, in columns.
    static var helpWidth: Int { 100 }

    /// The program's help.
    var help: String {
        var lines = [summary, "", "Usage: \(name) SUBCOMMAND [options]", "", "Subcommands:"]
        let extra = [("help SUBCOMMAND", "Shows the options of a subcommand.")]
        lines += Self.entries(commands.map { ($0.name, $0.summary) } + extra)
        lines += ["", "Options:"]
        lines += Self.entries([
            ("--version", "Shows the version."), ("--help", "Shows this help."),
        ])
        return lines.joined(separator: "\n") + "\n"
    }

    /// The help of one command.
    func help(for command: Command) -> String {
        var usage = ["Usage: \(name) \(command.name)"]
        if !command.options.isEmpty { usage.append("[options]") }
        usage += command.positionals.map(\.signature)

        var lines = TextWrapping.wrap(command.summary, width: Self.helpWidth)
        lines += ["", usage.joined(separator: " ")]
        if !command.positionals.isEmpty {
            lines += ["", "Arguments:"]
            lines += Self.entries(command.positionals.map { ($0.placeholder, $0.summary) })
        }
        if !command.subcommands.isEmpty {
            lines += ["", "Subcommands:"]
            lines += Self.entries(command.subcommands.map { ($0.name, $0.summary) })
        }
        // One column for the whole page, however the options are grouped.
        let helpOption = CommandOption.flag("help", "Shows this help.")
        let column = Self.column((command.options + [helpOption]).map(\.signature))
        var groups = command.groups
        if groups.isEmpty { groups.append(CommandOption.Group("Options", [])) }
        groups[groups.count - 1].options.append(helpOption)
        for group in groups {
            lines += ["", "\(group.title):"]
            let rows = group.options.map { ($0.signature, Self.text(of: $0)) }
            lines += Self.entries(rows, column: column)
        }
        for paragraph in command.discussion {
            lines += [""] + TextWrapping.wrap(paragraph, width: Self.helpWidth)
        }
        if !command.examples.isEmpty {
            lines += ["", "Examples:"] + command.examples.map { "  " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(of option: CommandOption) -> String {
        var text = option.summary
        if option.isRepeatable { text += " May be given more than once." }
        if let value = option.defaultValue { text += " [\(value)]" }
        return text
    }

    /// Where summaries begin: behind the longest signature, within reason.
    private static func column(_ signatures: [String]) -> Int {
        min(signatures.map(\.count).max() ?? 0, 32) + 4
    }

    /// Two columns; a signature that is too long has its summary on the next line.
    private static func entries(_ rows: [(String, String)], column given: Int? = nil) -> [String] {
        let column = given ?? column(rows.map(\.0))
        let indent = String(repeating: " ", count: column)
        return rows.flatMap { signature, summary in
            var lines = TextWrapping.wrap(summary, width: helpWidth - column).map { indent + $0 }
            let head = "  " + signature
            if head.count + 2 <= column, let first = lines.first {
                lines[0] = head + first.dropFirst(head.count)
            } else {
                lines.insert(head, at: 0)
            }
            return lines
        }
    }
}
