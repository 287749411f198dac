import BERTLV
import EMVData
import Octets

/// A cardholder who must not be found in anything masked.
///
/// The number is a published test number; the rest is made up.
enum Cardholder {
    static let number = "4761739001010119"
    static let substitute = "4761730000000119"
    static let name = Array("DOE/JOHN".utf8)

    static let track2 = bytes("4761739001010119D22122011758928889")
    static let track1 = Array("B4761739001010119^DOE/JOHN^22122011758928889".utf8)

    /// A record with everything a card tells about its holder.
    static let record = TLV(
        .recordTemplate,
        [
            TLV(.applicationPAN, bytes(number)),
            TLV(.track2EquivalentData, track2),
            TLV(.cardholderName, name),
            TLV(.track1DiscretionaryData, Array("1758928889".utf8)),
            TLV(.iccPublicKeyCertificate, [UInt8](repeating: 0x5A, count: 176)),
            TLV(.applicationExpirationDate, bytes("221231")),
        ]
    )

    static func bytes(_ text: String) -> [UInt8] { (try? [UInt8](hex: text)) ?? [] }

    /// Whether bytes give away digits that a masked number hides, packed or as characters, or the name.
    static func isFound(in bytes: [UInt8]) -> Bool {
        let hidden = "900101"
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.hex.contains(hidden) || text.contains(hidden) || text.contains("DOE")
            || bytes.hex.contains("1758928889") || text.contains("1758928889")
    }
}
