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
    private var page: Page
    private var decoder: ExchangeDecoder
    private let showsExchanges: Bool
    /// What the exchanges are called, in order.
    private var titles: [String] = []
    /// What the issuer was asked, masked.
    private var de55: [UInt8] = []

    /// Starts with nothing written.
    /// - Parameters:
    ///   - currency: The payment's.
    ///   - redaction: The masking, shared by everything printed.
    ///   - console: Where the text will go.
    ///   - showsExchanges: Whether every command and response is shown, or only what a merchant sees.
    init(
        currency: Currency,
        redaction: Redaction,
        console: Console,
        showsExchanges: Bool = true
    ) {
        page = Page(console)
        decoder = ExchangeDecoder(currency: currency, redaction: redaction)
        self.showsExchanges = showsExchanges
    }

    /// The whole page of a tap that is over.
    mutating func text(_ run: TapRun) -> String {
        appendHeading(run.report.transaction, run.cardName)
        if !run.walletEvents.isEmpty {
            page.label("wallet", run.walletEvents.joined(separator: ", "))
        }
        for event in run.report.events { append(event) }
        appendConclusion(run)
        return page.take()
    }

    /// What is paid and with what, before the tap.
    mutating func heading(_ transaction: Transaction, _ cardName: String) -> String {
        appendHeading(transaction, cardName)
        return page.take()
    }

    /// What has just happened; empty for what is not shown.
    mutating func text(_ event: TapEvent) -> String {
        append(event)
        return page.take()
    }

    /// How the tap ended, and the receipt.
    mutating func conclusion(_ run: TapRun) -> String {
        appendConclusion(run)
        return page.take()
    }

    private mutating func appendHeading(_ transaction: Transaction, _ cardName: String) {
        let type = PaymentOptions.types.first { $0.type == transaction.type }?.word
        page.line(
            bold("\(transaction.amount) \(type ?? [transaction.type.rawValue].hex)")
                + " on \(transaction.date) with \(cardName)"
        )
    }

    private mutating func appendConclusion(_ run: TapRun) {
        appendDecision(run)
        if let receipt = run.report.receipt { append(receipt) }
    }

    // MARK: What happened

    private mutating func append(_ event: TapEvent) {
        switch event {
        case .fieldOn(let presentation):
            page.label("field", presentation == 1 ? "on" : "on again")
        case .fieldOff(let hold):
            page.label(
                "field",
                "off for \(hold.components.seconds * 1000 + hold.components.attoseconds / 1_000_000_000_000_000) ms"
            )
        case .message(let request): append(request)
        case .exchange(let exchange):
            // Decoded in any case: what is masked later was learned here.
            let decoded = decoder.decode(exchange)
            titles.append(decoded.title)
            if showsExchanges { page.append(decoded) }
        case .outcome(let outcome): append(outcome)
        case .authorizationRequest(let request): append(request)
        case .authorizationResponse(let response): append(response)
        case .issuerDataNotDelivered:
            page.label(
                "",
                "The answer for the card (91) stays here: \(decoder.kernel.name) ends with the card's cryptogram and "
                    + "does not take it to the card."
            )
        }
    }

    private mutating func append(_ request: UserInterfaceRequest) {
        guard request.message != .none else { return }
        var text =
            bold(request.message == .clearDisplay ? "(cleared)" : request.message.text)
            + "  (\([request.message.rawValue].hex), \(request.status.text))"
        switch request.value {
        case .amount(let amount): text += "  \(amount)"
        case .balance(let balance): text += "  balance \(balance)"
        case nil: break
        }
        page.label("screen", text)
    }

    private mutating func append(_ outcome: Outcome) {
        page.line()
        page.label("outcome", bold(outcome.status.text) + "  DF8129 \(outcome.parameterSet.hex)")
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
        if !parts.isEmpty { page.label("", parts.joined(separator: "; ")) }
    }

    // MARK: The issuer

    private mutating func append(_ request: AuthorizationRequest) {
        page.line()
        let objects = decoder.redaction.mask(request.chipData)
        de55 = objects.flatMap(\.encoded)
        let mark = de55 == request.de55 ? "" : " (masked)"
        page.label("issuer", "asked with DE 55 of \(request.de55.count) bytes\(mark)")
        for var decoded in decoder.decode(objects) {
            // The bits were explained where they were exchanged.
            decoded.meanings = []
            page.append(decoded, depth: 5)
        }
        if request.hasOnlinePIN { page.label("", "with the PIN the cardholder entered") }
    }

    private mutating func append(_ response: AuthorizationResponse?) {
        guard let response else {
            page.label(
                "issuer",
                page.styled("nobody could be asked: this card's issuer is not here", .yellow)
            )
            page.label("DE 55", de55)
            return
        }
        let style: Console.Style = response.isApproved ? .green : .red
        page.label("issuer", page.styled("\(response.responseCode) \(response.reason)", style))
        if let data = response.issuerAuthenticationData {
            page.append(DecodedObject(TLV(.issuerAuthenticationData, data), kernel: nil), depth: 5)
        }
    }

    // MARK: The end

    private mutating func appendDecision(_ run: TapRun) {
        page.line()
        let report = run.report
        if let attempt = report.attempt {
            let data = attempt.report.dataObjects
            page.label(
                "checks",
                "offline data authentication: \(attempt.report.authentication.text)"
            )
            for tag in [Tag.terminalVerificationResults, .cvmResults] {
                guard let value = data[tag] else { continue }
                page.append(
                    DecodedObject(TLV(tag, value), kernel: attempt.kernelIdentifier),
                    depth: 5
                )
            }
        }
        let style: Console.Style =
            switch report.result {
            case .approvedOffline, .approvedOnline: .green
            case .declinedOffline, .declinedOnline: .red
            case .unanswered, .ended: .yellow
            }
        let ending = report.result == .ended ? ": \(report.outcome.status.text)" : ""
        page.label("result", page.styled(report.result.text + ending, style))
        if report.exchanges.contains(where: { $0.elapsed != nil }) {
            page.label(
                "time",
                "\(report.elapsed.microsecondText) µs for \(report.exchanges.count) exchanges with the card"
            )
        }
        if let timeline = run.timeline {
            page.label("radio", timeline.summary)
            for line in timeline.lines(titles) { page.line("          " + line) }
        }
        for note in run.notes { page.label("note", note) }
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
        let rows = [receipt.merchant] + body + [result]
        for line in ["", "          ┌\(rule)┐"] + rows.map(row) + ["          └\(rule)┘"] {
            page.line(line)
        }
    }

    private func bold(_ text: String) -> String { page.styled(text, .bold) }
}
