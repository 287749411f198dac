/// Why a store cannot be opened, read or written; what it holds is as it was before.
public enum SecureStoreError: Error, Hashable, Sendable {
    /// The disk, or the room given to the user or the store, is full.
    case diskFull
    /// The file, its folder or its file system may not be written.
    case readOnly
    /// Another program has kept the store busy for as long as the caller would wait.
    case locked
    /// The file is a store whose pages contradict each other.
    case corrupt
    /// A record does not open: it was changed, moved or damaged on the disk.
    case damagedRecord(RecordID)
    /// The file is not a store.
    case notAStore
    /// The key of the key file does not open the store.
    case wrongKey
    /// There is a store and no key file.
    case keyFileMissing(path: String)
    /// The key file does not hold a key.
    case keyFileMalformed(path: String)
    /// Others than its owner may read the key file.
    case keyFileExposed(path: String)
    /// The key file cannot be read or made, for the reason of this `errno`.
    case keyFileUnusable(path: String, errno: Int32)
    /// A newer program wrote the store.
    case newerSchema(found: Int, known: Int)
    /// The file cannot be opened: the folder is missing or may not be used.
    case cannotOpen
    /// Any other failure, with SQLite's extended result code.
    case failure(code: Int32)
}

extension SecureStoreError: CustomStringConvertible {
    /// The problem and the way out in one sentence, without the store's path.
    public var description: String {
        switch self {
        case .diskFull: "the disk is full; make room and try again"
        case .readOnly:
            "the file may not be written; give yourself the right to write it and its folder"
        case .locked: "another program keeps it busy; end that one or try again"
        case .corrupt: "its pages are damaged; restore it from a copy"
        case .damagedRecord(let id):
            "its record \(id) is damaged or was changed; restore it from a copy"
        case .notAStore: "the file is something else than a store; name another file"
        case .wrongKey: "the key file belongs to another store; name the one that was made with it"
        case .keyFileMissing(let path):
            "its key file \(path) is missing; without it nobody can read the store"
        case .keyFileMalformed(let path): "the key file \(path) must hold 64 hexadecimal digits"
        case .keyFileExposed(let path):
            "others may read the key file \(path); take that right away: chmod 600 \(path)"
        case .keyFileUnusable(let path, let errno):
            "the key file \(path) cannot be used: \(errorText(errno))"
        case .newerSchema(let found, let known):
            "a newer program has written it (schema \(found), known up to \(known)); use that one"
        case .cannotOpen: "it cannot be opened; see that its folder exists and may be written"
        case .failure(let code): "SQLite gave up with code \(code)"
        }
    }
}
