import Octets
import Profiles
import Transport

/// The words in which a file explains what differs.
struct Explanations: Sendable {
    /// A command of ours, and the recorded one in whose place it came.
    private struct Command: Hashable {
        var sent: [UInt8]
        var recorded: [UInt8]?

        var text: String {
            recorded.map { "\(sent.hex) instead of \($0.hex)" } ?? "\(sent.hex), not recorded"
        }
    }

    private var commands: [Command] = []
    /// Exchanges that nobody asks for, the first being 1.
    private var unplayed: [ClosedRange<Int>] = []

    init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        for element in try object.elements("differences") {
            var difference = try JSONObject(element.value, path: element.path)
            _ = try difference.string("why")
            commands.append(
                Command(
                    sent: try difference.hex("sent"),
                    recorded: try difference.optionalHex("recorded")
                )
            )
            try difference.finish()
        }
        for element in try object.elements("unplayed") {
            var range = try JSONObject(element.value, path: element.path)
            _ = try range.string("why")
            let first = try range.count("first", 1...4096)
            unplayed.append(first...(try range.count("last", first...4096)))
            try range.finish()
        }
        try object.finish()
    }

    private static func commands(_ card: LenientCard) -> [Command] {
        card.differences.map { difference in
            switch difference {
            case .replaced(let index, let sent):
                Command(sent: sent, recorded: card.exchanges[index].command)
            case .unrecorded(let sent): Command(sent: sent, recorded: nil)
            }
        }
    }

    /// What differs and is not explained, in words.
    func unexplained(_ card: LenientCard) -> [String] {
        var known = commands
        let others = Self.commands(card).filter { command in
            guard let index = known.firstIndex(of: command) else { return true }
            known.remove(at: index)
            return false
        }
        return others.map(\.text)
            + card.unplayed.filter { index in !unplayed.contains { $0.contains(index + 1) } }
            .map { "exchange \($0 + 1), not played" }
    }

    /// What is explained and does not differ, in words.
    func needless(_ card: LenientCard) -> [String] {
        var found = Self.commands(card)
        let others = commands.filter { command in
            guard let index = found.firstIndex(of: command) else { return true }
            found.remove(at: index)
            return false
        }
        return others.map(\.text)
            + unplayed.flatMap { Array($0) }.filter { !card.unplayed.contains($0 - 1) }
            .map { "exchange \($0)" }
    }
}
