extension SVGPicture {
    /// How wide a text is at most, in the fonts that stand behind `sans-serif`; the widest of them is DejaVu Sans.
    static func width(of text: String, size: Int, isBold: Bool = false) -> Int {
        // In hundredths of the size.
        let sum = text.reduce(0) { sum, character in
            guard character.isASCII else { return sum + 100 * character.unicodeScalars.count }
            if " ,.'ijlIJ/:;|\\f-()[]tr!".contains(character) { return sum + 41 }
            return sum + ("mMW@%w#+<=>^~HNOQGDUC&".contains(character) ? 100 : 69)
        }
        return sum * size * (isBold ? 112 : 100) / 10_000 + 1
    }

    /// Breaks a text into lines, between words where they are not too long for one.
    /// - Parameters:
    ///   - text: The text.
    ///   - width: How wide a line may be.
    ///   - size: How large its letters are.
    ///   - count: How many lines there are at most; the last one ends with `…` where more would follow.
    /// - Returns: At least one line.
    static func lines(of text: String, width: Int, size: Int, atMost count: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard lines.count <= count else { break }
            let longer = line.isEmpty ? String(word) : line + " " + word
            guard Self.width(of: longer, size: size) > width else {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if Self.width(of: line + String(character), size: size) > width, !line.isEmpty {
                    lines.append(line)
                    line = ""
                    if lines.count > count { break }
                }
                line.append(character)
            }
        }
        lines.append(line)
        guard lines.count > count else { return lines }
        var last = lines[count - 1]
        while !last.isEmpty, Self.width(of: last + "…", size: size) > width { last.removeLast() }
        return Array(lines.prefix(count - 1)) + [last + "…"]
    }
}
