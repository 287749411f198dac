import BERTLV
import CommandLineKit
import EMVData
import Octets
import TerminalKernels
import Traces
import Transport
import VirtualPOS

extension Trace {
    /// Writes down a tap, so that the card can be tapped again as a recorded one.
    init(_ run: TapRun, redaction: Redaction) {
        var redaction = redaction
        let exchanges = run.report.exchanges.map { exchange in
            Exchange(
                command: redaction.mask(command: exchange.command),
                result: exchange.result.map { redaction.mask(response: $0) },
                elapsed: exchange.elapsed
            )
        }
        self.init(exchanges: exchanges)
        headers.append(Header(.source, "tapwire \(Tapwire.program.version), \(run.cardName)"))
        if run.isPublic {
            headers.append(Header(.publicCard, "a published test card"))
        } else if redaction.extent == .cardholderData {
            headers.append(
                Header(
                    .masked,
                    "account number and names replaced, card certificate and signed static data blanked; "
                        + "certificates and cryptograms do not verify any more"
                )
            )
        }
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
