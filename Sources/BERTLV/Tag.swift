import Octets

/// A BER-TLV tag of one to four bytes, as the number its bytes spell (EMV Book 3, Annex B1).
public struct Tag: RawRepresentable, Hashable, Sendable {
    /// The tag bytes, right aligned: `0x9F36` for 9F36.
    public var rawValue: UInt32
    /// Wraps any tag, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// How many bytes the tag takes, 1 to 4.
    public var byteCount: Int {
        if rawValue > 0xFF_FFFF { return 4 }
        if rawValue > 0xFFFF { return 3 }
        return rawValue > 0xFF ? 2 : 1
    }

    /// The first byte, which holds class, constructed bit and short number.
    public var leadingByte: UInt8 {
        UInt8(truncatingIfNeeded: rawValue >> UInt32((byteCount - 1) * 8))
    }

    /// Whether the value is itself made of TLV objects.
    public var isConstructed: Bool { leadingByte & 0x20 != 0 }

    /// Whether the bytes are no tag but FF that fills up and what stands behind it.
    ///
    /// Of the tags that begin with FF and go on beyond a second byte EMV has only FF81xx (EMV Book C-2, A.1).
    var isFilling: Bool {
        guard leadingByte == 0xFF, byteCount > 2 else { return false }
        return UInt8(truncatingIfNeeded: rawValue >> UInt32((byteCount - 2) * 8)) != 0x81
    }

    /// The longest tag that is read, in bytes.
    public static var maximumByteCount: Int { 4 }
}

#if !hasFeature(Embedded)
extension Tag: CustomStringConvertible {
    /// The tag as hexadecimal digits, `9F36`.
    public var description: String { bytes.hex }

    /// The tag's own bytes.
    public var bytes: [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0 * 8)) }
    }

    /// Reads exactly one whole tag; nil when `bytes` are not one.
    public init?(bytes: [UInt8]) {
        var reader = TLVReader(bytes.span)
        guard let tag = try? reader.readTag(), reader.offset == bytes.count else { return nil }
        self = tag
    }

    /// Reads all of `bytes` as tags one behind the other, as tag lists have them (9F4A, DF8112).
    /// - Throws: `TLVError` when the last one is cut, or one has more than four bytes.
    public static func list(parsing bytes: [UInt8]) throws(TLVError) -> [Tag] {
        var reader = TLVReader(bytes.span)
        var tags: [Tag] = []
        while reader.offset < bytes.count { tags.append(try reader.readTag()) }
        return tags
    }
}
#endif
