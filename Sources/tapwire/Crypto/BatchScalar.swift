import CommandLineKit
import Profiles

/// A text, number or truth value in a line of `crypto batch`.
struct BatchScalar {
    /// The value as an option's text.
    let text: String
    /// The value as it came.
    let value: CommandLineKit.JSONValue

    private init(_ value: Profiles.JSONValue, _ path: String) throws(ProfilesError) {
        switch value {
        case .boolean(let isTrue): (text, self.value) = (String(isTrue), .bool(isTrue))
        case .string(let string): (text, self.value) = (string, .string(string))
        case .number(let digits):
            guard let number = Int64(digits) else {
                throw ProfilesError(path, "must be a whole number of up to 18 digits, or a text")
            }
            (text, self.value) = (digits, .integer(number))
        case .null, .array, .object:
            throw ProfilesError(path, "must be a text, number or truth value, not \(value.kind)")
        }
    }

    /// The members of the one object that a line is.
    static func members(of line: String) throws(CommandFailure) -> [String: BatchScalar] {
        do throws(ProfilesError) {
            var object = try JSONObject(parsing: Array(line.utf8))
            var members: [String: BatchScalar] = [:]
            for name in object.names {
                members[name] = try BatchScalar(object.value(name), object.path(to: name))
            }
            return members
        } catch {
            throw CommandFailure(.badFile, error.description)
        }
    }
}
