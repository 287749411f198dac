/// A program made of subcommands.
public struct CommandLineProgram: Sendable {
    /// What a command line asks for.
    enum Request {
        /// Text that the user asked to see.
        case show(String)
        /// The program was called without a word: the help goes to the diagnostics.
        case explain(String)
        /// A command with its arguments.
        case run(Command, Arguments)
    }

    /// The name it is called by.
    public var name: String
    /// One sentence for the help.
    public var summary: String
    /// The version, as `--version` prints it.
    public var version: String
    /// The subcommands, in the order shown.
    public var commands: [Command]

    /// Collects the parts.
    public init(name: String, summary: String, version: String, commands: [Command]) {
        self.name = name
        self.summary = summary
        self.version = version
        self.commands = commands
    }

    /// Carries out a command line.
    ///
    /// What was asked for goes to the standard output, errors go to the standard error as one sentence.
    /// - Parameter words: The arguments, without the program's own name.
    /// - Returns: What the program shall exit with.
    public func run(_ words: [String]) async -> ExitCode {
        let code = await perform(words)
        guard Console.hasLostOutput else { return code }
        // Whoever reads no more wants to hear no more.
        if Console.hasLostReader { Interruption.dieOfClosedPipe() }
        Console.diagnostics.write("\(name): the output cannot be written; is the disk full?\n")
        return .badFile
    }

    private func perform(_ words: [String]) async -> ExitCode {
        do {
            switch try request(words) {
            case .show(let text):
                Console.output.write(text)
                return .success
            case .explain(let text):
                Console.diagnostics.write(text)
                return .usage
            case .run(let command, let arguments):
                return try await command.run(arguments)
            }
        } catch let failure as CommandFailure {
            // A sentence repeats what stands in files and on command lines.
            Console.diagnostics.write("\(name): \(failure.message.escapingControls)\n")
            return failure.exitCode
        } catch {
            Console.diagnostics.write("\(name): internal fault, please report it: \(error)\n")
            return .internalFault
        }
    }

    /// Reads a command line.
    func request(_ words: [String]) throws(CommandFailure) -> Request {
        guard let first = words.first else { return .explain(help) }
        let rest = Array(words.dropFirst())
        switch first {
        case "--help", "-h": return .show(help)
        case "--version": return .show("\(name) \(version)\n")
        case "help":
            guard let topic = rest.first else { return .show(help) }
            let command = try command(topic)
            let words = Array(rest.dropFirst())
            if let program = program(of: command, for: words) {
                return try program.request(["help"] + words)
            }
            return .show(help(for: command))
        default: break
        }
        guard !first.hasPrefix("-") else {
            throw .unknown("option", first, among: ["--help", "--version"])
        }
        let command = try command(first)
        if let program = program(of: command, for: rest) { return try program.request(rest) }
        let beforeTerminator = rest.prefix { $0 != "--" }
        if beforeTerminator.contains("--help") || beforeTerminator.contains("-h") {
            return .show(help(for: command))
        }
        return .run(command, try Arguments(parsing: rest, for: command))
    }

    /// The commands below a command as a program of their own; nil when none is called and it does something itself.
    private func program(of command: Command, for words: [String]) -> CommandLineProgram? {
        let isCalled = command.subcommands.contains { $0.name == words.first }
        guard isCalled || !command.runsAlone else { return nil }
        return CommandLineProgram(
            name: "\(name) \(command.name)",
            summary: command.summary,
            version: version,
            commands: command.subcommands
        )
    }

    private func command(_ name: String) throws(CommandFailure) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        throw .unknown("subcommand", name, among: commands.map(\.name) + ["help"])
    }
}
