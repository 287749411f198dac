import Glibc
import Octets

/// The file that holds a store's key, 64 hexadecimal digits that only its owner may read.
///
/// Whoever opens a store holds the file's lock meanwhile, so that two programs do not make the same store at once.
struct KeyFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    /// Opens the file.
    /// - Parameters:
    ///   - path: Where it is.
    ///   - isMade: Whether a new key is made where there is none.
    /// - Throws: `SecureStoreError`.
    init(path: String, isMade: Bool) throws(SecureStoreError) {
        if isMade { try Self.make(path) }
        // A pipe would keep the program until somebody writes into it.
        guard !isSpecial(path) else { throw .keyFileSpecial(path: path) }
        let opened = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            throw errno == ENOENT
                ? .keyFileMissing(path: path) : .keyFileUnusable(path: path, errno: errno)
        }
        self.path = path
        descriptor = opened
    }

    /// Closes the file, which also frees its lock.
    deinit { close(descriptor) }

    /// Waits until no other program opens the store.
    /// - Throws: `SecureStoreError.locked` when that takes too long.
    func lock(patienceMilliseconds: Int32) throws(SecureStoreError) {
        if let problem = try FileLock.take(descriptor, patienceMilliseconds) {
            throw .keyFileUnusable(path: path, errno: problem)
        }
    }

    /// Reads the key.
    /// - Throws: `SecureStoreError`.
    func key() throws(SecureStoreError) -> SecretBytes {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .keyFileUnusable(path: path, errno: errno)
        }
        guard status.st_mode & 0o077 == 0 else { throw .keyFileExposed(path: path) }
        // One byte more than the digits and the end of the line, to notice a longer file.
        let limit = RecordCipher.keyByteCount * 2 + 2
        let text = SecretBytes(capacity: limit) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                count = max(0, unsafe pread(descriptor, buffer.baseAddress, limit, 0))
            }
        }
        let digitCount = RecordCipher.keyByteCount * 2
        let digits = text.span
        guard digits.count == digitCount || digits.count == digitCount + 1,
            digits.count == digitCount || digits[digitCount] == UInt8(ascii: "\n")
        else { throw .keyFileMalformed(path: path) }
        let key = SecretBytes(capacity: RecordCipher.keyByteCount) { output in
            for index in stride(from: 0, to: digitCount, by: 2) {
                guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else {
                    return
                }
                output.append(high << 4 | low)
            }
        }
        guard key.count == RecordCipher.keyByteCount else {
            throw .keyFileMalformed(path: path)
        }
        return key
    }

    /// Makes the file with a new key where there is none; it is whole from the moment it has its name.
    private static func make(_ path: String) throws(SecureStoreError) {
        guard unsafe access(path, F_OK) != 0 else { return }
        let draft = "\(path).\(getpid()).\(randomBytes(4).hex)"
        let descriptor = unsafe Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? .folderMissing : .keyFileUnusable(path: path, errno: errno)
        }
        defer {
            close(descriptor)
            unsafe unlink(draft)
        }
        let key = randomBytes(RecordCipher.keyByteCount)
        let text = SecretBytes(capacity: key.count * 2 + 1) { output in
            for byte in key {
                output.append(digit(byte >> 4))
                output.append(digit(byte & 0x0F))
            }
            output.append(UInt8(ascii: "\n"))
        }
        guard unsafe write(descriptor, text.pointer, text.count) == text.count,
            fsync(descriptor) == 0
        else { throw errno == ENOSPC ? .diskFull : .keyFileUnusable(path: path, errno: errno) }
        // Another program may have been faster; its key is then the one.
        guard unsafe link(draft, path) == 0 || errno == EEXIST else {
            throw .keyFileUnusable(path: path, errno: errno)
        }
    }
}

/// What a hexadecimal digit stands for; nil for another character.
private func nibble(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
}

private func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
}

/// What an `errno` means, for people.
func errorText(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text).lowercased()
}
