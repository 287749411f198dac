import CommandLineKit
import PassKitSimulator
import Synchronization

/// Draws who calls whom, one line a call, while it happens.
final class SequenceText: Sendable {
    private let parties: [Party]
    private let state = Mutex(State())

    private struct State {
        /// When the first call began.
        var start: Duration?
        /// The call that has begun, and may contain others.
        var pending: Exchange?
    }

    private static let columnWidth = 8
    private static let timeWidth = 10

    /// Has a column for each party of a scenario.
    init(_ scenario: ProvisionScenario) {
        parties = Self.parties(scenario)
    }

    /// The parties of a scenario, as they stand beside each other.
    private static func parties(_ scenario: ProvisionScenario) -> [Party] {
        let own: [Party] =
            switch scenario.route {
            case .manual: [.user]
            case .inApp: [.user, .issuerApp]
            case .walletExtension: [.user, .authorizationExtension, .handlerExtension]
            }
        return own + [.wallet, .secureElement, .applePayServer, .tokenService, .issuerServer]
            + (scenario.events.isEmpty ? [] : [.push])
    }

    /// The names of the columns.
    var head: [String] {
        let names = parties.map(Self.title)
        return (0...1).map { row in
            var line = String(repeating: " ", count: Self.timeWidth)
            for name in names {
                let padding = max(0, Self.columnWidth - name[row].count)
                line += String(repeating: " ", count: (padding + 1) / 2) + name[row]
                line += String(repeating: " ", count: padding / 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The two lines above a column.
    private static func title(_ party: Party) -> [String] {
        switch party {
        case .user: ["", "user"]
        case .issuerApp: ["issuer", "app"]
        case .handlerExtension: ["", "ext."]
        case .authorizationExtension: ["UI", "ext."]
        case .wallet: ["", "Wallet"]
        case .secureElement: ["secure", "element"]
        case .applePayServer: ["Apple", "Pay"]
        case .tokenService: ["token", "service"]
        case .issuerServer: ["issuer", "server"]
        case .push: ["", "push"]
        case .connectivity: ["", "network"]
        }
    }

    /// The lines that become known with a call's begin or end.
    func lines(_ exchange: Exchange, _ moment: Simulation.Moment) -> [String] {
        state.withLock { state in
            let start = state.start ?? exchange.start
            state.start = start
            switch moment {
            case .began:
                let earlier = state.pending.map {
                    [line($0, since: start, isReturn: false, isOver: false)]
                }
                state.pending = exchange
                return earlier ?? []
            case .ended:
                let isLeaf = state.pending?.number == exchange.number
                // A call that is given up may have another one inside that is still under way.
                let earlier =
                    isLeaf
                    ? nil
                    : state.pending.map { line($0, since: start, isReturn: false, isOver: false) }
                state.pending = nil
                return [earlier, line(exchange, since: start, isReturn: !isLeaf, isOver: true)]
                    .compactMap(\.self)
            }
        }
    }

    private func line(
        _ exchange: Exchange,
        since start: Duration,
        isReturn: Bool,
        isOver: Bool
    ) -> String {
        let moment = isReturn ? exchange.start + exchange.duration : exchange.start
        let time = ProvisionDesk.time(moment - start)
        var text = Self.padded(time, to: Self.timeWidth - 1) + " "
        text += arrow(exchange, isReturn: isReturn) + "  " + exchange.name
        if !exchange.detail.isEmpty, !isReturn { text += " (\(exchange.detail))" }
        if isOver {
            if let error = exchange.error {
                // What an inner call has said already is not said again.
                let isSaid = isReturn && !error.isOfTime
                text += Console.output.styled("  ✘" + (isSaid ? "" : " \(error.sentence)"), .red)
            } else {
                text += Console.output.styled("  \(ProvisionDesk.time(exchange.duration))", .dim)
            }
        }
        return text
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// The life lines of all parties, with an arrow between two of them.
    private func arrow(_ exchange: Exchange, isReturn: Bool) -> String {
        let middle = Self.columnWidth / 2
        var cells = [Character](repeating: " ", count: parties.count * Self.columnWidth)
        for index in parties.indices { cells[index * Self.columnWidth + middle] = "│" }
        guard let from = parties.firstIndex(of: isReturn ? exchange.to : exchange.from),
            let to = parties.firstIndex(of: isReturn ? exchange.from : exchange.to)
        else { return String(cells) }
        let start = from * Self.columnWidth + middle
        let end = to * Self.columnWidth + middle
        guard start != end else {
            cells[start] = "◆"
            return String(cells)
        }
        for index in min(start, end) + 1..<max(start, end) { cells[index] = isReturn ? "╌" : "─" }
        cells[start] = start < end ? "├" : "┤"
        cells[end + (start < end ? -1 : 1)] = start < end ? "▶" : "◀"
        return String(cells)
    }
}
