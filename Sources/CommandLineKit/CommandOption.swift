/// An option of a command, `--name` or `--name VALUE`.
public struct CommandOption: Hashable, Sendable {
    /// What stands behind the name.
    public enum Kind: Hashable, Sendable {
        /// Nothing: the option is there or not.
        case flag
        /// Any text; the placeholder stands for it in the help.
        case value(placeholder: String)
        /// One of these words.
        case choice([String])
    }

    /// The name, without its two dashes.
    public var name: String
    /// What stands behind the name.
    public var kind: Kind
    /// One sentence for the help.
    public var summary: String
    /// The value where the option is not given; nil when there is none.
    public var defaultValue: String?
    /// Whether the option may be given more than once.
    public var isRepeatable: Bool

    /// An option that is there or not.
    public static func flag(_ name: String, _ summary: String) -> Self {
        Self(name: name, kind: .flag, summary: summary)
    }

    /// An option with a value.
    public static func value(
        _ name: String,
        _ placeholder: String,
        _ summary: String,
        default defaultValue: String? = nil,
        isRepeatable: Bool = false
    ) -> Self {
        Self(
            name: name,
            kind: .value(placeholder: placeholder),
            summary: summary,
            defaultValue: defaultValue,
            isRepeatable: isRepeatable
        )
    }

    /// An option whose value is one of `words`.
    public static func choice(
        _ name: String,
        _ words: [String],
        _ summary: String,
        default defaultValue: String? = nil
    ) -> Self {
        Self(name: name, kind: .choice(words), summary: summary, defaultValue: defaultValue)
    }

    private init(
        name: String,
        kind: Kind,
        summary: String,
        defaultValue: String? = nil,
        isRepeatable: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.defaultValue = defaultValue
        self.isRepeatable = isRepeatable
    }

    /// The option as a command line shows it: `--amount AMOUNT`.
    var signature: String {
        switch kind {
        case .flag: "--\(name)"
        case .value(let placeholder): "--\(name) \(placeholder)"
        case .choice(let words): "--\(name) \(words.joined(separator: "|"))"
        }
    }

    /// Options that belong together in the help.
    public struct Group: Hashable, Sendable {
        /// The heading.
        public var title: String
        /// The options, in the order shown.
        public var options: [CommandOption]

        /// Joins a heading and its options.
        public init(_ title: String, _ options: [CommandOption]) {
            self.title = title
            self.options = options
        }
    }
}
