public import Foundation

/// Folders for what tests write.
///
/// They are gone when their test is over, unless TAPWIRE_TEST_FILES is `kept`: `tools/test` then looks for account numbers
/// and keys in them.
public enum ScratchFolder {
    /// Makes a new folder.
    /// - Throws: When there is no room for it.
    public static func make(_ name: String) throws -> URL {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    /// Removes a folder whose test is over.
    public static func remove(_ url: URL) {
        guard ProcessInfo.processInfo.environment["TAPWIRE_TEST_FILES"] != "kept" else { return }
        try? FileManager.default.removeItem(at: url)
    }
}
