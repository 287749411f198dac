extension Arguments {
    /// Reads the words behind a command's name.
    ///
    /// `--name value` and `--name=value` are the same. A value that itself begins with two dashes needs the
    /// second form. Behind a lone `--` nothing is an option any more.
    /// - Throws: `CommandFailure` with `ExitCode.usage`.
    package init(parsing words: [String], for command: Command) throws(CommandFailure) {
        let options = command.options
        for option in options { defaults[option.name] = option.defaultValue }

        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positionals += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                positionals.append(word)
                continue
            }
            let (name, attached) = try Self.split(word)
            guard let option = options.first(where: { $0.name == name }) else {
                throw .unknown("option", "--\(name)", among: options.map { "--\($0.name)" })
            }
            try take(option, attached: attached, from: &rest)
        }
        try checkPositionals(of: command)
    }

    /// Splits `--name=value`.
    private static func split(
        _ word: String
    ) throws(CommandFailure) -> (name: String, attached: String?) {
        guard word.hasPrefix("--") else {
            let long = "--\(word.dropFirst())"
            throw CommandFailure(
                .usage,
                "options begin with two dashes: \(long.quoted), not \(word.quoted)"
            )
        }
        let body = word.dropFirst(2)
        guard let sign = body.firstIndex(of: "=") else { return (String(body), nil) }
        return (String(body[..<sign]), String(body[body.index(after: sign)...]))
    }

    /// Stores one occurrence of an option with its value.
    private mutating func take(
        _ option: CommandOption,
        attached: String?,
        from rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        if given[option.name] != nil, !option.isRepeatable {
            throw CommandFailure(.usage, "--\(option.name) is given twice; give it once")
        }
        if option.kind == .flag {
            if let attached {
                throw CommandFailure(
                    .usage,
                    "--\(option.name) takes no value; leave out \("=\(attached)".quoted)"
                )
            }
            given[option.name] = [""]
            return
        }
        var value = attached
        if value == nil, let next = rest.first, !next.hasPrefix("--") { value = rest.popFirst() }
        guard let value, !value.isEmpty else {
            throw CommandFailure(.usage, "--\(option.name) needs a value: \(option.signature)")
        }
        if case .choice(let words) = option.kind, !words.contains(value) {
            throw .unknown("value of --\(option.name)", value, among: words, listsAll: true)
        }
        given[option.name, default: []].append(value)
    }

    private func checkPositionals(of command: Command) throws(CommandFailure) {
        let expected = command.positionals
        if let missing = expected.dropFirst(positionals.count).first(where: { !$0.isOptional }) {
            throw CommandFailure(
                .usage,
                "\(command.name) needs \(missing.placeholder): \(missing.summary)"
            )
        }
        let isOpenEnded = expected.last?.isRepeatable ?? false
        guard positionals.count > expected.count, !isOpenEnded else { return }
        throw CommandFailure(
            .usage,
            "\(command.name) does not take \(positionals[expected.count].quoted); "
                + "options begin with two dashes"
        )
    }
}
