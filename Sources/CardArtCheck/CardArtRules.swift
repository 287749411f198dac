internal import CCardArt

/// The rules for pictures of cards in Apple Wallet, as far as a program can see whether they are kept.
public enum CardArtRules {
    /// How wide a picture must be, in pixels.
    public static let width = 1_536
    /// How high a picture must be, in pixels.
    public static let height = 969
    /// A file must have fewer bytes: 4 MB.
    public static let byteLimit = 4_000_000

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Looks at a file.
    /// - Parameter bytes: All of the file.
    /// - Returns: What is found, at least one finding.
    public static func findings(in bytes: [UInt8]) -> [CardArtFinding] {
        var findings: [CardArtFinding] = []
        if bytes.starts(with: signature) {
            findings = pngFindings(bytes)
        } else if isPDF(bytes) {
            findings = [
                CardArtFinding(
                    weight: .warning,
                    sentence: "A PDF is accepted, but turning it into pixels takes memory that a "
                        + "Wallet extension has little of; take a PNG."
                ),
                CardArtFinding(
                    weight: .note,
                    sentence: "Size and corners of a PDF are not looked at."
                ),
            ]
        } else {
            findings = [
                CardArtFinding(
                    weight: .error,
                    sentence: "The file is neither a PNG nor a whole PDF; take a PNG."
                )
            ]
        }
        findings.append(sizeFinding(bytes.count))
        return findings
    }

    private static func sizeFinding(_ count: Int) -> CardArtFinding {
        count < byteLimit
            ? CardArtFinding(
                weight: .note,
                sentence: "The file has \(count) bytes, less than 4 MB."
            )
            : CardArtFinding(
                weight: .error,
                sentence: "The file has \(count) bytes; it must have less than 4 MB (\(byteLimit))."
            )
    }

    private static func pngFindings(_ bytes: [UInt8]) -> [CardArtFinding] {
        var art = card_art()
        let outcome = unsafe bytes.withUnsafeBufferPointer {
            unsafe card_art_read($0.baseAddress, $0.count, &art)
        }
        guard outcome != CARD_ART_DAMAGED else {
            let message = unsafe withUnsafeBytes(of: art.message) { text in
                unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            }
            return [
                CardArtFinding(
                    weight: .error,
                    sentence: "The PNG is damaged (\(printable(message))); save it anew."
                )
            ]
        }
        var findings = pixelFindings(Int(art.width), Int(art.height))
        guard outcome == CARD_ART_READ else { return findings }
        let corners = [
            ("top left", art.corner_alpha.0), ("top right", art.corner_alpha.1),
            ("bottom left", art.corner_alpha.2), ("bottom right", art.corner_alpha.3),
        ]
        let clear = corners.filter { $0.1 < 255 }.map(\.0)
        findings.append(
            clear.isEmpty
                ? CardArtFinding(weight: .note, sentence: "The corners are square and opaque.")
                : CardArtFinding(
                    weight: .error,
                    sentence: "The picture is not opaque \(list(clear)); leave the corners square, "
                        + "Wallet rounds them itself."
                )
        )
        if art.white_corners == 4, clear.isEmpty {
            findings.append(
                CardArtFinding(
                    weight: .warning,
                    sentence:
                        "The corners are white and the card inside of them is not; if it is drawn "
                        + "with round corners, draw it with square ones."
                )
            )
        }
        return findings
    }

    /// Whether a file begins and ends as a PDF does: its version, and the mark near its end.
    private static func isPDF(_ bytes: [UInt8]) -> Bool {
        let head = Array("%PDF-".utf8)
        let mark = Array("%%EOF".utf8)
        guard bytes.starts(with: head), bytes.count > 8,
            [UInt8(ascii: "1"), UInt8(ascii: "2")].contains(bytes[5]), bytes[6] == UInt8(ascii: ".")
        else { return false }
        let tail = bytes.suffix(1_024)
        return tail.indices.contains { tail[$0...].starts(with: mark) }
    }

    private static func pixelFindings(_ wide: Int, _ high: Int) -> [CardArtFinding] {
        let measured = "The picture has \(wide) × \(high) pixels"
        if wide == width, high == height {
            return [CardArtFinding(weight: .note, sentence: "\(measured).")]
        }
        var findings = [
            CardArtFinding(
                weight: .error,
                sentence: "\(measured); it must have \(width) × \(height)."
            )
        ]
        if high > wide {
            findings.append(
                CardArtFinding(
                    weight: .error,
                    sentence: "The picture is upright; arrange it anew in landscape."
                )
            )
        }
        return findings
    }

    private static func list(_ corners: [String]) -> String {
        switch corners.count {
        case 4: "in its corners"
        case 1: "in its \(corners[0]) corner"
        default:
            "in its \(corners.dropLast().joined(separator: ", ")) and \(corners.last ?? "") corners"
        }
    }

    /// libpng's messages may quote the file.
    private static func printable(_ message: String) -> String {
        String(message.unicodeScalars.map { 0x20...0x7E ~= $0.value ? Character($0) : "?" })
    }
}
