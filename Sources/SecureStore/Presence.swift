import Glibc
import Octets

/// A mark that others see for as long as whoever made it is there.
///
/// It is a lock on one byte of a file (an open file description lock, `F_OFD_SETLK` of fcntl(2)). The kernel takes it away
/// with the program, however that ends, and shows it to everybody who has the same file, whatever container he is in.
/// Process numbers do neither: each PID namespace has its own.
public final class Presence: Sendable {
    /// Tells the mark from all others.
    public let number: Int64
    private let path: String
    private let descriptor: Int32

    /// F_OFD_GETLK and F_OFD_SETLK of Linux, which Glibc's module does not have.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    /// Makes a mark that nobody else has.
    /// - Parameter path: A file that stays where it is; nothing is written into it.
    /// - Throws: `SecureStoreError.keyFileUnusable` when the file, or its file system, does not bear locks.
    init(path: String) throws(SecureStoreError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .keyFileUnusable(path: path, errno: errno) }
        self.path = path
        // The last byte of a file has no other behind it.
        number = randomBytes(8).reduce(0) { $0 << 8 | Int64($1) } & (.max - 1)
        var range = Self.range(number, F_RDLCK)
        guard unsafe fcntl(descriptor, Self.setLock, &range) == 0 else {
            let problem = errno
            close(descriptor)
            throw .keyFileUnusable(path: path, errno: problem)
        }
    }

    /// Takes the mark away.
    deinit { close(descriptor) }

    /// Whether a mark is there.
    /// - Throws: `SecureStoreError.keyFileUnusable` when that cannot be found out.
    public func sees(_ number: Int64) throws(SecureStoreError) -> Bool {
        // One's own locks hinder nobody.
        if number == self.number { return true }
        // A lock that only its owner may have is hindered by each other one.
        var range = Self.range(number, F_WRLCK)
        guard unsafe fcntl(descriptor, Self.getLock, &range) == 0 else {
            throw .keyFileUnusable(path: path, errno: errno)
        }
        return Int32(range.l_type) != F_UNLCK
    }

    /// The byte of a mark, and what is wanted of it.
    private static func range(_ number: Int64, _ type: Int32) -> flock {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(number)
        range.l_len = 1
        return range
    }
}

extension SecureStore {
    /// Makes a mark that all who have this store open see, on its key file: who has the store has that.
    /// - Throws: `SecureStoreError.keyFileUnusable`.
    public func makePresence() throws(SecureStoreError) -> Presence {
        try Presence(path: keyPath)
    }
}
