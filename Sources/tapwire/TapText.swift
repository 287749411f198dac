import BERTLV
import CommandLineKit
import EMVData
import Octets
import TerminalKernels
import Traces
import Transport
import VirtualPOS

/// A tap as text for people, everything masked that shall be.
struct TapText {
    /// What became of the tap.
    private let run: TapRun
    private let console: Console
    private var decoder: ExchangeDecoder
    private var lines: [String] = []

    /// How wide a page is.
    private static let width = 100
    /// Objects whose bits decide nothing in the exchange they are in.
    private static let unexplained: Set<Tag> = [
        .applicationUsageControl, .issuerActionCodeDefault, .issuerActionCodeDenial,
        .issuerActionCodeOnline, .additionalTerminalCapabilities, .formFactorIndicator,
    ]
    /// How many bytes of a response are shown at most; the decoded data and a trace file have the rest.
    private static let shownResponseCount = 94

    init(_ run: TapRun, redaction: Redaction, console: Console) {
        self.run = run
        self.console = console
        decoder = ExchangeDecoder(
            currency: run.report.transaction.amount.currency,
            redaction: redaction
        )
    }

    /// The whole page.
    mutating func text() -> String {
        let transaction = run.report.transaction
        let type = PaymentOptions.types.first { $0.type == transaction.type }?.word
        lines.append(
            bold("\(transaction.amount) \(type ?? [transaction.type.rawValue].hex)")
                + " on \(transaction.date) with \(run.cardName)"
        )
        if !run.walletEvents.isEmpty {
            label("wallet", run.walletEvents.joined(separator: ", "))
        }
        for event in run.report.events { append(event) }
        appendDecision()
        if let receipt = run.report.receipt { append(receipt) }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: What happened

    private mutating func append(_ event: TapEvent) {
        switch event {
        case .fieldOn(let presentation):
            label("field", presentation == 1 ? "on" : "on again")
        case .fieldOff(let hold):
            label(
                "field",
                "off for \(hold.components.seconds * 1000 + hold.components.attoseconds / 1_000_000_000_000_000) ms"
            )
        case .message(let request): append(request)
        case .exchange(let exchange): append(decoder.decode(exchange))
        case .outcome(let outcome): append(outcome)
        case .authorizationRequest(let request): append(request)
        case .authorizationResponse(let response): append(response)
        case .issuerDataNotDelivered:
            label(
                "",
                "The answer for the card (91) stays here: \(run.kernelName) ends with the card's cryptogram and "
                    + "does not take it to the card."
            )
        }
    }

    private mutating func append(_ request: UserInterfaceRequest) {
        guard !request.message.text.isEmpty else { return }
        var text =
            bold(request.message.text)
            + "  (\([request.message.rawValue].hex), \(request.status.text))"
        switch request.value {
        case .amount(let amount): text += "  \(amount)"
        case .balance(let balance): text += "  balance \(balance)"
        case nil: break
        }
        label("screen", text)
    }

    private mutating func append(_ exchange: DecodedExchange) {
        lines.append("")
        let time = exchange.elapsed.map { "\($0.microsecondText) µs" } ?? ""
        let gap = String(
            repeating: " ",
            count: max(1, Self.width - exchange.title.count - time.count)
        )
        lines.append(bold(exchange.title) + gap + console.styled(time, .dim))
        appendBytes(">", exchange.command.hex, .cyan)
        for object in exchange.sent { append(object, depth: 2) }
        if let response = exchange.response {
            let isLong = response.count > Self.shownResponseCount
            let shown = response.prefix(isLong ? Self.shownResponseCount / 2 - 8 : response.count)
                .hex
            appendBytes("<", isLong ? "\(shown)… \(response.count) bytes" : shown, .green)
        }
        if !exchange.isSuccess { appendBytes("<", exchange.status, .yellow) }
        for object in exchange.received { append(object, depth: 2) }
    }

    private mutating func appendBytes(_ sign: String, _ text: String, _ style: Console.Style) {
        for (index, piece) in TextWrapping.chop(text, width: Self.width - 2).enumerated() {
            lines.append((index == 0 ? console.styled(sign, style) : " ") + " " + piece)
        }
    }

    private mutating func append(_ object: DecodedObject, depth: Int) {
        let indent = String(repeating: "  ", count: depth)
        var line = indent + object.tag.description + (object.name.map { " \($0)" } ?? "")
        if !object.value.isEmpty {
            line += "  " + Self.shorten(object.value, to: Self.width - line.count - 2)
        }
        var below = Self.unexplained.contains(object.tag) ? [] : object.meanings
        if let text = object.text {
            if line.count + 2 + text.count <= Self.width {
                line += "  " + text
            } else {
                below.insert(text, at: 0)
            }
        }
        lines.append(line)
        if !below.isEmpty {
            let text = below.joined(separator: "; ")
            lines += TextWrapping.wrap(text, width: Self.width - indent.count - 5)
                .map { console.styled(indent + "     " + $0, .dim) }
        }
        for child in object.objects { append(child, depth: depth + 1) }
    }

    /// The bytes as hexadecimal digits, cut with their number behind where they do not fit.
    private static func shorten(_ value: [UInt8], to room: Int) -> String {
        guard value.count * 2 > max(room, 16) else { return value.hex }
        let tail = "… \(value.count) bytes"
        return value.prefix(max(4, (room - tail.count) / 2)).hex + tail
    }

    private mutating func append(_ outcome: Outcome) {
        lines.append("")
        label("outcome", bold(outcome.status.text) + "  DF8129 \(outcome.parameterSet.hex)")
        var parts: [String] = []
        if let cvm = outcome.cvm { parts.append("CVM: \(cvm.text)") }
        if let start = outcome.start { parts.append("start \(start.word)") }
        if let data = outcome.onlineResponseData {
            parts.append("online response data: \(data.word)")
        }
        if let other = outcome.alternateInterface { parts.append("other interface: \(other.text)") }
        if let hold = outcome.fieldOffHoldTime {
            parts.append("field off for \(Int(hold) * 100) ms")
        }
        if outcome.removalTimeout > 0 {
            parts.append("card removed within \(Int(outcome.removalTimeout) * 100) ms")
        }
        if outcome.isReceiptNeeded { parts.append("receipt") }
        if let count = outcome.dataRecord?.count { parts.append("data record of \(count) objects") }
        if let count = outcome.discretionaryData?.count {
            parts.append("discretionary data of \(count) objects")
        }
        if let error = outcome.error.text {
            parts.append("error DF8115 \(outcome.error.bytes.hex): \(error)")
        }
        if !parts.isEmpty { label("", parts.joined(separator: "; ")) }
    }

    // MARK: The issuer

    private mutating func append(_ request: AuthorizationRequest) {
        lines.append("")
        label("issuer", "asked with DE 55 of \(request.de55.count) bytes")
        let kernel = run.report.attempt?.kernelIdentifier
        let currency = run.report.transaction.amount.currency
        for object in decoder.redaction.mask(request.chipData) {
            var decoded = DecodedObject(object, kernel: kernel, currency: currency)
            // The bits were explained where they were exchanged.
            decoded.meanings = []
            append(decoded, depth: 5)
        }
        if request.hasOnlinePIN { label("", "with the PIN the cardholder entered") }
    }

    private mutating func append(_ response: AuthorizationResponse?) {
        guard let response else {
            label(
                "issuer",
                console.styled("nobody could be asked: this card's issuer is not here", .yellow)
            )
            return
        }
        let style: Console.Style = response.isApproved ? .green : .red
        label("issuer", console.styled("\(response.responseCode) \(response.reason)", style))
        if let data = response.issuerAuthenticationData {
            append(DecodedObject(TLV(.issuerAuthenticationData, data), kernel: nil), depth: 5)
        }
    }

    // MARK: The end

    private mutating func appendDecision() {
        lines.append("")
        let report = run.report
        if let attempt = report.attempt {
            let data = attempt.report.dataObjects
            label("checks", "offline data authentication: \(attempt.report.authentication.text)")
            for tag in [Tag.terminalVerificationResults, .cvmResults] {
                guard let value = data[tag] else { continue }
                append(DecodedObject(TLV(tag, value), kernel: attempt.kernelIdentifier), depth: 5)
            }
        }
        let style: Console.Style =
            switch report.result {
            case .approvedOffline, .approvedOnline: .green
            case .declinedOffline, .declinedOnline: .red
            case .unanswered, .ended: .yellow
            }
        let ending = report.result == .ended ? ": \(report.outcome.status.text)" : ""
        label("result", console.styled(report.result.text + ending, style))
        if report.exchanges.contains(where: { $0.elapsed != nil }) {
            label(
                "time",
                "\(report.elapsed.microsecondText) µs in the card, \(report.exchanges.count) exchanges"
            )
        }
        for note in run.notes { label("note", note) }
    }

    private mutating func append(_ receipt: Receipt) {
        let type = PaymentOptions.types.first { $0.type == receipt.type }?.word
        var table = TextTable()
        table.append(
            (type ?? "type \([receipt.type.rawValue].hex)").uppercased(),
            receipt.amount.description
        )
        if let other = receipt.amountOther { table.append("Cash paid out", other.description) }
        table.append("Date", receipt.date.description)
        table.append("Application", receipt.applicationLabel)
        table.append("AID", receipt.applicationIdentifier.hex)
        if !receipt.maskedPAN.isEmpty { table.append("Card", receipt.maskedPAN) }
        table.append("ATC", receipt.transactionCounter.hex)
        table.append(receipt.cryptogramKind.description, receipt.cryptogram.hex)
        table.append("TVR", receipt.terminalVerificationResults.hex)
        if let cvm = receipt.cvm { table.append("Cardholder", cvm.text) }
        if let code = receipt.responseCode { table.append("Response code", code) }
        let result = receipt.result.text
        let body = table.lines
        let inner = max(body.map(\.count).max() ?? 0, result.count, receipt.merchant.count)
        func row(_ text: String) -> String {
            "          │ " + text + String(repeating: " ", count: inner - text.count) + " │"
        }
        let rule = String(repeating: "─", count: inner + 2)
        lines += ["", "          ┌\(rule)┐", row(receipt.merchant)]
        lines += body.map(row)
        lines += [row(result), "          └\(rule)┘"]
    }

    // MARK: Parts

    private func bold(_ text: String) -> String { console.styled(text, .bold) }

    /// A line with a word in the margin; long text goes on below.
    private mutating func label(_ word: String, _ text: String) {
        let margin = 10
        let pieces = TextWrapping.wrap(text, width: Self.width - margin)
        for (index, piece) in pieces.enumerated() {
            let head = index == 0 ? word : ""
            let padding = String(repeating: " ", count: margin - head.count)
            lines.append(console.styled(head, .dim) + padding + piece)
        }
    }
}
