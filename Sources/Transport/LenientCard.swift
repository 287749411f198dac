import ISO7816

/// A recorded card that goes on where it is asked something else than it was, and notes every such command.
///
/// It compares a terminal with the one that was recorded. A command is looked for from the last one played up
/// to the next SELECT, because what a card answers depends on what is selected; a SELECT is looked for up to the
/// end. Commands that only the recorded terminal sent are passed over.
public struct LenientCard: Transport, Sendable {
    /// A command that was not the recorded one.
    public enum Difference: Hashable, Sendable {
        /// It came in the place of the recorded command of that index, and got its answer.
        case replaced(index: Int, sent: [UInt8])
        /// It has no place in the recording, and got a stand-in's answer or was refused.
        case unrecorded(sent: [UInt8])
    }

    /// What was recorded.
    public let exchanges: [Exchange]
    /// Answers to commands that the recording has not.
    public let standIns: [Exchange]
    /// The commands that were not the recorded ones, in order.
    public private(set) var differences: [Difference] = []
    /// Which exchanges were played, in order.
    public private(set) var played: [Int] = []
    private var position = 0

    /// Plays exchanges from the first one.
    /// - Parameters:
    ///   - exchanges: The recording.
    ///   - standIns: Answers to what the recorded terminal did not ask.
    public init(_ exchanges: [Exchange], standIns: [Exchange] = []) {
        self.exchanges = exchanges
        self.standIns = standIns
    }

    /// The exchanges that nobody asked for.
    public var unplayed: [Int] { exchanges.indices.filter { !played.contains($0) } }

    /// Answers as recorded, or else as well as it can.
    /// - Parameter command: A command APDU.
    /// - Returns: The response.
    /// - Throws: The recorded failure.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        let places = places(for: command)
        if let index = places.first(where: { exchanges[$0].command == command }) {
            return try play(index)
        }
        if position < exchanges.count, exchanges[position].isCommand(command) {
            return try play(position)
        }
        if let index = places.first(where: { exchanges[$0].canBeReplaced(by: command) }) {
            differences.append(.replaced(index: index, sent: command))
            return try play(index)
        }
        differences.append(.unrecorded(sent: command))
        guard let standIn = standIns.first(where: { $0.command == command }) else {
            return ResponseAPDU(status: Self.refusal(of: command)).bytes
        }
        return try standIn.result.get()
    }

    private mutating func play(_ index: Int) throws(TransportError) -> [UInt8] {
        played.append(index)
        position = index + 1
        return try exchanges[index].result.get()
    }

    /// Where the answer to a command may stand.
    private func places(for command: [UInt8]) -> Range<Int> {
        let rest = position..<exchanges.count
        guard command.instruction != .select else { return rest }
        let end = rest.first { exchanges[$0].command.instruction == .select }
        return position..<(end ?? exchanges.count)
    }

    /// What a card says to a command for which it has nothing.
    private static func refusal(of command: [UInt8]) -> StatusWord {
        switch command.instruction {
        case .select: .fileNotFound
        case .readRecord: .recordNotFound
        default: .instructionNotSupported
        }
    }
}

extension Exchange {
    /// Whether another command is the same question, asked otherwise.
    fileprivate func canBeReplaced(by other: [UInt8]) -> Bool {
        guard !isCommandPartial, let own = try? CommandAPDU(parsing: command),
            let other = try? CommandAPDU(parsing: other), own.code == other.code
        else { return false }
        switch own.code {
        // A card answers to the beginning of a name as to the whole one.
        case .select: return own.body.starts(with: other.body) || other.body.starts(with: own.body)
        case .getProcessingOptions, .generateAC: return true
        default: return own.parameters == other.parameters
        }
    }
}

extension [UInt8] {
    fileprivate var instruction: CommandCode? { (try? CommandAPDU(parsing: self))?.code }
}
