import Octets
import Transport

extension Trace {
    /// The trace as a file holds it.
    public var text: String {
        var lines = [Self.signature]
        lines += headers.map { "# \($0.name.rawValue): \(Self.shown($0.value))" }
        for exchange in exchanges {
            let command = exchange.command.hex
            let parts = [">", command, exchange.isCommandPartial ? "?" : ""]
            lines.append(parts.filter { !$0.isEmpty }.joined(separator: " "))
            let time = exchange.elapsed.map { "  # \($0.microsecondText) µs" } ?? ""
            switch exchange.result {
            case .success(let response): lines.append("< \(response.hex)\(time)")
            case .failure(let error): lines.append("! \(Self.name(of: error))\(time)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func name(of error: TransportError) -> String {
        switch error {
        case .timeout: "timeout"
        case .cardRemoved: "removed"
        case .protocolViolation, .unexpectedCommand, .endOfScript: "violation"
        case .reader(let code): "reader \(code.hex)"
        }
    }
}

extension Duration {
    /// The time in microseconds with one decimal, rounded.
    public var microsecondText: String {
        let (seconds, attoseconds) = components
        let tenths = seconds * 10_000_000 + (attoseconds + 50_000_000_000) / 100_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
