internal import CLibcrypto

/// Seals and opens records with AES-256-GCM (NIST SP 800-38D).
///
/// A sealed record is a random nonce of 12 bytes, the ciphertext, and the tag of 16 bytes. What the record is called
/// and the schema it follows are bound to it: moved elsewhere it does not open.
final class RecordCipher: Sendable {
    private let key: SecretBytes

    static let keyByteCount = 32
    private static let nonceByteCount = 12
    private static let tagByteCount = 16

    /// Takes a key of 32 bytes over.
    init(key: consuming SecretBytes) {
        precondition(key.count == Self.keyByteCount)
        self.key = key
    }

    /// Seals a record.
    func seal(_ plaintext: Span<UInt8>, boundTo context: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(Self.nonceByteCount)
        var sealed = nonce + [UInt8](repeating: 0, count: plaintext.count + Self.tagByteCount)
        let cipher = unsafe begin(isSealing: true, nonce: nonce, context: context)
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var written: Int32 = 0
        let isDone = unsafe sealed.withUnsafeMutableBufferPointer { output in
            guard let start = output.baseAddress else { return false }
            let body = unsafe start + Self.nonceByteCount
            let isSealed = unsafe plaintext.withUnsafeBufferPointer { input in
                unsafe EVP_CipherUpdate(
                    cipher,
                    body,
                    &written,
                    input.baseAddress,
                    Int32(input.count)
                )
            }
            return unsafe isSealed == 1 && EVP_CipherFinal_ex(cipher, body, &written) == 1
                && EVP_CIPHER_CTX_ctrl(
                    cipher,
                    EVP_CTRL_AEAD_GET_TAG,
                    Int32(Self.tagByteCount),
                    body + plaintext.count
                ) == 1
        }
        precondition(isDone, "libcrypto cannot seal")
        return sealed
    }

    /// Opens a record; nil when it is not what was sealed under this key and context.
    func open(_ sealed: [UInt8], boundTo context: [UInt8]) -> SecretBytes? {
        let count = sealed.count - Self.nonceByteCount - Self.tagByteCount
        guard count >= 0 else { return nil }
        let nonce = [UInt8](sealed.prefix(Self.nonceByteCount))
        let ciphertext = [UInt8](sealed.dropFirst(Self.nonceByteCount).prefix(count))
        var tag = [UInt8](sealed.suffix(Self.tagByteCount))
        let cipher = unsafe begin(isSealing: false, nonce: nonce, context: context)
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var isGenuine = false
        let plaintext = SecretBytes(capacity: count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, initializedCount in
                var written: Int32 = 0
                let isOpened = unsafe ciphertext.withUnsafeBufferPointer { input in
                    unsafe EVP_CipherUpdate(
                        cipher,
                        buffer.baseAddress,
                        &written,
                        input.baseAddress,
                        Int32(input.count)
                    )
                }
                let isTagged = unsafe tag.withUnsafeMutableBufferPointer { tag in
                    unsafe EVP_CIPHER_CTX_ctrl(
                        cipher,
                        EVP_CTRL_AEAD_SET_TAG,
                        Int32(Self.tagByteCount),
                        tag.baseAddress
                    )
                }
                isGenuine =
                    unsafe isOpened == 1 && isTagged == 1
                    && EVP_CipherFinal_ex(cipher, buffer.baseAddress, &written) == 1
                initializedCount = count
            }
        }
        guard isGenuine else { return nil }
        return consume plaintext
    }

    /// Prepares a context with key, nonce and what is bound to the record.
    @unsafe
    private func begin(isSealing: Bool, nonce: [UInt8], context: [UInt8]) -> OpaquePointer {
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { fatalError("out of memory") }
        let isReady = unsafe nonce.withUnsafeBufferPointer { nonce in
            unsafe EVP_CipherInit_ex2(
                cipher,
                EVP_aes_256_gcm(),
                key.pointer,
                nonce.baseAddress,
                isSealing ? 1 : 0,
                nil
            )
        }
        var written: Int32 = 0
        let isBound = unsafe context.withUnsafeBufferPointer { context in
            unsafe EVP_CipherUpdate(
                cipher,
                nil,
                &written,
                context.baseAddress,
                Int32(context.count)
            )
        }
        precondition(isReady == 1 && isBound == 1, "libcrypto lacks AES-256-GCM")
        return unsafe cipher
    }
}

/// Makes random bytes that nobody can foresee, with `RAND_bytes`.
func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
        unsafe RAND_bytes($0.baseAddress, Int32($0.count))
    }
    precondition(isDone == 1, "libcrypto has no random numbers")
    return bytes
}
