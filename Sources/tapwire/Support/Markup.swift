/// Text in HTML and SVG.
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
            default:
                let category = scalar.properties.generalCategory
                let isHidden = [.control, .format, .surrogate, .privateUse, .unassigned]
                    .contains(category)
                escaped.unicodeScalars.append(isHidden ? "\u{FFFD}" : scalar)
            }
        }
        return escaped
    }
}
