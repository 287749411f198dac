#if !hasFeature(Embedded)
import Octets

/// The name of an application on a card: 5 to 16 bytes, of which the first five name its provider (4F, 84, 9F06).
///
/// ISO/IEC 7816-4, 8.2.1.2; EMV Book 1, 12.2.1.
public struct ApplicationIdentifier: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Wraps a name; nil when it has not 5 to 16 bytes.
    public init?(bytes: [UInt8]) {
        guard 5...16 ~= bytes.count else { return nil }
        self.bytes = bytes
    }

    /// The Registered Application Provider Identifier, the first five bytes.
    public var rid: [UInt8] { Array(bytes.prefix(5)) }

    /// Whether the name starts with `prefix`, so that a partial selection by it finds this application.
    public func hasPrefix(_ prefix: ApplicationIdentifier) -> Bool {
        bytes.starts(with: prefix.bytes)
    }
}

extension ApplicationIdentifier: CustomStringConvertible {
    /// The name as hexadecimal digits.
    public var description: String { bytes.hex }
}

extension ApplicationIdentifier {
    /// The RID of Visa (A000000003).
    public static let visaRID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x03]
    /// The RID of Mastercard (A000000004).
    public static let mastercardRID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x04]
}

#endif
