#if !hasFeature(Embedded)
import Octets

/// A track as a magnetic stripe reader prints it: `;4761739001010010=22122011143804400000?` or `%B4761...^NAME^2212...?`.
public struct TrackText: Hashable, Sendable {
    /// Which track.
    public let kind: DataKind
    /// The track as a chip has it (57 or 56), without sentinels.
    public let bytes: [UInt8]

    /// Takes the text apart; nil unless it has the separators of a track.
    ///
    /// The start and end sentinels may be missing; behind the end sentinel a check character may stand.
    public init?(_ text: String) {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        let isMarkedFirst = rest.first == "%"
        if isMarkedFirst || rest.first == ";" { rest.removeFirst() }
        if let end = rest.lastIndex(of: "?"), rest[end...].count <= 2 { rest = rest[..<end] }
        if rest.first == "B", rest.contains("^"), rest.allSatisfy(\.isASCII) {
            kind = .track1
            bytes = Array(rest.utf8)
            return
        }
        guard !isMarkedFirst, rest.count(where: { $0 == "=" }) == 1,
            rest.allSatisfy({ $0 == "=" || $0.isASCII && $0.isWholeNumber })
        else { return nil }
        kind = .track2
        bytes = PackedDigits.pack(
            rest.map { UInt8($0.wholeNumberValue ?? 0x0D) }
        )
    }
}

#endif
