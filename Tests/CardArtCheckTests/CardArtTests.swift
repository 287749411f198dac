import CardArtCheck
import Testing

/// Pictures that Python has made; `Pictures.swift` says how.
@Suite("The picture of a card") struct CardArtTests {
    private func words(_ bytes: [UInt8]) -> String {
        CardArtRules.findings(in: bytes)
            .map { "\($0.weight): \($0.sentence)" }.joined(separator: "\n")
    }

    @Test("A picture that keeps the rules, of each kind of pixel", arguments: Pictures.good)
    func good(_ picture: [UInt8]) {
        let findings = CardArtRules.findings(in: picture)
        #expect(findings.isAccepted)
        #expect(findings.allSatisfy { $0.weight == .note })
        #expect(findings.map(\.sentence).contains("The corners are square and opaque."))
    }

    @Test("Each rule that is broken has its sentence")
    func broken() {
        #expect(words(Pictures.small).contains("error: The picture has 1535 × 969 pixels; it must"))
        #expect(words(Pictures.upright).contains("error: The picture has 969 × 1536 pixels"))
        #expect(words(Pictures.upright).contains("error: The picture is upright"))
        #expect(
            words(Pictures.rounded).contains("error: The picture is not opaque in its corners;")
        )
        #expect(
            words(Pictures.oneCorner).contains(
                "error: The picture is not opaque in its top right corner;"
            )
        )
        #expect(words(Pictures.huge).contains("error: The picture has 100000 × 100000 pixels;"))
        for picture in [Pictures.small, Pictures.upright, Pictures.rounded, Pictures.huge] {
            #expect(!CardArtRules.findings(in: picture).isAccepted)
        }
    }

    @Test("Round corners on white, and a corner that lets a little light through")
    func softCorners() {
        #expect(words(Pictures.whiteRounded).contains("warning: The corners are white"))
        #expect(!words(Pictures.good[0]).contains("white"))
        #expect(
            words(Pictures.softCorner).contains(
                "error: The picture is not opaque in its top left corner;"
            )
        )
    }

    @Test("A PDF is accepted with a warning, other files are not")
    func others() {
        let pdf = CardArtRules.findings(in: Array("%PDF-1.7\n%%EOF\n".utf8))
        #expect(pdf.isAccepted && pdf[0].weight == .warning)
        #expect(pdf[0].sentence.contains("memory"))
        #expect(words([]).contains("error: The file is neither a PNG nor a whole PDF"))
        for text in ["%PDF-", "%PDF-1.7\n", "%PDF-x.7\n%%EOF", "%%EOF"] {
            #expect(!CardArtRules.findings(in: Array(text.utf8)).isAccepted, "\(text)")
        }
        #expect(words([0xFF, 0xD8, 0xFF, 0xE0]).contains("error: The file is neither"))
    }

    @Test("The size in bytes: one below the limit, and the limit")
    func size() {
        let pdf = Array("%PDF-1.7".utf8)
        let end = Array("%%EOF".utf8)
        let count = CardArtRules.byteLimit - pdf.count - end.count
        let padding = [UInt8](repeating: 0x20, count: count)
        #expect(CardArtRules.findings(in: pdf + padding.dropLast() + end).isAccepted)
        #expect(
            words(pdf + padding + end).contains("error: The file has 4000000 bytes; it must have")
        )
    }

    @Test("A file that ends anywhere, or was changed anywhere")
    func damaged() {
        let whole = Pictures.good[0]
        for count in 8..<whole.count {
            let findings = CardArtRules.findings(in: Array(whole.prefix(count)))
            #expect(!findings.isAccepted, "\(count)")
        }
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0x10
            _ = CardArtRules.findings(in: changed)
        }
        #expect(words(Array(whole.prefix(200))).contains("error: The PNG is damaged ("))
    }
}
