import ISO7816

/// A transport that deals with the two status words by which a card speaks about lengths.
///
/// 61xx says that xx more bytes wait: they are fetched with GET RESPONSE and joined. 6Cxx says that Le should
/// have been xx: the command is sent again with that. In both, 00 stands for 256. A contactless card has no
/// need of either, but a reader may speak T=0 to it, or the card be a contact card
/// (ISO 7816-3, 12.2; ISO 7816-4, 5.6).
public struct LengthResolvingTransport<Base: Transport & ~Copyable>: Transport, ~Copyable {
    /// The way to the card.
    public var base: Base
    /// Whether data are fetched behind a warning without any (62xx, 63xx).
    ///
    /// A card on T=0 cannot give both at once (EMV Book 1, 9.3.1.1). Others would be asked in vain.
    public let fetchesAfterWarning: Bool

    /// Wraps a transport.
    public init(_ base: consuming Base, fetchesAfterWarning: Bool = false) {
        self.base = base
        self.fetchesAfterWarning = fetchesAfterWarning
    }

    /// Takes the transport back.
    public consuming func unwrapped() -> Base { base }

    /// Raises the field of the transport below.
    /// - Throws: What the transport below throws.
    public mutating func fieldOn() throws(TransportError) { try base.fieldOn() }

    /// Takes the field of the transport below away.
    public mutating func fieldOff() { base.fieldOff() }

    /// How many bytes a chain of responses may have, status word included.
    public static var maximumResponseCount: Int { 65538 }

    /// How many commands one command may become.
    public static var maximumRounds: Int { 258 }

    /// Sends a command and asks on until the response is whole.
    /// - Parameter command: A whole command APDU.
    /// - Returns: The joined response data with the last status word.
    /// - Throws: What the transport below throws; `protocolViolation` when the chain does not end or a
    ///   corrected length is refused again.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        var current = command
        var wasCorrected = false
        var isFetching = false
        var body: [UInt8] = []
        var warning: StatusWord?
        for _ in 0..<Self.maximumRounds {
            let bytes = try base.transmit(current)
            guard let response = try? ResponseAPDU(parsing: bytes) else { throw .protocolViolation }
            guard body.count + bytes.count <= Self.maximumResponseCount else {
                throw .protocolViolation
            }
            switch response.status.rawValue >> 8 {
            case 0x61:
                // Asked for the rest, it has none and promises more: it would go on for ever.
                guard !isFetching || !response.body.isEmpty else { throw .protocolViolation }
                isFetching = true
                body += response.body
                current = Self.getResponse(length: response.status.announcedLength)
                wasCorrected = false
            case 0x6C where !wasCorrected:
                guard let corrected = Self.correct(current, response.status.announcedLength) else {
                    return body + bytes
                }
                current = corrected
                wasCorrected = true
            case 0x6C: throw .protocolViolation
            case 0x62, 0x63:
                guard warning == nil, body.isEmpty, response.body.isEmpty,
                    fetchesAfterWarning, Self.hasDataBothWays(command)
                else { return body + bytes }
                warning = response.status
                current = Self.getResponse(length: 256)
            default:
                guard let warning else { return body + bytes }
                return ResponseAPDU(body: body + response.body, status: warning).bytes
            }
        }
        throw .protocolViolation
    }

    /// Whether data go in and are wanted back, so that they may wait behind a warning (case 4).
    private static func hasDataBothWays(_ command: [UInt8]) -> Bool {
        guard let command = try? CommandAPDU(parsing: command) else { return false }
        return !command.body.isEmpty && command.expectedLength != nil
    }

    private static func getResponse(length: Int) -> [UInt8] {
        CommandAPDU(.getResponse, parameters: 0, expectedLength: length).bytes
    }

    /// The command with another Le; nil where it is no APDU.
    private static func correct(_ command: [UInt8], _ length: Int) -> [UInt8]? {
        guard var command = try? CommandAPDU(parsing: command) else { return nil }
        command.expectedLength = length
        return command.bytes
    }
}

extension StatusWord {
    /// The length that 61xx and 6Cxx speak of: SW2, where 00 means 256.
    fileprivate var announcedLength: Int {
        rawValue & 0xFF == 0 ? 256 : Int(rawValue & 0xFF)
    }
}
