import CommandLineKit
import PCSC

/// What the command line says about a PC/SC reader.
enum ReaderOptions {
    /// The options themselves.
    static let options: [CommandOption] = [
        .value(
            "reader",
            "NAME|PART|NUMBER",
            "The reader, as tapwire readers lists it; by default the only one, or the only one with a card."
        ),
        .value(
            "reader-timeout",
            "SECONDS",
            "How long the reader may take over one command.",
            default: "10"
        ),
    ]

    /// Opens the reader that is meant.
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - isGivenUp: Asked while a card, the reader or pcscd is waited for.
    /// - Returns: The reader; there need not be a card in it.
    /// - Throws: `CommandFailure` when PC/SC is not there, or no reader is chosen.
    static func open(
        _ arguments: Arguments,
        isGivenUp: @escaping @Sendable () -> Bool = { false }
    ) throws -> PCSCReader {
        let deadlines = try deadlines(arguments)
        let context = try PCSCSupport.attempt { () throws(PCSCError) in
            try PCSCContext(deadlines: deadlines, isGivenUp: isGivenUp)
        }
        let choice = try PCSCSupport.attempt { () throws(PCSCError) in
            try choose(arguments["reader"], context)
        }
        return PCSCReader(
            name: try choice.get(),
            context: context,
            isGivenUp: isGivenUp
        )
    }

    private static func deadlines(_ arguments: Arguments) throws -> PCSCDeadlines {
        var deadlines = PCSCDeadlines()
        let milliseconds = try arguments.value(
            "reader-timeout",
            expecting: "seconds from 0.1 to 3600"
        ) { text in
            Double(text).flatMap { 0.1...3600 ~= $0 ? Int64($0 * 1000) : nil }
        }
        if let milliseconds { deadlines.reader = .milliseconds(milliseconds) }
        return deadlines
    }

    /// Finds the reader that is meant.
    static func choose(
        _ text: String?,
        _ context: borrowing PCSCContext
    ) throws(PCSCError) -> Result<String, CommandFailure> {
        let names = try context.readerNames()
        do throws(PCSCReaderSelector.Failure) {
            return .success(names[try PCSCReaderSelector(text).choose(among: names)])
        } catch {
            if text == nil, case .ambiguous = error {
                let states = try context.states(of: names)
                let filled = states.filter(\.flags.isCardPresent)
                if filled.count == 1 { return .success(filled[0].name) }
            }
            return .failure(CommandFailure(error, names))
        }
    }
}

extension PCSCContext {
    /// The present state of readers.
    func states(of names: [String]) throws(PCSCError) -> [PCSCReaderState] {
        var states = names.map { PCSCReaderState(name: $0) }
        guard !states.isEmpty else { return [] }
        _ = try waitForChange(of: &states, timeoutMilliseconds: 0)
        return states
    }
}

extension CommandFailure {
    /// Says why no reader is chosen, and which there are.
    init(_ failure: PCSCReaderSelector.Failure, _ names: [String]) {
        func list(_ indices: [Int]) -> String {
            indices.map { "\($0) \(names[$0].quoted)" }.joined(separator: ", ")
        }
        switch failure {
        case .noReader:
            self.init(.unavailable, "there is no reader; connect one and see tapwire readers")
        case .unknown(let text):
            self.init(
                .unavailable,
                "no reader is called \(text.quoted); there are \(list(Array(names.indices)))"
            )
        case .ambiguous(let indices):
            self.init(
                .usage,
                "several readers may be meant, choose one with --reader: \(list(indices))"
            )
        }
    }
}
