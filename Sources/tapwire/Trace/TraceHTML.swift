import AirTime
import BERTLV
import CommandLineKit
import EMVData
import ISO7816
import Octets
import Traces
import Transport

/// A trace as a web page of one file: what was paid, where the time went, every exchange and what was in it.
///
/// The page loads nothing and runs nothing, and its policy forbids both: whatever a trace has in it stays text.
struct TraceHTML {
    private let trace: Trace
    private let link: RadioLink
    private let decoded: [DecodedExchange]
    /// The last object of each tag that has a value, from whichever side.
    private var objects: [Tag: DecodedObject] = [:]
    private var body = ""

    /// Lays a trace out, whose bytes may be shown as they are.
    init(_ trace: Trace, _ link: RadioLink) {
        self.trace = trace
        self.link = link
        var decoder = ExchangeDecoder(trace)
        decoded = trace.exchanges.map { decoder.decode($0) }
        for exchange in decoded {
            note(exchange.sent)
            note(exchange.received)
        }
        appendHead()
        appendTimeline()
        body += "<h2>Exchanges</h2>\n"
        for index in decoded.indices { append(index) }
    }

    /// The whole file.
    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="generator" content="tapwire \(Tapwire.program.version)">
        <title>\(Markup.escaped(title))</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <main>
        \(body)</main>
        </body>
        </html>

        """
    }

    // MARK: What it was

    private var title: String {
        let amount = found(.amountAuthorised)?.text
        let what = amount.map { "Tap of \($0)" } ?? "Tap"
        return what + (found(.transactionDate)?.text.map { " on \($0)" } ?? "")
    }

    private mutating func note(_ objects: [DecodedObject]) {
        for object in objects {
            if !object.value.isEmpty { self.objects[object.tag] = object }
            note(object.objects)
        }
    }

    /// The last object of that tag; where no exchange has it, the one that a header tells.
    private func found(_ tag: Tag) -> DecodedObject? {
        if let object = objects[tag] { return object }
        let currency = trace.headerObjects.first { $0.tag == .transactionCurrencyCode }
        return trace.headerObjects.first { $0.tag == tag }.map {
            DecodedObject(
                $0,
                kernel: nil,
                currency: currency.flatMap { Currency(bytes: $0.value) }
            )
        }
    }

    private mutating func appendHead() {
        body += "<header>\n<h1>\(Markup.escaped(title))</h1>\n"
        if let source = trace[.source] {
            body += "<p class=\"source\">\(Markup.escaped(source))</p>\n"
        }
        body += "</header>\n<dl class=\"facts\">\n"
        let name = decoded.last { exchange in
            exchange.title.hasPrefix("SELECT") && exchange.isSuccess
        }?.received.flatMap(\.flattened).first { $0.tag == .dedicatedFileName }
        appendFact("Application", found(.applicationLabel)?.text, name?.value.hex)
        appendFact("Answer", found(.cryptogramInformationData)?.meanings.first, nil)
        appendFact(
            "Counter",
            found(.applicationTransactionCounter)?.value.hex,
            found(.applicationTransactionCounter)?.text
        )
        appendFact("Cryptogram", found(.applicationCryptogram)?.value.hex, nil)
        let times = trace.exchanges.compactMap(\.elapsed)
        if !times.isEmpty {
            let total = times.reduce(Duration.zero, +)
            appendFact(
                "Time",
                total.shortText,
                "the card took, in \(times.count) of \(decoded.count) exchanges"
            )
        }
        body += "</dl>\n"
        for name in [Trace.Header.Name.masked, .publicCard, .note] {
            for header in trace.headers where header.name == name {
                let word = name == .masked ? "Masked" : name == .publicCard ? "Shown whole" : "Note"
                body +=
                    "<p class=\"note\"><strong>\(word):</strong> \(Markup.escaped(header.value))</p>\n"
            }
        }
    }

    private mutating func appendFact(_ name: String, _ value: String?, _ more: String?) {
        guard let first = value ?? more else { return }
        let second = value == nil ? nil : more
        body += "<div><dt>\(name)</dt><dd>\(Markup.escaped(first))"
        if let second { body += " <small>\(Markup.escaped(second))</small>" }
        body += "</dd></div>\n"
    }

    // MARK: Where the time went

    private mutating func appendTimeline() {
        let air = trace.exchanges.map { exchange -> Duration in
            let count = (try? exchange.result.get())?.count ?? 0
            let radio = RadioExchange(
                link,
                commandCount: exchange.command.count,
                responseCount: count
            )
            return radio.total.duration
        }
        let isMeasured = trace.exchanges.contains { $0.elapsed != nil }
        let shown = isMeasured ? trace.exchanges.map { $0.elapsed ?? .zero } : air
        let total = max(shown.reduce(Duration.zero, +), .nanoseconds(1))
        body += """
            <h2>Timeline</h2>
            <div class="scroll"><table class="timeline">
            <thead><tr><th scope="col">Exchange</th><th scope="col" class="bar">\
            \(isMeasured ? "Card, measured" : "Radio, worked out") (\(total.shortText))</th>\
            <th scope="col" class="number">Card</th><th scope="col" class="number">Radio</th></tr></thead>
            <tbody>

            """
        var start = Duration.zero
        for (index, exchange) in decoded.enumerated() {
            let left = Self.percent(start / total)
            let width = Self.percent(shown[index] / total)
            start += shown[index]
            body += """
                <tr><th scope="row"><a href="#x\(index + 1)">\(Markup.escaped(exchange.title))</a></th>\
                <td class="bar"><span class="track"><i style="margin-left:\(left)%;width:\(width)%"></i></span></td>\
                <td class="number">\(exchange.elapsed?.shortText ?? "")</td>\
                <td class="number">\(air[index].shortText)</td></tr>

                """
        }
        body += """
            </tbody></table></div>
            <p class="source">Radio: what the bytes would take over \(link.text), worked out, the card's time and the \
            activation left out.</p>

            """
    }

    /// Two decimals, never more than a hundred.
    private static func percent(_ share: Double) -> String {
        BenchText.fixed(min(max(share, 0), 1) * 100, 2)
    }

    // MARK: Exchanges

    private mutating func append(_ index: Int) {
        let exchange = decoded[index]
        let recorded = trace.exchanges[index]
        let kind = exchange.response == nil ? "bad" : exchange.isSuccess ? "good" : "odd"
        let time = exchange.elapsed.map { "<span class=\"time\">\($0.shortText)</span>" } ?? ""
        body += """
            <section id="x\(index + 1)" class="\(kind)">
            <h3><span class="count">\(index + 1)</span> \(Markup.escaped(exchange.title)) \(time)</h3>

            """
        appendBytes(
            "Command",
            exchange.command,
            recorded.isCommandPartial ? "recorded in part only" : nil
        )
        append(exchange.sent)
        appendBytes("Response", exchange.response ?? [], exchange.status)
        append(exchange.received)
        body += "</section>\n"
    }

    private mutating func appendBytes(_ word: String, _ bytes: [UInt8], _ words: String?) {
        body += "<div class=\"apdu \(word.lowercased())\"><span class=\"side\">\(word)</span><div>"
        if !bytes.isEmpty { body += Self.code(bytes) }
        if let words { body += " <span class=\"words\">\(Markup.escaped(words))</span>" }
        body += "</div></div>\n"
    }

    /// How many bytes are shown before the rest is folded.
    private static let shownCount = 64

    /// Bytes as digits; long ones are folded.
    private static func code(_ bytes: [UInt8]) -> String {
        guard bytes.count > shownCount else { return "<code>\(bytes.hex)</code>" }
        return "<details><summary><code>\(bytes.prefix(24).hex)…</code> "
            + "<small>\(bytes.count) bytes</small></summary><code>\(bytes.hex)</code></details>"
    }

    private mutating func append(_ objects: [DecodedObject]) {
        guard !objects.isEmpty else { return }
        body += "<ul class=\"objects\">\n"
        for object in objects {
            body += "<li><b>\(object.tag)</b> \(Markup.escaped(object.name ?? "unknown"))"
            if !object.value.isEmpty { body += " " + Self.code(object.value) }
            if let text = object.text { body += " <em>\(Markup.escaped(text))</em>" }
            if !object.meanings.isEmpty {
                let words = object.meanings.map { "<li>\(Markup.escaped($0))</li>" }.joined()
                body += "\n<ul class=\"meanings\">\(words)</ul>"
            }
            append(object.objects)
            body += "</li>\n"
        }
        body += "</ul>\n"
    }
}

extension TraceCommand {
    /// Makes a web page of a trace.
    static func page(_ arguments: Arguments) throws -> ExitCode {
        let output = try OutputFile("output", "page", arguments, inputs: arguments.positionals)
        let html = TraceHTML(shown(try trace(arguments), arguments), try AirOptions(arguments).link)
        if let output { try output.write(html.text) } else { Console.output.write(html.text) }
        return .success
    }
}

extension DecodedObject {
    /// The object and all that is in it, one after the other.
    fileprivate var flattened: [DecodedObject] { [self] + objects.flatMap(\.flattened) }
}

extension Duration {
    /// The time in the unit that suits it.
    fileprivate var shortText: String {
        let nanoseconds = self / .nanoseconds(1)
        if nanoseconds >= 1e9 { return BenchText.fixed(nanoseconds / 1e9, 2) + " s" }
        if nanoseconds >= 1e6 { return BenchText.fixed(nanoseconds / 1e6, 1) + " ms" }
        return BenchText.fixed(nanoseconds / 1e3, 1) + " µs"
    }
}
