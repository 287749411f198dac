/// Breaks text into lines.
public enum TextWrapping {
    /// Breaks `text` at spaces into lines of at most `width` characters; a longer word stands alone.
    public static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Breaks `text`, which may hold no space at all, into pieces of `width` characters.
    public static func chop(_ text: String, width: Int) -> [String] {
        precondition(width > 0, "a line holds at least one character")
        var pieces: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            pieces.append(String(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        return pieces
    }
}
