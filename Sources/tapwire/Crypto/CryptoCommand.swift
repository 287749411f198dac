import CommandLineKit

/// `tapwire crypto`: the calculator of keys, cryptograms, scripts and certificates.
enum CryptoCommand {
    static let command = Command(
        "crypto",
        summary: "Computes keys, cryptograms, scripts, PIN blocks and certificates step by step.",
        subcommands: operations.map(\.command) + [batchCommand]
    )

    /// Every calculation, in the order the help shows.
    static let operations: [CryptoOperation] = [
        masterKey, sessionKey, limitedUseKey, checkValue, cryptogram, response, scriptMAC,
        scriptEncipherment, cvc3, cardValue, pinBlock, certificate, signedDynamicData,
    ]
}

/// One calculation: what it takes and what it gives.
struct CryptoOperation: Sendable {
    /// The word that calls it.
    var name: String
    /// One sentence for the help.
    var summary: String
    /// Paragraphs below the options.
    var discussion: [String] = []
    /// A command line that works.
    var examples: [String]
    /// What it takes, grouped for the help.
    var groups: [CommandOption.Group]
    /// Computes.
    var run: @Sendable (CryptoInput) throws(CommandFailure) -> CryptoResult

    /// The calculation as a command.
    var command: Command {
        let output = CommandOption.Group(
            "Output",
            [
                .flag("steps", "Shows what was computed on the way."),
                .flag("json", "Prints JSON instead of text."),
            ]
        )
        return Command(
            name,
            summary: summary,
            discussion: discussion,
            examples: examples,
            groups: groups + [output],
            run: { arguments in
                let result = try result(of: CryptoInput(arguments, options))
                let text =
                    arguments.has("json")
                    ? result.json(withSteps: arguments.has("steps")).text
                    : result.text(withSteps: arguments.has("steps"))
                Console.output.write(text)
                for remark in result.remarks { Console.diagnostics.write("tapwire: \(remark)\n") }
                if let problem = result.problem {
                    Console.diagnostics.write("tapwire: \(problem)\n")
                }
                return result.isGood ? .success : .failure
            }
        )
    }

    /// Computes, and refuses what the calculation has no use for: who gave it expects that it counts.
    func result(of input: CryptoInput) throws(CommandFailure) -> CryptoResult {
        let result = try run(input)
        // Behind a check that fails nothing more is looked at.
        guard result.problem == nil, let unused = input.unused(among: options.map(\.name)) else {
            return result
        }
        throw CommandFailure(
            .usage,
            "--\(unused) plays no part beside what else was given; leave it out, or see tapwire crypto \(name) --help"
        )
    }

    /// All it takes.
    var options: [CommandOption] { groups.flatMap(\.options) }
}

/// What a calculation gave.
struct CryptoResult: Sendable {
    /// A named value.
    struct Value: Sendable {
        /// What JSON calls it.
        var name: String
        /// What people call it.
        var label: String
        /// The value.
        var value: JSONValue
    }

    /// What was asked for.
    var values: [Value] = []
    /// What was computed on the way.
    var steps: [Value] = []
    /// What looks odd about the input, though something can be computed of it.
    var remarks: [String] = []
    /// Whether everything that was checked holds.
    var isGood = true
    /// Why there is no more; nil when there is everything.
    var problem: String?

    /// Adds a result.
    mutating func add(_ name: String, _ label: String, _ value: String) {
        values.append(Value(name: name, label: label, value: .string(value)))
    }

    /// Adds something computed on the way.
    mutating func step(_ name: String, _ label: String, _ value: String) {
        steps.append(Value(name: name, label: label, value: .string(value)))
    }

    /// Adds the result of a check.
    mutating func check(_ name: String, _ label: String, _ isRight: Bool) {
        values.append(Value(name: name, label: label, value: .bool(isRight)))
        if !isRight { isGood = false }
    }

    /// Adds what `body` gives, up to the check that fails.
    mutating func attempt(
        _ body: (inout CryptoResult) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        do throws(CommandFailure) { try body(&self) } catch {
            guard error.exitCode == .failure else { throw error }
            problem = error.message
            isGood = false
        }
    }

    /// The result as aligned lines, the steps first.
    func text(withSteps: Bool) -> String {
        var table = TextTable()
        for value in (withSteps ? steps : []) + values { table.append(value.label, value.text) }
        return table.lines.map { $0 + "\n" }.joined()
    }

    /// The result as JSON.
    func json(withSteps: Bool) -> JSONValue {
        var members = values.map { JSONValue.Member($0.name, $0.value) }
        if withSteps {
            let steps = steps.map { JSONValue.Member($0.name, $0.value) }
            members.append(JSONValue.Member("steps", .object(steps)))
        }
        if !remarks.isEmpty {
            members.append(JSONValue.Member("remarks", .array(remarks.map { .string($0) })))
        }
        if let problem { members.append(JSONValue.Member("error", .string(problem))) }
        return .object(members)
    }
}

extension CryptoResult.Value {
    /// The value as people read it.
    var text: String {
        switch value {
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .integer(let number): String(number)
        case .string(let text): text.isEmpty ? "(nothing)" : text
        default: value.line
        }
    }
}
