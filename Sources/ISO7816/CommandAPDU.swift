#if !hasFeature(Embedded)

/// A command APDU that owns its data, as a terminal builds it.
public struct CommandAPDU: Hashable, Sendable {
    /// CLA and INS.
    public var code: CommandCode
    /// P1 and P2, P1 in the high byte.
    public var parameters: UInt16
    /// The command data, up to 65535 bytes.
    public var body: [UInt8]
    /// Ne, 1 to 65536; nil when no response data are wanted.
    public var expectedLength: Int?

    /// Collects the parts.
    public init(
        _ code: CommandCode,
        parameters: UInt16,
        body: [UInt8] = [],
        expectedLength: Int? = nil
    ) {
        precondition(body.count <= 65535, "an APDU carries at most 65535 bytes")
        precondition(expectedLength.map { 1...65536 ~= $0 } ?? true, "Ne is 1 to 65536")
        self.code = code
        self.parameters = parameters
        self.body = body
        self.expectedLength = expectedLength
    }

    /// Reads a command of any case.
    /// - Throws: `APDUError` when the bytes fit no case exactly.
    public init(parsing bytes: [UInt8]) throws(APDUError) {
        let view = try CommandView(parsing: bytes.span)
        code = view.code
        parameters = view.parameters
        body = view.body.indices.map { view.body[$0] }
        expectedLength = view.expectedLength
    }

    /// The command on the wire: short where both lengths allow it, extended otherwise.
    public var bytes: [UInt8] {
        var bytes = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        bytes += [UInt8(parameters >> 8), UInt8(parameters & 0xFF)]
        let isExtended = body.count > 255 || (expectedLength ?? 0) > 256
        if isExtended { bytes.append(0) }
        if !body.isEmpty { bytes += Self.field(body.count, isExtended) + body }
        if let expectedLength { bytes += Self.field(expectedLength, isExtended) }
        return bytes
    }

    /// A length field of one or two bytes; the largest Ne wraps to zero, as the standard says.
    private static func field(_ length: Int, _ isExtended: Bool) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: length)
        return isExtended ? [UInt8(truncatingIfNeeded: length >> 8), low] : [low]
    }
}

/// A response APDU that owns its data.
public struct ResponseAPDU: Hashable, Sendable {
    /// The response data, without the status word.
    public var body: [UInt8]
    /// SW1 and SW2.
    public var status: StatusWord

    /// Joins data and status.
    public init(body: [UInt8] = [], status: StatusWord) {
        self.body = body
        self.status = status
    }

    /// Reads a response.
    /// - Throws: `APDUError.tooShort` below two bytes.
    public init(parsing bytes: [UInt8]) throws(APDUError) {
        guard bytes.count >= 2 else { throw .tooShort(count: bytes.count) }
        body = Array(bytes.dropLast(2))
        status = StatusWord(
            rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1])
        )
    }

    /// The response on the wire.
    public var bytes: [UInt8] {
        body + [UInt8(status.rawValue >> 8), UInt8(status.rawValue & 0xFF)]
    }
}

#endif
