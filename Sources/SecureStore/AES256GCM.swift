internal import CLibcrypto
import Octets

/// AES-256-GCM (NIST SP 800-38D) with a nonce of 12 bytes and a tag of 16, which stands behind the ciphertext.
package enum AES256GCM {
    /// The bytes of a key.
    package static let keyByteCount = 32
    /// The bytes of a nonce; with one key none is used twice.
    package static let nonceByteCount = 12
    /// The bytes of a tag.
    package static let tagByteCount = 16

    /// Encrypts, and authenticates the plaintext and what is bound to it.
    package static func seal(
        _ plaintext: Span<UInt8>,
        key: borrowing SecretBytes,
        nonce: [UInt8],
        boundTo context: [UInt8]
    ) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        let cipher = unsafe begin(isSealing: true, key: key, nonce: nonce, context: context)
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var written: Int32 = 0
        let isDone = unsafe sealed.withUnsafeMutableBufferPointer { output in
            guard let start = output.baseAddress else { return false }
            return unsafe update(cipher, plaintext, into: start)
                && EVP_CipherFinal_ex(cipher, start, &written) == 1
                && EVP_CIPHER_CTX_ctrl(
                    cipher,
                    EVP_CTRL_AEAD_GET_TAG,
                    Int32(tagByteCount),
                    start + plaintext.count
                ) == 1
        }
        precondition(isDone, "libcrypto cannot seal")
        return sealed
    }

    /// Decrypts; nil for what was not sealed under this key, nonce and context.
    package static func open(
        _ sealed: [UInt8],
        key: borrowing SecretBytes,
        nonce: [UInt8],
        boundTo context: [UInt8]
    ) -> SecretBytes? {
        let count = sealed.count - tagByteCount
        guard count >= 0 else { return nil }
        var tag = [UInt8](sealed.suffix(tagByteCount))
        let cipher = unsafe begin(isSealing: false, key: key, nonce: nonce, context: context)
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var isGenuine = false
        let plaintext = SecretBytes(capacity: count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, initializedCount in
                var written: Int32 = 0
                let ciphertext = sealed.span.extracting(first: count)
                let isOpened = unsafe update(cipher, ciphertext, into: buffer.baseAddress)
                let isTagged = unsafe tag.withUnsafeMutableBufferPointer { tag in
                    unsafe EVP_CIPHER_CTX_ctrl(
                        cipher,
                        EVP_CTRL_AEAD_SET_TAG,
                        Int32(tagByteCount),
                        tag.baseAddress
                    )
                }
                isGenuine =
                    unsafe isOpened && isTagged == 1
                    && EVP_CipherFinal_ex(cipher, buffer.baseAddress, &written) == 1
                initializedCount = count
            }
        }
        guard isGenuine else { return nil }
        return consume plaintext
    }

    /// Prepares a context with key, nonce and what is bound to the plaintext.
    @unsafe
    private static func begin(
        isSealing: Bool,
        key: borrowing SecretBytes,
        nonce: [UInt8],
        context: [UInt8]
    ) -> OpaquePointer {
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount)
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
        let isBound = unsafe update(cipher, context.span, into: nil)
        precondition(isReady == 1 && isBound, "libcrypto lacks AES-256-GCM")
        return unsafe cipher
    }

    /// Takes bytes in, and puts out as many; without a place for them they are bound to the plaintext only.
    /// - Returns: Whether libcrypto did it.
    @unsafe
    private static func update(
        _ cipher: OpaquePointer,
        _ input: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>?
    ) -> Bool {
        var written: Int32 = 0
        return unsafe input.withUnsafeBufferPointer { input in
            unsafe EVP_CipherUpdate(
                cipher,
                output,
                &written,
                input.baseAddress,
                Int32(input.count)
            ) == 1
        }
    }
}

/// Makes random bytes that nobody can foresee, with `RAND_bytes`.
package func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
        unsafe RAND_bytes($0.baseAddress, Int32($0.count))
    }
    precondition(isDone == 1, "libcrypto has no random numbers")
    return bytes
}
