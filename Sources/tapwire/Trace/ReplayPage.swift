import BERTLV
import CommandLineKit
import EMVData
import ISO7816
import Octets
import Traces
import Transport

/// What a replay shows about what is otherwise than recorded, everything masked that shall be.
struct ReplayPage {
    private var page = Page(.output)
    private var redaction: Redaction

    /// Starts with nothing written.
    init(_ redaction: Redaction) { self.redaction = redaction }

    /// The lines written since this was last called.
    mutating func take() -> String { page.take() }

    /// Adds a command that was not the recorded one.
    mutating func append(_ deviation: ReplayedCard.Deviation, of count: Int) {
        page.line()
        switch deviation.error {
        case .unexpectedCommand(let expected, let got, let index):
            head("command \(index + 1) of \(count), \(expected.title)")
            page.label("expected", redaction.mask(command: expected))
            page.label("got", redaction.mask(command: got))
            append(deviation.differences)
        case .endOfScript(let got, let index):
            head("behind the last of \(index) recorded exchanges, \(got.title)")
            page.label("got", redaction.mask(command: got))
        default: head(deviation.error.text)
        }
    }

    /// Adds a response that was not the recorded one.
    mutating func append(
        _ differences: [Difference],
        in exchange: Int,
        of count: Int,
        _ recorded: Exchange,
        got: Result<[UInt8], TransportError>
    ) {
        page.line()
        head("response \(exchange) of \(count), \(recorded.command.title)")
        append("expected", recorded.result)
        append("got", got)
        append(differences)
    }

    private mutating func append(_ word: String, _ result: Result<[UInt8], TransportError>) {
        switch result {
        case .success(let response): page.label(word, redaction.mask(response: response))
        case .failure(let error): page.label(word, error.text)
        }
    }

    /// How a replay ended.
    struct Ending {
        /// How many exchanges were as recorded or deviated.
        var playedCount: Int
        /// How many were recorded.
        var count: Int
        /// How many deviated.
        var deviationCount: Int
        /// What was another, and may be each time.
        var changed: Set<Tag>
    }

    /// Adds how it ended.
    mutating func append(_ ending: Ending) {
        page.line()
        let count = "\(ending.playedCount) of \(ending.count) exchanges"
        let text: String
        if ending.deviationCount > 0 {
            text =
                "\(ending.deviationCount) deviation\(ending.deviationCount == 1 ? "" : "s") in \(count)"
        } else if ending.changed.isEmpty {
            text = "\(count), byte for byte as recorded"
        } else {
            let tags = ending.changed.map(\.description).sorted().joined(separator: ", ")
            text = "\(count), as recorded but for what is another each time: \(tags)"
        }
        let style: Console.Style =
            ending.deviationCount > 0 ? .red : ending.playedCount < ending.count ? .yellow : .green
        page.label("result", page.styled(text, style))
    }

    /// Adds what the recording says of its masking.
    mutating func append(masked text: String) {
        page.label("note", redaction.mask(text: "masked: \(text)"))
    }

    private mutating func head(_ text: String) {
        page.line(page.styled("deviation in \(text)", .red))
    }

    /// Adds the data objects that deviate; bytes outside of them were shown whole.
    private mutating func append(_ differences: [Difference]) {
        for difference in differences where !difference.isAllowed && difference.place != .whole {
            page.label("", difference.text(&redaction))
        }
    }

    /// Adds what was allowed to be otherwise.
    mutating func append(changes: [Difference]) {
        for (index, change) in changes.enumerated() {
            page.label(index == 0 ? "changed" : "", change.text(&redaction))
        }
    }
}

/// The same for programs.
struct ReplayJSON {
    private var decoder: ExchangeDecoder
    private var exchanges: [JSONValue] = []
    private var deviations: [JSONValue] = []

    /// Starts with nothing written.
    init(_ redaction: Redaction) {
        decoder = ExchangeDecoder(currency: .eur, redaction: redaction)
    }

    /// Adds an exchange, with what was allowed to be otherwise than recorded.
    mutating func append(_ exchange: Exchange, changes: [Difference] = []) {
        let decoded = JSONValue(decoder.decode(exchange))
        guard case .object(let members) = decoded else { return }
        let changed = JSONValue.array(changes.map { $0.json(&decoder.redaction) })
        exchanges.append(.object(members + [JSONValue.Member("changed", changed)]))
    }

    /// Adds a command that was not the recorded one.
    mutating func append(_ deviation: ReplayedCard.Deviation) {
        switch deviation.error {
        case .unexpectedCommand(let expected, let got, let index):
            append(
                index,
                "command",
                .string(decoder.redaction.mask(command: expected).hex),
                .string(decoder.redaction.mask(command: got).hex),
                deviation.differences
            )
        case .endOfScript(let got, let index):
            let got = JSONValue.string(decoder.redaction.mask(command: got).hex)
            append(index, "command", nil, got, [])
        default: break
        }
    }

    /// Adds a response that was not the recorded one.
    mutating func append(
        _ differences: [Difference],
        in index: Int,
        _ recorded: Exchange,
        got: Result<[UInt8], TransportError>
    ) {
        append(index, "response", json(recorded.result), json(got), differences)
    }

    private mutating func json(_ result: Result<[UInt8], TransportError>) -> JSONValue {
        switch result {
        case .success(let response): .string(decoder.redaction.mask(response: response).hex)
        case .failure(let error): .string(error.text)
        }
    }

    private mutating func append(
        _ index: Int,
        _ what: String,
        _ expected: JSONValue,
        _ got: JSONValue,
        _ differences: [Difference]
    ) {
        deviations.append([
            "exchange": .integer(Int64(index + 1)),
            "in": .string(what),
            "expected": expected,
            "got": got,
            "differences": .array(
                differences.filter { !$0.isAllowed && $0.place != .whole }.map {
                    $0.json(&decoder.redaction)
                }
            ),
        ])
    }

    /// Everything.
    var value: JSONValue {
        ["exchanges": .array(exchanges), "deviations": .array(deviations)]
    }
}

extension Difference {
    /// The difference in one line: `9F36 Application Transaction Counter (ATC): recorded 0001, now 0002`.
    fileprivate func text(_ redaction: inout Redaction) -> String {
        let name: String
        switch place {
        case .object(let tag):
            name = tag.description + (DataObjectDefinition[tag].map { " \($0.name)" } ?? "")
        case .status: name = "status word"
        case .whole: name = "bytes"
        }
        return switch (masked(expected, &redaction), masked(got, &redaction)) {
        case (let expected?, let got?):
            "\(name): recorded \(expected.shortHex), now \(got.shortHex)"
        case (let expected?, nil): "\(name): recorded \(expected.shortHex), now missing"
        case (nil, let got?): "\(name): not recorded, now \(got.shortHex)"
        case (nil, nil): name
        }
    }

    fileprivate func json(_ redaction: inout Redaction) -> JSONValue {
        let name: String? =
            switch place {
            case .object(let tag): tag.description
            case .status: "status"
            case .whole: nil
            }
        return [
            "tag": name.map(JSONValue.string) ?? nil,
            "expected": masked(expected, &redaction).map { .string($0.hex) } ?? nil,
            "got": masked(got, &redaction).map { .string($0.hex) } ?? nil,
        ]
    }

    private func masked(_ value: [UInt8]?, _ redaction: inout Redaction) -> [UInt8]? {
        guard let value else { return nil }
        return switch place {
        case .object(let tag): redaction.mask(value, of: tag)
        case .status: value
        // A command or a response; its reader knows which, and has shown it.
        case .whole: redaction.extent == .nothing ? value : []
        }
    }
}

extension [UInt8] {
    /// The bytes, of which long ones are cut with their number behind.
    fileprivate var shortHex: String {
        count > 32 ? "\(prefix(8).hex)… of \(count) bytes" : hex
    }

    /// What a command is, for people.
    fileprivate var title: String {
        (try? CommandAPDU(parsing: self)).map(ExchangeDecoder.title) ?? "Command"
    }
}
