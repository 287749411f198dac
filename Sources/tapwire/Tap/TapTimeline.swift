import AirTime
import CommandLineKit
import Transport
import VirtualPOS

/// Notes how long terminal and issuer take while a tap happens; the exchanges themselves say how long the card took.
final class TapTimer {
    private var last = ContinuousClock.now
    /// How long the terminal thought before each exchange.
    private(set) var terminalTimes: [Duration] = []
    /// How long the issuer took; nil when it was not asked, or did not answer.
    private(set) var issuerTime: Duration?

    /// Takes in an event as it happens.
    func note(_ event: TapEvent) {
        let now = ContinuousClock.now
        switch event {
        case .exchange(let exchange):
            terminalTimes.append(max(.zero, last.duration(to: now) - (exchange.elapsed ?? .zero)))
        case .authorizationResponse(.some): issuerTime = last.duration(to: now)
        case .fieldOn, .authorizationRequest: break
        default: return
        }
        last = now
    }
}

/// Where the time of a tap would go if its bytes went over the radio.
struct TapTimeline {
    /// What transit gates ask for: the card is out of the field again within 500 ms.
    static let limitNanoseconds: UInt64 = 500_000_000

    /// One exchange, or an activation of the card.
    struct Row {
        /// From the field's beginning.
        var start: Duration
        /// How long it takes, whatever for.
        var total: Duration
        /// How long the card thinks.
        var card: Duration
        /// How long the terminal thinks.
        var terminal: Duration
        /// Whether this is an activation.
        var isActivation: Bool

        /// What is spent on the radio: frames, and the waits between them.
        var radio: Duration { total - card - terminalExcess }

        /// What the terminal thinks beyond the shortest wait of a reader before its next frame.
        private var terminalExcess: Duration {
            isActivation ? .zero : max(.zero, terminal - RadioLink.readerDelay.duration)
        }
    }

    /// How reader and card speak.
    let link: RadioLink
    /// In order, one behind the other.
    private(set) var rows: [Row] = []
    /// How long the issuer takes, after the card has left; nil when it is not asked.
    let issuer: Duration?
    /// Whether the card's own time is in it.
    let hasCardTime: Bool

    /// Works out the times.
    init(_ report: TapReport, _ timer: TapTimer, _ link: RadioLink, hasCardTime: Bool = true) {
        self.link = link
        self.hasCardTime = hasCardTime
        issuer = timer.issuerTime
        var start = Duration.zero
        var terminalTimes = timer.terminalTimes[...]
        for event in report.events {
            var row = Row(
                start: start,
                total: .zero,
                card: .zero,
                terminal: .zero,
                isActivation: false
            )
            switch event {
            case .fieldOn:
                row.isActivation = true
                row.total = RadioActivation(bitRate: link.bitRate).total.duration
            case .exchange(let exchange):
                guard case .success(let response) = exchange.result else { continue }
                row.card = hasCardTime ? exchange.elapsed ?? .zero : .zero
                row.terminal = terminalTimes.popFirst() ?? .zero
                row.total =
                    RadioExchange(
                        link,
                        commandCount: exchange.command.count,
                        responseCount: response.count,
                        cardTime: CarrierCycles(row.card),
                        readerTime: CarrierCycles(row.terminal)
                    ).total.duration
            case .fieldOff(let hold):
                start += hold
                continue
            default: continue
            }
            rows.append(row)
            start += row.total
        }
    }

    /// How long the card has to be in the field.
    var fieldTime: Duration { rows.last.map { $0.start + $0.total } ?? .zero }
}

extension TapTimeline {
    /// How wide the bars are.
    private static let columnCount = 36

    /// The lines for people.
    /// - Parameter titles: What the exchanges are called, in order.
    /// - Returns: A line of headings, then one for each activation and exchange.
    func lines(_ titles: [String]) -> [String] {
        let limit = Duration.nanoseconds(Int64(Self.limitNanoseconds))
        let span = max(fieldTime, limit)
        var titles = titles[...]
        var table = TextTable([.leading, .leading, .trailing, .trailing, .trailing])
        table.append(
            "",
            "0" + String(repeating: " ", count: Self.columnCount - 9) + span.millisecondText
                + " ms",
            "radio",
            hasCardTime ? "card" : "",
            "terminal"
        )
        for row in rows {
            table.append(
                row.isActivation ? "activation" : String((titles.popFirst() ?? "").prefix(28)),
                bar(row, span),
                row.radio.millisecondText,
                row.isActivation || !hasCardTime ? "" : row.card.millisecondText,
                row.isActivation ? "" : row.terminal.millisecondText
            )
        }
        return table.lines
    }

    /// One sentence that sums it up.
    var summary: String {
        let share = Int((fieldTime / .nanoseconds(Int64(Self.limitNanoseconds)) * 100).rounded())
        var text =
            "\(fieldTime.millisecondText) ms in the field over \(link.text): \(share) % of the 500 ms of a transit gate"
        if !hasCardTime { text += ", the card's own time left out" }
        if let issuer {
            text += "; the issuer takes \(issuer.millisecondText) ms more, without the card"
        }
        return text
    }

    private func bar(_ row: Row, _ span: Duration) -> String {
        let first = Int(row.start / span * Double(Self.columnCount))
        let last = Int((row.start + row.total) / span * Double(Self.columnCount))
        let column = min(first, Self.columnCount - 1)
        let count = max(1, min(last, Self.columnCount) - column)
        let cardCount = Int((row.card / row.total * Double(count)).rounded())
        return String(repeating: " ", count: column)
            + String(repeating: "▒", count: count - cardCount)
            + String(repeating: "█", count: cardCount)
    }

    /// The same for programs.
    var json: JSONValue {
        [
            "bitRate": .integer(Int64(link.bitRate.rawValue)),
            "frameBytes": .integer(Int64(link.readerFrameCount)),
            "fieldNanoseconds": .integer(fieldTime.nanoseconds),
            "limitNanoseconds": .integer(Int64(Self.limitNanoseconds)),
            "issuerNanoseconds": issuer.map { .integer($0.nanoseconds) } ?? nil,
            "rows": .array(
                rows.map { row in
                    [
                        "what": row.isActivation ? "activation" : "exchange",
                        "startNanoseconds": .integer(row.start.nanoseconds),
                        "radioNanoseconds": .integer(row.radio.nanoseconds),
                        "cardNanoseconds": .integer(row.card.nanoseconds),
                        "terminalNanoseconds": .integer(row.terminal.nanoseconds),
                    ]
                }
            ),
        ]
    }
}

extension Duration {
    /// Milliseconds with one decimal.
    fileprivate var millisecondText: String { BenchText.fixed(self / .milliseconds(1), 1) }
}
