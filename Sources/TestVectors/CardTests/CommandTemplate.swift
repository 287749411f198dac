import Octets
import Profiles

/// A command in hexadecimal digits in which values of earlier answers may stand.
///
/// `{name}` is the value kept under a name, `{#name}` its length in one byte.
struct CommandTemplate: Sendable {
    private enum Part: Sendable {
        case bytes([UInt8])
        case value(String)
        case length(String)
    }

    private let parts: [Part]

    /// Reads a command.
    /// - Parameters:
    ///   - value: The text.
    ///   - path: Its place.
    ///   - names: The names that earlier answers have kept something under.
    /// - Throws: `ProfilesError` for anything but hexadecimal digits and known names.
    init(_ value: JSONValue, path: String, names: Set<String>) throws(ProfilesError) {
        guard case .string(let text) = value else {
            throw ProfilesError(path, "must be a command in hexadecimal digits, in a text")
        }
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            try parts.append(Self.bytes(rest[..<open], path))
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw ProfilesError(path, "has a { without a } behind it")
            }
            let content = rest[rest.index(after: open)..<close]
            let isLength = content.hasPrefix("#")
            let name = String(isLength ? content.dropFirst() : content)
            guard names.contains(name) else {
                throw ProfilesError(path, "no earlier answer keeps \"\(name)\"")
            }
            parts.append(isLength ? .length(name) : .value(name))
            rest = rest[rest.index(after: close)...]
        }
        try parts.append(Self.bytes(rest, path))
        self.parts = parts
        guard case .bytes(let header) = parts[0], header.count >= 4 else {
            throw ProfilesError(path, "must start with four bytes: class, instruction, P1 and P2")
        }
    }

    private static func bytes(
        _ text: Substring,
        _ path: String
    ) throws(ProfilesError) -> Part {
        .bytes(try JSONObject.hex(.string(String(text)), path, 0...65_544))
    }

    /// The command with values in it; nil when one is not there or too long.
    func bytes(_ values: [String: [UInt8]]) -> [UInt8]? {
        var command: [UInt8] = []
        for part in parts {
            switch part {
            case .bytes(let bytes): command += bytes
            case .value(let name):
                guard let value = values[name] else { return nil }
                command += value
            case .length(let name):
                guard let value = values[name], let count = UInt8(exactly: value.count) else {
                    return nil
                }
                command.append(count)
            }
        }
        return command
    }

    /// Whether the command can cost a card nothing: SELECT, READ RECORD or GET DATA.
    var isHarmless: Bool {
        guard case .bytes(let header) = parts[0] else { return false }
        return [[0x00, 0xA4], [0x00, 0xB2], [0x80, 0xCA]].contains([UInt8](header.prefix(2)))
    }
}
