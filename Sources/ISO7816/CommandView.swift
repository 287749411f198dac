/// A command APDU seen in place, as a card reads it.
public struct CommandView: ~Escapable {
    /// CLA and INS.
    public let code: CommandCode
    /// P1 and P2, P1 in the high byte.
    public let parameters: UInt16
    /// The command data, Nc bytes; empty in cases 1 and 2.
    public let body: Span<UInt8>
    /// Ne, how many response bytes are wanted at most: 1 to 65536; nil in cases 1 and 3.
    public let expectedLength: Int?

    /// Reads a command of case 1 to 4, short or extended (ISO 7816-3, 12.1.3).
    ///
    /// | case | bytes |
    /// |---|---|
    /// | 1 | header |
    /// | 2 | header, Le (1) or 00 Le (2) |
    /// | 3 | header, Lc (1) or 00 Lc (2), data |
    /// | 4 | header, Lc (1), data, Le (1) or 00 Lc (2), data, Le (2) |
    ///
    /// A short Le of 00 means 256, an extended one of 0000 means 65536; Lc is never zero.
    /// - Throws: `APDUError` when the bytes fit no case exactly.
    @_lifetime(copy bytes)
    public init(parsing bytes: Span<UInt8>) throws(APDUError) {
        guard bytes.count >= 4 else { throw APDUError.tooShort(count: bytes.count) }
        code = CommandCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        parameters = UInt16(bytes[2]) << 8 | UInt16(bytes[3])

        let count = bytes.count
        if count == 4 {
            body = Span()
            expectedLength = nil
            return
        }
        if count == 5 {
            body = Span()
            expectedLength = bytes[4] == 0 ? 256 : Int(bytes[4])
            return
        }
        if bytes[4] != 0 {
            let length = Int(bytes[4])
            guard count == 5 + length || count == 6 + length else {
                throw APDUError.lengthMismatch(count: count)
            }
            body = bytes.extracting(5..<5 + length)
            let hasLe = count == 6 + length
            expectedLength = hasLe ? (bytes[count - 1] == 0 ? 256 : Int(bytes[count - 1])) : nil
            return
        }
        guard count >= 7 else { throw APDUError.lengthMismatch(count: count) }
        let length = Int(bytes[5]) << 8 | Int(bytes[6])
        if count == 7 {
            body = Span()
            expectedLength = length == 0 ? 65536 : length
            return
        }
        guard length > 0, count == 7 + length || count == 9 + length else {
            throw APDUError.lengthMismatch(count: count)
        }
        body = bytes.extracting(7..<7 + length)
        if count == 9 + length {
            let wanted = Int(bytes[count - 2]) << 8 | Int(bytes[count - 1])
            expectedLength = wanted == 0 ? 65536 : wanted
        } else {
            expectedLength = nil
        }
    }
}
