import BERTLV
import EMVData
import Octets

extension DecodeCommand {
    /// Decodes a track that was written as text; offsets are those of the bytes that are shown.
    static func trackText(
        _ bytes: [UInt8],
        _ kind: DataKind,
        _ settings: DecodeSettings
    ) -> Decoding {
        var decoding = decode(bytes, as: kind, settings)
        decoding.title += ", written as text"
        var decoder = settings.decoder
        let tag: Tag = kind == .track1 ? .track1Data : .track2EquivalentData
        let place = DecodedPart(
            place: "As \(tag)",
            digits: decoder.mask(bytes, of: tag).hex,
            text: ""
        )
        decoding.sections.insert(Decoding.Section(name: "bytes", parts: [place]), at: 0)
        return decoding
    }
}
