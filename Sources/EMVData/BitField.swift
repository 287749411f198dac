/// A data object of a fixed length whose single bits, or groups of them, have meanings.
///
/// The books number bytes from the left starting at 1 and bits from the right: bit 8 is the most significant.
/// So does everything here. The raw value holds the object right aligned, the first byte most significant.
public protocol BitField: RawRepresentable, Hashable, Sendable
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable {
    /// How many bytes the object has.
    static var byteCount: Int { get }

    /// Wraps the object's bytes as one number; bits beyond `byteCount` bytes are meaningless.
    init(rawValue: RawValue)

    /// The object's bytes as one number.
    var rawValue: RawValue { get set }

    #if !hasFeature(Embedded)
    /// What the bits mean, in the order of the book's table.
    static var meanings: [BitMeaning] { get }
    #endif
}

extension BitField {
    /// The object with every bit clear.
    public init() { self.init(rawValue: 0) }

    /// Reads the object in place; nil when `bytes` have another length.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var number: RawValue = 0
        for index in bytes.indices { number = number << 8 | RawValue(bytes[index]) }
        self.init(rawValue: number)
    }

    /// One bit: `byte` counts from 1 at the left, `bit` from 8 at the left to 1.
    public subscript(byte: Int, bit: Int) -> Bool {
        get { rawValue >> Self.shift(byte, bit) & 1 == 1 }
        set {
            let mask: RawValue = 1 << Self.shift(byte, bit)
            // Assigned whole: changed in place, the access through the protocol would allocate in debug builds.
            rawValue = newValue ? rawValue | mask : rawValue & ~mask
        }
    }

    /// One byte, counted from 1 at the left.
    public subscript(byte byte: Int) -> UInt8 {
        get { UInt8(truncatingIfNeeded: rawValue >> Self.shift(byte, 1)) }
        set {
            let shift = Self.shift(byte, 1)
            rawValue = rawValue & ~(0xFF << shift) | RawValue(newValue) << shift
        }
    }

    /// How far a bit lies from the right end.
    private static func shift(_ byte: Int, _ bit: Int) -> Int {
        precondition(1...byteCount ~= byte && 1...8 ~= bit, "no such bit")
        return (byteCount - byte) * 8 + bit - 1
    }
}

extension OutputSpan<UInt8> {
    /// Appends the bytes of `field`.
    public mutating func append(_ field: some BitField) {
        var byte = 1
        while byte <= type(of: field).byteCount {
            append(field[byte: byte])
            byte += 1
        }
    }
}

#if !hasFeature(Embedded)
extension BitField {
    /// Reads the object; nil when `bytes` have another length.
    public init?(bytes: [UInt8]) { self.init(bytes.span) }

    /// The object's bytes.
    public var bytes: [UInt8] { (1...Self.byteCount).map { self[byte: $0] } }

    /// Every meaning with whether it holds here, in the order of the book's table.
    public var explanation: [(meaning: BitMeaning, isSet: Bool)] {
        Self.meanings.map { ($0, $0.mask & self[byte: $0.byte] == $0.value) }
    }
}

/// What a bit, or a group of bits with one value, means.
public struct BitMeaning: Hashable, Sendable {
    /// The byte, counted from 1 at the left.
    public let byte: Int
    /// The bits concerned.
    public let mask: UInt8
    /// The value of these bits that has the meaning.
    public let value: UInt8
    /// The meaning, a short phrase.
    public let text: String

    /// A bit that means something when set; bit 8 is the leftmost.
    public init(_ byte: Int, _ bit: Int, _ text: String) {
        self.init(byte, mask: 1 << UInt8(bit - 1), value: 1 << UInt8(bit - 1), text)
    }

    /// A group of bits that means something when it has one value.
    public init(_ byte: Int, mask: UInt8, value: UInt8, _ text: String) {
        self.byte = byte
        self.mask = mask
        self.value = value
        self.text = text
    }

    /// The same meaning of a field that lies `count` bytes inside another object.
    func moved(by count: Int) -> BitMeaning {
        BitMeaning(byte + count, mask: mask, value: value, text)
    }
}
#endif
