extension String {
    /// The text with everything escaped that could move a terminal's cursor, colour it or turn the direction of writing.
    ///
    /// Whoever wrote it, it is then one line that shows what is in it.
    public var escapingControls: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        return unicodeScalars.map { $0.steersTerminals ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    /// The text as a console shows it: line ends and tabs stay, and so do styles where there are any.
    func shown(isStyled: Bool) -> String {
        let kept = ["\n", "\t"] + (isStyled ? Console.sequences : [])
        var shown = ""
        var rest = unicodeScalars[...]
        while let index = rest.firstIndex(where: \.steersTerminals) {
            shown.unicodeScalars += rest[..<index]
            rest = rest[index...]
            if let piece = kept.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                shown += piece
                rest = rest.dropFirst(piece.unicodeScalars.count)
            } else {
                shown += rest.removeFirst().escaped(asASCII: true)
            }
        }
        shown.unicodeScalars += rest
        return shown
    }
}

extension Unicode.Scalar {
    /// Whether a terminal does anything else with it than show it.
    var steersTerminals: Bool {
        switch value {
        case ..<0x20, 0x7F..<0xA0: true
        case ..<0xAD: false
        default:
            [.format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
        }
    }
}
