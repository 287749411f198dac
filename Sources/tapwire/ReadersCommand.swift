import CommandLineKit
import Foundation
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
            return try await onThread(named: "readers") {
                try ReaderWatch(isJSON: arguments.has("json")).run()
            }
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
    private let interruption = Interruption()
    private let journal = Journal()

    /// How long to wait for a change before the list of readers is looked at again.
    private static let pollMilliseconds: UInt32 = 500

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Watches until the program shall end; pcscd may come and go meanwhile.
    func run() throws -> ExitCode {
        var known: [PCSCReaderState] = []
        // It must be there at the beginning.
        var context: PCSCContext? = try PCSCSupport.attempt { () throws(PCSCError) in
            try PCSCContext()
        }
        while !interruption.isRequested, !Console.hasLostOutput {
            do throws(PCSCError) {
                if context == nil { context = try PCSCContext() }
                try context?.follow(&known, Self.pollMilliseconds) { tell($0, $1) }
            } catch {
                if context != nil {
                    known = []
                    tellService(error)
                }
                context = nil
                Thread.sleep(forTimeInterval: Double(Self.pollMilliseconds) / 1000)
            }
        }
        return .success
    }

    private func tell(_ change: ReaderChange, _ reader: PCSCReaderState) {
        if isJSON {
            let event = JSONValue.Member("event", .string(change.rawValue))
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

/// What may happen to a reader.
private enum ReaderChange: String {
    case readerArrived, readerLeft, cardArrived, cardLeft

    var word: String {
        switch self {
        case .readerArrived, .readerLeft: "reader"
        case .cardArrived, .cardLeft: "card"
        }
    }

    func text(_ reader: PCSCReaderState) -> String {
        switch self {
        case .readerArrived: "connected"
        case .readerLeft: "gone"
        case .cardArrived: reader.text
        case .cardLeft: "removed"
        }
    }
}

extension PCSCContext {
    /// Waits a while for changes, and tells each.
    fileprivate func follow(
        _ known: inout [PCSCReaderState],
        _ milliseconds: UInt32,
        tell: (ReaderChange, PCSCReaderState) -> Void
    ) throws(PCSCError) {
        let names = try readerNames()
        for reader in known where !names.contains(reader.name) { tell(.readerLeft, reader) }
        known.removeAll { !names.contains($0.name) }
        for name in names where !known.contains(where: { $0.name == name }) {
            let reader = PCSCReaderState(name: name)
            tell(.readerArrived, reader)
            known.append(reader)
        }
        var seen = known + [.plugAndPlay]
        guard try waitForChange(of: &seen, timeoutMilliseconds: milliseconds) else { return }
        for (before, now) in zip(known, seen) {
            let isOther = before.flags.cardEventCount != now.flags.cardEventCount
            let (was, isPresent) = (before.flags.isCardPresent, now.flags.isCardPresent)
            if was, isOther || !isPresent { tell(.cardLeft, now) }
            if isPresent, isOther || !was { tell(.cardArrived, now) }
        }
        known = seen.dropLast()
    }
}
