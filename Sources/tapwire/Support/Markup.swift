/// Text of others, in HTML, SVG and terminals.
enum Markup {
    /// Text that is shown as it is, whoever wrote it: nothing in it is markup, and nothing changes the direction of writing.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n": escaped += "\n"
            default: escaped.unicodeScalars.append(visible(scalar))
            }
        }
        return escaped
    }

    /// Text for one line of a terminal: nothing in it moves the cursor, or changes the direction of writing.
    static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars { shown.unicodeScalars.append(visible(scalar)) }
        return shown
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // Most are, and to look up what a character is takes long.
        if (0x20..<0x7F).contains(scalar.value) { return scalar }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            "\u{FFFD}"
        default: scalar
        }
    }
}
