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
    /// A directory, a pipe or a device has the name of the file.
    case notAFile
    /// The folder in which the store is to be made is missing.
    case folderMissing
    /// The store belongs to the one at this path, which knows it, and is missing.
    case companionMissing(of: String)
    /// Another store is in the place of the one that the store at this path knows.
    case companionOfAnother(than: String)
    /// The key of the key file does not open the store.
    case wrongKey
    /// There is a store and no key file.
    case keyFileMissing(path: String)
    /// The key file does not hold a key.
    case keyFileMalformed(path: String)
    /// A directory, a pipe or a device has the name of the key file.
    case keyFileSpecial(path: String)
    /// Others than its owner may read the key file.
    case keyFileExposed(path: String)
    /// The key file cannot be read or made, for the reason of this `errno`.
    case keyFileUnusable(path: String, errno: Int32)
    /// The file that programs lock cannot be made or locked, for the reason of this `errno`.
    case lockFileUnusable(path: String, errno: Int32)
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
        case .notAFile: "it is a directory, a pipe or a device; name a file"
        case .folderMissing: "its folder does not exist; make it or name another place"
        case .companionMissing(let owner):
            "it belongs to \(owner) and is missing; restore it from a copy, or begin anew with "
                + "another file than \(owner)"
        case .companionOfAnother(let owner):
            "it is another one than the one that \(owner) knows; restore that one from a copy"
        case .wrongKey: "the key file belongs to another store; name the one that was made with it"
        case .keyFileMissing(let path):
            "its key file \(path) is missing; restore it from a copy, since without it nobody can read the store"
        case .keyFileSpecial(let path):
            "the key file \(path) is a directory, a pipe or a device; restore the file from a copy"
        case .keyFileMalformed(let path): "the key file \(path) must hold 64 hexadecimal digits"
        case .keyFileExposed(let path):
            "others may read the key file \(path); take that right away: chmod 600 \(path)"
        case .keyFileUnusable(let path, let errno):
            "the key file \(path) cannot be used: \(errorText(errno)); see to its rights, and those of its folder"
        case .lockFileUnusable(let path, let errno):
            "the lock file \(path) cannot be used: \(errorText(errno)); see to its rights, and those of its folder"
        case .newerSchema(let found, let known):
            "a newer program has written it (schema \(found), known up to \(known)); use that one"
        case .cannotOpen: "it cannot be opened; see that its folder exists and may be written"
        case .failure(let code):
            "SQLite gave up with code \(code); see that the disk works, or restore it from a copy"
        }
    }
}
