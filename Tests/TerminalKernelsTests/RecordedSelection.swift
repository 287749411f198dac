import EMVData
import Octets
import TestSupport

/// What cards of strangers answered to SELECT, of a directory or of an application.
enum RecordedSelection {
    typealias Case = VectorCase<HexBytes, Expected>

    struct NoParameters: Decodable {}

    struct Expected: Decodable, Sendable {
        struct Entry: Decodable, Sendable {
            var applicationIdentifier: HexBytes
            var label: String?
            var priority: HexBytes?
        }

        /// A tag and a length.
        struct Request: Decodable, Sendable {
            var tag: HexBytes
            var length: Int

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                tag = try container.decode(HexBytes.self)
                length = try container.decode(Int.self)
            }
        }

        var name: HexBytes
        var entries: [Entry]
        var pdol: [Request]
    }

    private static func all() throws -> [Case] {
        try VectorFile<NoParameters, HexBytes, Expected>.load("file-control-information").groups
            .flatMap(\.cases)
    }

    /// The contactless directories.
    static func directories() throws -> [Case] {
        let name = [UInt8]("2PAY.SYS.DDF01".utf8)
        return try all().filter { $0.expected.name.bytes == name }
    }

    /// The applications of Visa and Mastercard.
    static func applications() throws -> [Case] {
        let rids = [ApplicationIdentifier.visaRID, ApplicationIdentifier.mastercardRID]
        return try all().filter { vector in
            rids.contains { vector.expected.name.bytes.starts(with: $0) }
        }
    }
}
