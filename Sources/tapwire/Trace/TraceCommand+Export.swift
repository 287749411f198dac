import BERTLV
import CommandLineKit
import EMVData
import Foundation
import Octets
import Traces
import Transport

extension TraceCommand {
    /// Makes a trace of another program's text.
    static func importText(_ arguments: Arguments) throws -> ExitCode {
        let path = arguments.positionals[0]
        let output = try OutputFile("output", "trace file", arguments, inputs: [path])
        let text = try InputFile.text(path, "log", limit: TraceImport.maximumByteCount)
        var found: TraceImport
        do throws(TraceError) {
            found = try TraceImport(parsing: text)
        } catch {
            throw CommandFailure(.badFile, "log \(path.quoted), \(error.message)")
        }
        found.trace = shown(found.trace, arguments)
        let trace = found.trace.text
        guard trace.utf8.count <= Trace.maximumByteCount else {
            throw CommandFailure(
                .badFile,
                "log \(path.quoted) holds more than a trace does, \(Trace.maximumByteCount) bytes; cut "
                    + "out what is of interest"
            )
        }
        if let output { try output.write(trace) } else { Console.output.write(trace) }
        if !Console.hasLostOutput { Console.diagnostics.write(found.summary + "\n") }
        return .success
    }

    /// Makes a capture file of a trace.
    static func export(_ arguments: Arguments) throws -> ExitCode {
        let output = try OutputFile(
            "pcapng",
            "capture file",
            arguments,
            inputs: arguments.positionals
        )
        guard let output else {
            throw CommandFailure(.usage, "export needs --pcapng, such as --pcapng tap.pcapng")
        }
        let trace = shown(try trace(arguments), arguments)
        var decoder = ExchangeDecoder(trace)
        let comments = trace.exchanges.map { exchange in
            let decoded = decoder.decode(exchange)
            let sent = decoded.sent.flatMap { $0.lines() }
            let received = decoded.received.flatMap { $0.lines() }
            return TraceCapture.Comment(
                command: ([decoded.title] + sent).joined(separator: "\n"),
                response: ([decoded.status] + received).joined(separator: "\n")
            )
        }
        let capture = TraceCapture(trace, startSeconds: trace.startSeconds, comments: comments)
        try output.write(capture.bytes)
        return .success
    }

    /// The trace as it may be shown: masked, unless the card is public, it is masked already, or `--unmask` is there.
    static func shown(_ trace: Trace, _ arguments: Arguments) -> Trace {
        guard trace[.publicCard] == nil, !arguments.has("unmask") else { return trace }
        var redaction = Redaction()
        // What is told late is masked in the first exchange, too.
        redaction.learn(trace.exchanges)
        var masked = trace
        masked.exchanges = trace.exchanges.map { redaction.mask($0) }
        masked.headers = trace.headers.map { header in
            Trace.Header(header.name, redaction.mask(text: header.value))
        }
        if masked[.masked] == nil { masked.headers.append(.isMasked) }
        return masked
    }
}

extension TraceImport {
    /// What was found, for people.
    fileprivate var summary: String {
        let count = trace.exchanges.count
        var text = "\(count) exchange\(count == 1 ? "" : "s") from \(origin.rawValue)"
        if let first = unansweredLines.first {
            let others = unansweredLines.count - 1
            text += "; left out a command without a response in line \(first)"
            if others > 0 { text += " and \(others) more" }
        }
        if isLastLineOpen { text += "; the last line has no end, so that bytes may be missing" }
        return text
    }
}

extension ExchangeDecoder {
    /// Starts before the first exchange of a trace, whose bytes may be shown as they are.
    init(_ trace: Trace) {
        let currency = trace.headerObjects.first { $0.tag == .transactionCurrencyCode }
        self.init(
            currency: currency.flatMap { Currency(bytes: $0.value) } ?? .eur,
            redaction: Redaction(.nothing)
        )
    }
}

extension DecodedObject {
    /// The object and all that is in it, a line each.
    fileprivate func lines(depth: Int = 0) -> [String] {
        let parts = [
            tag.description, name, value.isEmpty ? nil : value.hex, text,
            meanings.isEmpty ? nil : "(\(meanings.joined(separator: "; ")))",
        ]
        let indent = String(repeating: "  ", count: depth)
        return [indent + parts.compactMap(\.self).joined(separator: " ")]
            + objects.flatMap { $0.lines(depth: depth + 1) }
    }
}

extension Trace {
    /// Midnight (UTC) of the day of the payment, in seconds since 1970; zero where it is not known, or earlier.
    fileprivate var startSeconds: UInt32 {
        guard
            let bytes = headerObjects.first(where: { $0.tag == .transactionDate })?.value
                ?? (try? activations())?.first?.value(.transactionDate),
            let date = TransactionDate(bytes: bytes)
        else { return 0 }
        let fields = date.description.split(separator: "-").compactMap { Int($0) }
        guard fields.count == 3 else { return 0 }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(year: fields[0], month: fields[1], day: fields[2])
        let seconds = calendar.date(from: components)?.timeIntervalSince1970 ?? 0
        return UInt32(max(0, min(seconds, Double(UInt32.max))))
    }
}
