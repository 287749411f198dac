import CommandLineKit
import PCSC

/// What the command line says about a PC/SC reader.
enum ReaderOptions {
    /// The option itself.
    static let option = CommandOption.value(
        "reader",
        "NAME|PART|NUMBER",
        "The reader, as tapwire readers lists it; by default the only one, or the only one with a card."
    )

    /// Opens the reader that is meant.
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - isGivenUp: Asked while a card is waited for.
    /// - Returns: The reader; there need not be a card in it.
    /// - Throws: `CommandFailure` when PC/SC is not there, or no reader is chosen.
    static func open(
        _ arguments: Arguments,
        isGivenUp: @escaping @Sendable () -> Bool = { false }
    ) throws -> PCSCReader {
        let context = try PCSCSupport.attempt { () throws(PCSCError) in try PCSCContext() }
        let choice = try PCSCSupport.attempt { () throws(PCSCError) in
            try choose(arguments["reader"], context)
        }
        return PCSCReader(
            name: try choice.get(),
            context: context,
            isGivenUp: isGivenUp
        )
    }

    private static func choose(
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
