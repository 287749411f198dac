import BERTLV
import CommandLineKit
import EMVData
import Octets
import TerminalKernels
import Traces
import Transport
import VirtualPOS

extension Trace {
    /// Writes down what a card was asked and what it answered.
    /// - Parameters:
    ///   - recorded: The exchanges.
    ///   - cardName: What answered, for people.
    ///   - isPublic: Whether the card's numbers are published test numbers.
    ///   - redaction: The masking.
    init(
        recording recorded: [Exchange],
        of cardName: String,
        isPublic: Bool,
        _ redaction: Redaction
    ) {
        var redaction = redaction
        self.init(exchanges: recorded.map { redaction.mask($0) })
        headers.append(Header(.source, "tapwire \(Tapwire.program.version), \(cardName)"))
        if isPublic {
            headers.append(Header(.publicCard, "a published test card"))
        } else if redaction.extent == .cardholderData {
            headers.append(.isMasked)
        }
    }

    /// Writes down a tap, so that the card can be tapped again as a recorded one.
    init(_ run: TapRun, redaction: Redaction) {
        self.init(
            recording: run.report.exchanges,
            of: run.cardName,
            isPublic: run.isPublic,
            redaction
        )
        if run.report.events.contains(.issuerDataNotDelivered) {
            let kernel = run.report.attempt?.kernelIdentifier
            headers.append(
                Header(
                    .note,
                    "The issuer's answer for the card (91) was not taken to it: \(kernel.name) ends with the "
                        + "card's cryptogram."
                )
            )
        }
        let transaction = run.report.transaction
        headers.append(Header(.date, transaction.date.description))
        headers += terminalHeaders(run)
    }

    /// The terminal's data objects that a replay needs and the commands do not tell.
    private func terminalHeaders(_ run: TapRun) -> [Header] {
        let told = (try? activations())?.first
        let transaction = run.report.transaction
        let data = run.report.attempt?.report.dataObjects ?? [:]
        let candidates: [(Tag, [UInt8]?)] = [
            (.amountAuthorised, transaction.amount.numeric),
            (.transactionCurrencyCode, transaction.amount.currency.bytes),
            (.transactionType, [transaction.type.rawValue]),
            (.terminalCountryCode, data[.terminalCountryCode]),
            (.terminalType, data[.terminalType]),
            (.terminalCapabilities, data[.terminalCapabilities]),
        ]
        return candidates.compactMap { tag, value in
            guard let value, !value.isEmpty, told?.value(tag) == nil else { return nil }
            return Header(Header.Name(rawValue: tag.description), value.hex)
        }
    }
}

extension Trace.Header {
    /// Says what is masked.
    static let isMasked = Trace.Header(
        .masked,
        "account number and names replaced, card certificate and signed static data blanked; "
            + "certificates and cryptograms do not verify any more"
    )
}

extension Redaction {
    /// Masks a command and its response.
    mutating func mask(_ exchange: Exchange) -> Exchange {
        var masked = exchange
        masked.command = mask(command: exchange.command)
        masked.result = exchange.result.map { mask(response: $0) }
        return masked
    }
}

extension OutputFile {
    /// Writes what a card was asked and what it answered as a trace; nothing where it was not asked.
    ///
    /// Where that is full, and does not have all of it, trace and diagnostics say so.
    func write(
        _ exchanges: [Exchange],
        of cardName: String,
        isPublic: Bool,
        _ redaction: Redaction,
        isFull: Bool = false
    ) throws {
        guard !exchanges.isEmpty else { return }
        var trace = Trace(recording: exchanges, of: cardName, isPublic: isPublic, redaction)
        if isFull {
            let note = "only the first \(exchanges.count) exchanges; a trace holds no more"
            trace.headers.append(Trace.Header(.note, note))
            Console.diagnostics.write("tapwire: the trace has \(note)\n")
        }
        try write(trace.text)
    }
}
