import CommandLineKit
import PCSC

/// `tapwire readers`: which readers there are, and what is in them.
enum ReadersCommand {
    static let command = Command(
        "readers",
        summary: "Lists the PC/SC readers and the cards in them.",
        discussion: [
            "A reader is named on other command lines by its whole name, any part of it, or its number. The answer to "
                + "reset tells contactless cards from those with contacts; nothing is sent to a card."
        ],
        examples: ["tapwire readers", "tapwire readers --watch --json"],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .flag(
                        "watch",
                        "Goes on telling which readers and cards come and go, until Ctrl-C."
                    ),
                    .flag("json", "Prints JSON; with --watch one object on each line."),
                ]
            )
        ],
        run: { arguments in
            guard arguments.has("watch") else { return try list(arguments) }
            return try await ReaderWatch(isJSON: arguments.has("json")).run()
        }
    )

    private static func list(_ arguments: Arguments) throws -> ExitCode {
        let readers = try PCSCSupport.attempt { () throws(PCSCError) in
            let context = try PCSCContext()
            return try context.states(of: context.readerNames())
        }
        if arguments.has("json") {
            let values = readers.enumerated().map { number, reader in
                JSONValue.object(
                    [JSONValue.Member("number", .integer(Int64(number)))] + reader.json
                )
            }
            Console.output.write(JSONValue.array(values).text)
        } else if readers.isEmpty {
            Console.output.write("There is no reader.\n")
        } else {
            var table = TextTable([.trailing])
            for (number, reader) in readers.enumerated() {
                table.append("\(number)", reader.name, reader.text)
            }
            Console.output.write(table.lines.map { $0 + "\n" }.joined())
        }
        return .success
    }
}

/// Tells which readers and cards come and go.
private struct ReaderWatch {
    private let isJSON: Bool
    private let journal = Journal()

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Watches until the program shall end; pcscd may come and go meanwhile.
    func run() async throws -> ExitCode {
        // It must be there at the beginning.
        try PCSCSupport.attempt { () throws(PCSCError) in _ = try PCSCContext() }
        let interruption = Interruption()
        let monitor = PCSCMonitor()
        interruption.whenRequested { monitor.stop() }
        for await event in monitor.events {
            switch event {
            case .change(let change, let reader): tell(change, reader)
            case .serviceLost(let error): tellService(error)
            }
            if Console.hasLostOutput { monitor.stop() }
        }
        return .success
    }

    private func tell(_ change: PCSCReaderChange, _ reader: PCSCReaderState) {
        if isJSON {
            let event = JSONValue.Member("event", .string(change.name))
            Console.output.write(JSONValue.object([event] + reader.json).line + "\n")
        } else {
            journal.tell(change.word, "\(reader.name): \(change.text(reader))")
        }
    }

    private func tellService(_ error: PCSCError) {
        if isJSON {
            let event: JSONValue = ["event": "serviceLost", "reason": .string("\(error)")]
            Console.output.write(event.line + "\n")
        } else {
            journal.tell("pcscd", "\(error); waiting for it")
        }
    }
}

extension PCSCReaderChange {
    /// The change, for programs.
    fileprivate var name: String {
        switch self {
        case .readerArrived: "readerArrived"
        case .readerLeft: "readerLeft"
        case .cardArrived: "cardArrived"
        case .cardLeft: "cardLeft"
        }
    }

    fileprivate var word: String {
        switch self {
        case .readerArrived, .readerLeft: "reader"
        case .cardArrived, .cardLeft: "card"
        }
    }

    fileprivate func text(_ reader: PCSCReaderState) -> String {
        switch self {
        case .readerArrived: "connected"
        case .readerLeft: "gone"
        case .cardArrived: reader.text
        case .cardLeft: "removed"
        }
    }
}
