/// One object as it lies in the bytes it was read from.
public struct TLVElement: ~Escapable {
    /// The tag.
    public let tag: Tag
    /// The value, seen in place.
    public let value: Span<UInt8>
    /// Where the tag starts.
    public let offset: Int
    /// Where the value starts.
    public let valueOffset: Int

    @_lifetime(copy value)
    init(tag: Tag, value: Span<UInt8>, offset: Int, valueOffset: Int) {
        self.tag = tag
        self.value = value
        self.offset = offset
        self.valueOffset = valueOffset
    }
}

/// Reads the objects of one template, one after another, without copying.
///
/// It does not descend: a template's value is read by another reader. Zero bytes between objects are
/// padding (EMV Book 3, Annex B1) and are passed over.
public struct TLVReader: ~Escapable {
    private let bytes: Span<UInt8>
    private let base: Int
    /// Where the next object starts, from the start of the outermost bytes.
    public private(set) var offset: Int

    /// Starts at the first byte of `bytes`.
    /// - Parameters:
    ///   - bytes: The objects, to the last byte.
    ///   - base: Where `bytes` lie in the outermost bytes, so that offsets are the reader's user's own.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, base: Int = 0) {
        self.bytes = bytes
        self.base = base
        offset = base
    }

    /// Reads the next object; nil at the end.
    /// - Throws: `TLVError`; the reader then stands where it stood before.
    @_lifetime(copy self)
    public mutating func next() throws(TLVError) -> TLVElement? {
        while offset - base < bytes.count, bytes[offset - base] == 0 { offset += 1 }
        guard offset - base < bytes.count else { return nil }

        let start = offset
        do throws(TLVError) {
            let tag = try readTag()
            guard !tag.isFilling else { throw TLVError(.filling, at: start) }
            let lengthOffset = offset
            let length = try readLength()
            guard length <= bytes.count - (offset - base) else {
                throw TLVError(.truncatedValue, at: lengthOffset)
            }
            let valueOffset = offset
            offset += length
            return TLVElement(
                tag: tag,
                value: bytes.extracting(valueOffset - base..<offset - base),
                offset: start,
                valueOffset: valueOffset
            )
        } catch {
            offset = start
            throw error
        }
    }

    /// Reads a tag alone, as data object lists hold them.
    /// - Throws: `TLVError` when the bytes end inside it or it has more than four bytes.
    public mutating func readTag() throws(TLVError) -> Tag {
        let start = offset
        guard let first = nextByte() else { throw TLVError(.truncatedTag, at: start) }
        var number = UInt32(first)
        guard first & 0x1F == 0x1F else { return Tag(rawValue: number) }
        for _ in 1..<Tag.maximumByteCount {
            guard let byte = nextByte() else { throw TLVError(.truncatedTag, at: start) }
            number = number << 8 | UInt32(byte)
            if byte & 0x80 == 0 { return Tag(rawValue: number) }
        }
        throw TLVError(.tagTooLong, at: start)
    }

    /// Reads a length of one to four bytes; it need not have the shortest form.
    /// - Throws: `TLVError` when the bytes end inside it or its form is not EMV's.
    public mutating func readLength() throws(TLVError) -> Int {
        let start = offset
        guard let first = nextByte() else { throw TLVError(.truncatedLength, at: start) }
        guard first >= 0x80 else { return Int(first) }
        guard 0x81...0x83 ~= first else { throw TLVError(.unsupportedLength, at: start) }
        var length = 0
        for _ in 0..<Int(first & 0x7F) {
            guard let byte = nextByte() else { throw TLVError(.truncatedLength, at: start) }
            length = length << 8 | Int(byte)
        }
        return length
    }

    /// Takes one byte; nil at the end.
    private mutating func nextByte() -> UInt8? {
        guard offset - base < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset - base]
    }
}
