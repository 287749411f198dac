import Glibc

/// A lock that programs share by the name of a file; one that ends loses it, however it ends.
public enum FileLock {
    /// Does something while no other program does.
    /// - Parameters:
    ///   - path: The file, which is made where there is none.
    ///   - patienceMilliseconds: How long others are waited for.
    ///   - body: What is done.
    /// - Returns: What it gave.
    /// - Throws: `SecureStoreError.locked` when others take too long, or what hinders the file.
    public static func hold<Value, Failure: Error>(
        _ path: String,
        patienceMilliseconds: Int32 = 60_000,
        _ body: () throws(Failure) -> Value
    ) throws(SecureStoreError) -> Result<Value, Failure> {
        let descriptor = unsafe open(
            path,
            O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            0o600
        )
        guard descriptor >= 0 else { throw .lockFileUnusable(path: path, errno: errno) }
        defer { close(descriptor) }
        if let problem = try take(descriptor, patienceMilliseconds) {
            throw .lockFileUnusable(path: path, errno: problem)
        }
        return Result { () throws(Failure) in try body() }
    }

    /// Takes the lock of an open file.
    /// - Returns: The `errno` of what hinders it; nil when it is taken.
    /// - Throws: `SecureStoreError.locked` when others take too long.
    static func take(
        _ descriptor: Int32,
        _ patienceMilliseconds: Int32
    ) throws(SecureStoreError) -> Int32? {
        let stepMilliseconds: Int32 = 5
        var waited: Int32 = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { return errno }
            guard waited < patienceMilliseconds else { throw .locked }
            usleep(UInt32(stepMilliseconds) * 1_000)
            waited += stepMilliseconds
        }
        return nil
    }
}
