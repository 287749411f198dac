import ISO7816
import Octets
import Profiles

/// A status word in which X stands for any digit: `63CX`.
struct StatusPattern: Hashable, Sendable {
    /// The pattern as it is written.
    let text: String

    /// Reads a pattern; nil unless it has four hexadecimal digits or X.
    init?(_ text: String) {
        guard text.count == 4, text.utf8.count == 4,
            text.allSatisfy({ $0.isHexDigit || $0 == "X" })
        else { return nil }
        self.text = text.uppercased()
    }

    /// Whether a status word fits.
    func matches(_ status: StatusWord) -> Bool {
        zip(text, status.rawValue.hex).allSatisfy { $0 == "X" || $0 == $1 }
    }

    /// Reads one pattern or a list of them.
    static func read(
        _ value: JSONValue,
        path: String
    ) throws(ProfilesError) -> [StatusPattern] {
        let values: [JSONValue] = if case .array(let values) = value { values } else { [value] }
        var patterns: [StatusPattern] = []
        for value in values {
            guard case .string(let text) = value, let pattern = StatusPattern(text) else {
                throw ProfilesError(
                    path,
                    "must be a status word such as \"9000\" or \"63CX\", or a list of them"
                )
            }
            patterns.append(pattern)
        }
        guard !patterns.isEmpty else { throw ProfilesError(path, "must have a status word") }
        return patterns
    }
}
