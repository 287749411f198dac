public import Foundation

/// Files of the repository that tests read.
public enum RepositoryFile {
    /// The repository's top folder.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Reads and decodes a JSON file below the top folder.
    public static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: root.appending(path: path)))
    }
}
