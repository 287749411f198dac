import ISO7816
import Octets
import Transport

/// A trace as a capture file (pcapng) that Wireshark opens and takes apart without being told anything.
///
/// Commands and responses are packets of the link type by which Wireshark exports what one of its dissectors shall read
/// (LINKTYPE_WIRESHARK_UPPER_PDU, 252): each names the dissector `iso7816` and its direction. A trace knows how long
/// the card took and not how long the terminal did, so that a command is stamped with the time of the response before.
///
/// A command that is no whole command has no packet, since Wireshark could not take it apart; it stands in the comment of
/// the next one.
public struct TraceCapture: Sendable {
    /// What people should read beside an exchange.
    public struct Comment: Hashable, Sendable {
        /// About the command.
        public var command: String
        /// About the response.
        public var response: String

        /// Joins the parts.
        public init(command: String = "", response: String = "") {
            self.command = command
            self.response = response
        }
    }

    /// The file.
    public private(set) var bytes: [UInt8] = []
    private var nanoseconds: UInt64

    /// Writes a trace.
    /// - Parameters:
    ///   - trace: The trace.
    ///   - startSeconds: When the first command was sent, in seconds since 1970.
    ///   - comments: What people should read, one for each exchange; none where there are fewer.
    public init(_ trace: Trace, startSeconds: UInt32, comments: [Comment] = []) {
        nanoseconds = UInt64(startSeconds) * 1_000_000_000
        appendSection(trace)
        appendInterface()
        var untold = ""
        for (index, exchange) in trace.exchanges.enumerated() {
            let comment = index < comments.count ? comments[index] : Comment()
            var words = untold + comment.command
            untold = ""
            let response = try? exchange.result.get()
            if response == nil { words += "\nno response: \(comment.response)" }
            if exchange.hasWholeCommand {
                appendPacket(exchange.command, isSent: true, words)
            } else {
                let bytes = exchange.command.isEmpty ? "" : " \(exchange.command.hex)"
                untold = words + "\ncommand recorded in part only, no packet:\(bytes)\n"
            }
            let elapsed = exchange.elapsed ?? .zero
            nanoseconds += UInt64(max(0, elapsed / .nanoseconds(1)))
            guard let response else { continue }
            appendPacket(response, isSent: false, untold + comment.response)
            untold = ""
        }
    }

    // MARK: Blocks

    /// What begins a file of this byte order.
    private mutating func appendSection(_ trace: Trace) {
        var body =
            Self.little(UInt32(0x1A2B_3C4D)) + Self.little(UInt16(1)) + Self.little(UInt16(0))
        // How long the section is need not be told.
        body += [UInt8](repeating: 0xFF, count: 8)
        let headers = trace.headers.map { "\($0.name.rawValue): \($0.value)" }
        body += Self.options([(.comment, Array(headers.joined(separator: "\n").utf8))])
        append(type: 0x0A0D_0D0A, body)
    }

    private mutating func appendInterface() {
        let linkType: UInt16 = 252
        var body = Self.little(linkType) + Self.little(UInt16(0)) + Self.little(UInt32(0))
        // Times in units of 10^-9 seconds.
        body += Self.options([(.name, Array("card".utf8)), (.timeResolution, [9])])
        append(type: 1, body)
    }

    private mutating func appendPacket(
        _ apdu: [UInt8],
        isSent: Bool,
        _ comment: String
    ) {
        var packet = Self.tag(12, Array("iso7816".utf8))
        packet += Self.tag(35, [0, 0, 0, isSent ? 0 : 1])
        packet += [0, 0, 0, 0] + apdu
        var body = Self.little(UInt32(0))
        body += Self.little(UInt32(truncatingIfNeeded: nanoseconds >> 32))
        body += Self.little(UInt32(truncatingIfNeeded: nanoseconds))
        let count = Self.little(UInt32(truncatingIfNeeded: packet.count))
        body += count + count + Self.padded(packet)
        body += Self.options([(.comment, Array(comment.utf8))])
        append(type: 6, body)
    }

    private mutating func append(type: UInt32, _ body: [UInt8]) {
        let count = Self.little(UInt32(truncatingIfNeeded: 12 + body.count))
        bytes += Self.little(type) + count + body + count
    }

    /// An option of a block, by its number.
    private enum Option: UInt16 {
        case comment = 1
        case name = 2
        case timeResolution = 9
    }

    /// How many bytes of an option are kept; its length has two bytes.
    private static let maximumOptionCount = 60_000

    private static func options(_ options: [(option: Option, value: [UInt8])]) -> [UInt8] {
        let given = options.filter { !$0.value.isEmpty }
        guard !given.isEmpty else { return [] }
        return given.flatMap { option, value in
            var kept = value.prefix(maximumOptionCount)
            // No character is cut.
            while let next = value.dropFirst(kept.count).first, next & 0xC0 == 0x80, !kept.isEmpty {
                kept.removeLast()
            }
            return little(option.rawValue) + little(UInt16(truncatingIfNeeded: kept.count))
                + padded(Array(kept))
        } + [0, 0, 0, 0]
    }

    /// A tag of the link type; numbers in it have the high byte first.
    private static func tag(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        let padded = padded(value)
        return [0, number, UInt8(padded.count >> 8), UInt8(padded.count & 0xFF)] + padded
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func little<Number: FixedWidthInteger & UnsignedInteger>(
        _ number: Number
    ) -> [UInt8] {
        stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

extension Exchange {
    /// Whether the command is known to its end and is one.
    fileprivate var hasWholeCommand: Bool {
        !isCommandPartial && (try? CommandAPDU(parsing: command)) != nil
    }
}
