/// What a command was given on its command line.
public struct Arguments: Hashable, Sendable {
    /// The arguments without a name in front.
    public internal(set) var positionals: [String] = []
    /// What was given for each option, in order; an empty text for a flag.
    var given: [String: [String]] = [:]
    /// What holds for options that were not given.
    var defaults: [String: String] = [:]

    /// Whether an option stood on the command line.
    public func has(_ name: String) -> Bool { given[name] != nil }

    /// The value of an option, or its default; nil when there is neither.
    public subscript(name: String) -> String? { given[name]?.last ?? defaults[name] }

    /// The options that stood on the command line as words that read as the same again, by name.
    /// - Parameter names: Those that are left out.
    /// - Returns: A word for each time an option stood there: `--name=value`.
    public func optionWords(without names: Set<String>) -> [String] {
        given.sorted { $0.key < $1.key }.filter { !names.contains($0.key) }.flatMap {
            name,
            values in
            values.map { $0.isEmpty ? "--\(name)" : "--\(name)=\($0)" }
        }
    }

    /// Every value given for an option, in order.
    public func values(_ name: String) -> [String] { given[name] ?? [] }

    /// Reads the value of an option as something else than text; nil when there is none.
    /// - Parameters:
    ///   - name: The option.
    ///   - expected: What the value must be, for the error: "an amount such as 12.34".
    ///   - read: Reads the text; nil when it does not fit.
    /// - Returns: The value, or the one read from the default.
    /// - Throws: `CommandFailure` with `ExitCode.usage` when the text does not fit.
    public func value<Value>(
        _ name: String,
        expecting expected: String,
        read: (String) -> Value?
    ) throws(CommandFailure) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else {
            throw CommandFailure(.usage, "--\(name) needs \(expected), not \(text.quoted)")
        }
        return value
    }
}

extension String {
    /// The text in quotes for a message: control characters are escaped and long text is cut.
    public var quoted: String {
        let limit = 200
        let shown = count > limit ? prefix(limit) + "…" : self[...]
        return "“\(String(shown).escapingControls)”"
    }
}
