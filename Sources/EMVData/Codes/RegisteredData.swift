#if !hasFeature(Embedded)
import Octets

/// Data under an identifier that EMVCo has registered, one of those in 9F0A or 8B.
///
/// Identifier (2 bytes), length (1), value. EMV Book 1, 12.5; EMV Book B, Annex A.
public struct RegisteredData: Hashable, Sendable {
    /// The registered identifier.
    public var identifier: UInt16
    /// The value, up to 255 bytes.
    public var value: [UInt8]

    /// Reads all of `bytes` as such data; none is allowed.
    /// - Throws: `EMVDataError.Reason.truncated` at the entry whose header or value is cut.
    public static func list(parsing bytes: [UInt8]) throws(EMVDataError) -> [RegisteredData] {
        var list: [RegisteredData] = []
        var offset = 0
        while offset < bytes.count {
            guard bytes.count - offset >= 3,
                bytes.count - offset - 3 >= Int(bytes[offset + 2])
            else { throw EMVDataError(.truncated, at: offset) }
            let end = offset + 3 + Int(bytes[offset + 2])
            list.append(
                RegisteredData(
                    identifier: UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]),
                    value: Array(bytes[offset + 3..<end])
                )
            )
            offset = end
        }
        return list
    }
}

extension RegisteredData {
    /// What an entry of Application Selection Registered Proprietary Data says (9F0A).
    ///
    /// The product types are those of regulation (EU) 2015/751, by which cards in Europe tell their kind.
    var selectionText: String {
        let owner: String =
            switch identifier {
            case 0x0001: "European Cards Stakeholders Group"
            case 0x0003: "Technical Cooperation ep2"
            default: identifier.hex
            }
        let product: String? =
            switch value.first {
            case 1: "debit"
            case 2: "credit"
            case 3: "commercial"
            case 4: "prepaid"
            default: nil
            }
        guard let product, [0x0001, 0x0003].contains(identifier) else {
            return value.isEmpty ? owner : "\(owner): \(value.hex)"
        }
        return "\(owner): \(product)"
    }

    /// What an entry of POI Information says (8B).
    var pointOfInteractionTexts: [String] {
        guard identifier == 0x0001 else {
            return ["POI information \(identifier.hex): \(value.hex)"]
        }
        return TerminalCategory.list(value).map(\.description)
    }
}

/// What a terminal is there for (9F3E, and identifier 0001 in 8B).
///
/// EMV Book B, Annex A.
public struct TerminalCategory: RawRepresentable, Hashable, Sendable {
    /// The number, two bytes on the wire.
    public var rawValue: UInt16
    /// Wraps any category, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Transit gate (0001).
    public static var transitGate: Self { Self(rawValue: 1) }
    /// Loyalty (0002).
    public static var loyalty: Self { Self(rawValue: 2) }

    /// The categories in a value; a last single byte is none.
    public static func list(_ bytes: [UInt8]) -> [TerminalCategory] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            TerminalCategory(rawValue: UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]))
        }
    }
}

extension TerminalCategory: CustomStringConvertible {
    /// The category in words.
    public var description: String {
        switch self {
        case .transitGate: "Terminal category: transit gate"
        case .loyalty: "Terminal category: loyalty"
        default: "Terminal category: \(rawValue.hex)"
        }
    }
}

#endif
