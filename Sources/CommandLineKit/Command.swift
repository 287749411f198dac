/// A subcommand of a program: what it takes, what it says about itself, what it does.
public struct Command: Sendable {
    /// An argument without a name in front.
    public struct Positional: Hashable, Sendable {
        /// What the help calls it, in capitals.
        public var placeholder: String
        /// One sentence for the help.
        public var summary: String
        /// Whether any number of them may follow.
        public var isRepeatable: Bool
        /// Whether it may be left out.
        public var isOptional: Bool

        /// Collects the parts.
        public init(
            _ placeholder: String,
            _ summary: String,
            isRepeatable: Bool = false,
            isOptional: Bool = false
        ) {
            self.placeholder = placeholder
            self.summary = summary
            self.isRepeatable = isRepeatable
            self.isOptional = isOptional
        }

        /// The argument as the usage line shows it: `[FILE ...]`.
        var signature: String {
            let text = placeholder + (isRepeatable ? " ..." : "")
            return isOptional ? "[\(text)]" : text
        }
    }

    /// The word that calls it.
    public var name: String
    /// One sentence for the program's help.
    public var summary: String
    /// Paragraphs below the options.
    public var discussion: [String]
    /// Command lines worth copying.
    public var examples: [String]
    /// Arguments without a name in front; optional ones stand behind all others.
    public var positionals: [Positional]
    /// The options, grouped for the help.
    public var groups: [CommandOption.Group]
    /// Commands below this one, in the order shown.
    public var subcommands: [Command] = []
    /// Whether it does something without one of its subcommands.
    public var runsAlone = true
    /// Does the work; a `CommandFailure` thrown here becomes a sentence and an exit code.
    public var run: @Sendable (Arguments) async throws -> ExitCode

    /// Collects the parts.
    public init(
        _ name: String,
        summary: String,
        discussion: [String] = [],
        examples: [String] = [],
        positionals: [Positional] = [],
        groups: [CommandOption.Group] = [],
        run: @escaping @Sendable (Arguments) async throws -> ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.positionals = positionals
        self.groups = groups
        self.run = run
    }

    /// A command that only stands before others: `tapwire crypto ac`.
    public init(_ name: String, summary: String, subcommands: [Command]) {
        self.init(name, summary: summary) { _ in .usage }
        self.subcommands = subcommands
        runsAlone = false
    }

    /// All options, in the order shown.
    var options: [CommandOption] { groups.flatMap(\.options) }
}
