#if !hasFeature(Embedded)

/// An Answer To Reset, taken apart (ISO 7816-3, 8.2).
public struct AnswerToReset: Hashable, Sendable {
    /// Why bytes are not an answer to reset.
    public enum Failure: Error, Hashable, Sendable {
        /// The bytes end before everything T0 and TD announce.
        case truncated(offset: Int)
        /// TS is neither 3B nor 3F.
        case initialCharacter(UInt8)
        /// There are more bytes than announced, or more than 33.
        case excessBytes(offset: Int)
        /// The exclusive or of all bytes from T0 is not zero.
        case checkCharacter
    }

    /// An interface byte and its name, `TA1` to `TD4`.
    public struct InterfaceByte: Hashable, Sendable {
        /// The name, such as `TD1`.
        public let name: String
        /// The byte.
        public let value: UInt8
    }

    /// All the bytes, at most 33.
    public let bytes: [UInt8]
    /// TA1, TB1 and so on, in order.
    public let interfaceBytes: [InterfaceByte]
    /// The transmission protocols announced, by number; T=0 where none is.
    public let protocols: [UInt8]
    /// The historical bytes, at most 15.
    public let historicalBytes: [UInt8]

    /// The longest answer to reset, in bytes.
    public static var maximumCount: Int { 33 }

    /// Takes an answer to reset apart.
    /// - Throws: `Failure` when the bytes are not exactly one.
    public init(parsing bytes: [UInt8]) throws(Failure) {
        guard bytes.count >= 2 else { throw .truncated(offset: bytes.count) }
        guard bytes[0] == 0x3B || bytes[0] == 0x3F else { throw .initialCharacter(bytes[0]) }
        guard bytes.count <= Self.maximumCount else {
            throw .excessBytes(offset: Self.maximumCount)
        }
        var offset = 2
        var announced: UInt8? = bytes[1]
        var interface: [InterfaceByte] = []
        var protocols: [UInt8] = []
        var level = 1
        while let presence = announced {
            announced = nil
            for (letter, bit) in [("A", 0x10), ("B", 0x20), ("C", 0x40), ("D", 0x80)]
            where presence & UInt8(bit) != 0 {
                guard offset < bytes.count else { throw .truncated(offset: offset) }
                interface.append(InterfaceByte(name: "T\(letter)\(level)", value: bytes[offset]))
                if letter == "D" {
                    announced = bytes[offset]
                    protocols.append(bytes[offset] & 0x0F)
                }
                offset += 1
            }
            level += 1
        }
        let historicalCount = Int(bytes[1] & 0x0F)
        guard bytes.count >= offset + historicalCount else {
            throw .truncated(offset: bytes.count)
        }
        historicalBytes = Array(bytes[offset..<offset + historicalCount])
        offset += historicalCount
        // TCK is there unless T=0 is the only protocol.
        if protocols.contains(where: { $0 != 0 }) {
            guard offset < bytes.count else { throw .truncated(offset: offset) }
            guard bytes[1...offset].reduce(0, ^) == 0 else { throw .checkCharacter }
            offset += 1
        }
        guard offset == bytes.count else { throw .excessBytes(offset: offset) }
        self.bytes = bytes
        interfaceBytes = interface
        self.protocols = protocols.isEmpty ? [0] : protocols
    }

    /// Makes the answer a reader shows for a contactless card of type A (PC/SC part 3, 3.1.3.2.3.1).
    /// - Parameter historicalBytes: Those of the card's ATS, at most 15.
    public init(contactlessHistoricalBytes historicalBytes: [UInt8]) {
        precondition(historicalBytes.count <= 15, "an ATR has at most 15 historical bytes")
        let body = [0x80 | UInt8(historicalBytes.count), 0x80, 0x01] + historicalBytes
        bytes = [0x3B] + body + [body.reduce(0, ^)]
        interfaceBytes = [
            InterfaceByte(name: "TD1", value: 0x80), InterfaceByte(name: "TD2", value: 0x01),
        ]
        protocols = [0, 1]
        self.historicalBytes = historicalBytes
    }

    /// What kind of card a reader shows with it (PC/SC part 3, 3.1.3.2.3).
    public enum Interface: Hashable, Sendable {
        /// A card with contacts.
        case contact
        /// A contactless card with an operating system (ISO 14443-4).
        case contactless
        /// A contactless card without one, such as MIFARE.
        case contactlessStorage
    }

    /// Contact or contactless, told from the form PC/SC readers give contactless cards.
    ///
    /// A card with contacts may by chance have the same form; `FF CA 00 00 00` tells for certain.
    public var interface: Interface {
        guard bytes[0] == 0x3B, interfaceBytes.map(\.name) == ["TD1", "TD2"],
            interfaceBytes.map(\.value) == [0x80, 0x01]
        else { return .contact }
        // A0 00 00 03 06 is the PC/SC workgroup's identifier inside 4F.
        let storage: [UInt8] = [0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06]
        return historicalBytes.starts(with: storage) ? .contactlessStorage : .contactless
    }
}

#endif
