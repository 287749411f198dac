import CommandLineKit
import EMVData
import Foundation
import Octets
import Transport

/// `tapwire apdu`: raw commands to a card.
enum APDUCommand {
    static let command = Command(
        "apdu",
        summary: "Sends APDUs to a card as they are, and explains what comes back.",
        discussion: [
            "The commands come from the command line, from a file, or from the standard input, one on each line; # begins "
                + "a comment. Bytes may be written with spaces between them. Nothing is added: no Le is corrected and no "
                + "further part fetched.",
            "GET PROCESSING OPTIONS and GENERATE AC spend a real card's transaction counters.",
        ],
        examples: [
            "tapwire apdu 00A404000E325041592E5359532E444446303100",
            "tapwire apdu --scheme visa \"00 A4 04 00 07 A0 00 00 00 03 10 10 00\"",
            "tapwire apdu --reader 0 --file commands.txt --json",
        ],
        positionals: [
            Command.Positional(
                "HEX",
                "A command APDU, or all the bytes of one.",
                isRepeatable: true,
                isOptional: true
            )
        ],
        groups: [
            CommandOption.Group(
                "Card",
                ChosenCard.options + [.value("file", "FILE", "A file with the commands.")]
            ),
            CommandOption.Group(
                "Output",
                [
                    .flag("json", "Prints JSON, one object on each line."), PaymentOptions.trace,
                    .flag("unmask", "Shows account numbers and track data whole."),
                ]
            ),
        ],
        run: { arguments in try await onThread(named: "reader") { try run(arguments) } }
    )

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let commands = try commands(arguments)
        let trace = try OutputFile("trace", "trace file", arguments)
        var card = try ChosenCard(arguments)
        let isOpen = card.isPublic || arguments.has("unmask")
        let redaction = Redaction(isOpen ? .nothing : .cardholderData)
        var talk = CardTalk(redaction, isJSON: arguments.has("json"))
        try card.await()
        let result = Result {
            if let commands {
                for command in commands { try talk.send(command, to: &card) }
            } else {
                try talk.converse(with: &card)
            }
        }
        // What went before a failure is worth the more.
        try trace?.write(talk.exchanges, of: card.name, isPublic: card.isPublic, redaction)
        try result.get()
        return .success
    }

    /// The commands of the command line or the file; nil where they come one by one.
    private static func commands(_ arguments: Arguments) throws -> [[UInt8]]? {
        if let path = arguments["file"] {
            guard arguments.positionals.isEmpty else {
                throw CommandFailure(
                    .usage,
                    "give the commands in the file or as arguments, not both"
                )
            }
            let lines = try InputFile.text(path, "command file")
                .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let commands = try lines.enumerated().compactMap { index, line in
                do throws(RawCommand.Fault) {
                    return try RawCommand.parse(line)
                } catch {
                    throw CommandFailure(
                        .badFile,
                        "command file \(path.quoted), line \(index + 1): \(error.text)"
                    )
                }
            }
            guard !commands.isEmpty else {
                throw CommandFailure(.badFile, "command file \(path.quoted) holds no command")
            }
            return commands
        }
        guard !arguments.positionals.isEmpty else { return nil }
        let words = arguments.positionals
        // 00 A4 04 00 ... without quotes are the bytes of one command.
        let texts = words.allSatisfy { $0.count == 2 } ? [words.joined()] : words
        return try texts.map { text in
            do throws(RawCommand.Fault) {
                if let command = try RawCommand.parse(text) { return command }
                throw RawCommand.Fault(text: "there is no command in it")
            } catch {
                throw CommandFailure(.usage, "\(text.quoted): \(error.text)")
            }
        }
    }
}

/// A command as people write it.
enum RawCommand {
    /// Why text is not a command.
    struct Fault: Error {
        /// The reason, for people.
        var text: String
    }

    /// The longest command: an extended header, 65535 bytes and Le.
    private static let maximumByteCount = 4 + 3 + 65535 + 2

    /// Reads a command; nil for an empty line or a comment.
    static func parse(_ text: some StringProtocol) throws(Fault) -> [UInt8]? {
        let content = String(text.prefix { $0 != "#" }.filter { !$0.isWhitespace })
        guard !content.isEmpty else { return nil }
        guard let bytes = try? [UInt8](hex: content) else {
            throw Fault(text: "a command is written as whole bytes in hexadecimal")
        }
        guard bytes.count >= 4 else {
            throw Fault(text: "a command has at least four bytes: CLA, INS, P1 and P2")
        }
        guard bytes.count <= maximumByteCount else {
            throw Fault(text: "a command has at most \(maximumByteCount) bytes")
        }
        return bytes
    }
}

/// Sends commands one by one and shows what comes back.
private struct CardTalk {
    private var page = Page(.output, showsAllBytes: true)
    private var decoder: ExchangeDecoder
    private let isJSON: Bool
    /// What went to the card and came back.
    private(set) var exchanges: [Exchange] = []

    init(_ redaction: Redaction, isJSON: Bool) {
        decoder = ExchangeDecoder(currency: .eur, redaction: redaction)
        self.isJSON = isJSON
    }

    /// Sends a command and shows the exchange.
    mutating func send(_ command: [UInt8], to card: inout ChosenCard) throws {
        let exchange = card.exchange(command)
        exchanges.append(exchange)
        show(decoder.decode(exchange))
        if case .failure(let error) = exchange.result { throw CommandFailure(error) }
    }

    /// Sends what the standard input says, line by line.
    ///
    /// On a terminal a line that is no command is told and another one asked for.
    mutating func converse(with card: inout ChosenCard) throws {
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        var number = 0
        while true {
            if isTerminal { Console.output.write("apdu> ") }
            guard let line = try StandardInput.line() else { break }
            number += 1
            let command: [UInt8]?
            do throws(RawCommand.Fault) {
                command = try RawCommand.parse(line)
            } catch {
                guard isTerminal else {
                    throw CommandFailure(.badFile, "standard input, line \(number): \(error.text)")
                }
                Console.diagnostics.write("\(error.text)\n")
                continue
            }
            if let command { try send(command, to: &card) }
        }
        if isTerminal { Console.output.write("\n") }
    }

    private mutating func show(_ exchange: DecodedExchange) {
        if isJSON {
            Console.output.write(JSONValue(exchange).line + "\n")
        } else {
            page.append(exchange)
            Console.output.write(page.take())
        }
    }
}
