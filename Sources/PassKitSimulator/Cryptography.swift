internal import CLibcrypto

/// The few calls of libcrypto that work on bytes alone.
enum Cryptography {
    /// Random bytes that nobody can foresee, with `RAND_bytes`.
    static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe RAND_bytes($0.baseAddress, Int32($0.count))
        }
        precondition(isDone == 1, "libcrypto has no random numbers")
        return bytes
    }

    /// The SHA-256 of a message, 32 bytes.
    static func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = unsafe digest.withUnsafeMutableBufferPointer { output in
            unsafe message.withUnsafeBufferPointer { input in
                unsafe EVP_Digest(
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    nil,
                    EVP_sha256(),
                    nil
                )
            }
        }
        precondition(isDone == 1, "libcrypto lacks SHA-256")
        return digest
    }

    /// The HMAC of a message with SHA-256, 32 bytes; with `EVP_Q_mac`.
    static func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var mac = [UInt8](repeating: 0, count: 32)
        var written = 0
        // libcrypto takes a missing message for a question about the length.
        let source = message.isEmpty ? [0] : message
        let isDone = unsafe mac.withUnsafeMutableBufferPointer { output in
            unsafe source.withUnsafeBufferPointer { input in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe EVP_Q_mac(
                        nil,
                        "HMAC",
                        nil,
                        "SHA256",
                        nil,
                        key.baseAddress,
                        key.count,
                        input.baseAddress,
                        message.count,
                        output.baseAddress,
                        output.count,
                        &written
                    )
                }
            }
        }
        precondition(unsafe isDone != nil && written == 32, "libcrypto lacks HMAC")
        return mac
    }

    /// Whether two texts are equal, in a time that does not tell where they differ.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count
            && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// How long the tag of a sealed message is, in bytes.
    static let tagByteCount = 16

    /// Encrypts with AES-256-GCM under a key that is used once, so the nonce is 12 zeros; the tag stands behind.
    static func seal(_ message: [UInt8], key: [UInt8], boundTo context: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: message.count + tagByteCount)
        let cipher = unsafe begin(key: key, isSealing: true, context)
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var written: Int32 = 0
        let isDone = unsafe sealed.withUnsafeMutableBufferPointer { output in
            guard let start = output.baseAddress else { return false }
            let isSealed = unsafe message.withUnsafeBufferPointer {
                unsafe EVP_CipherUpdate(cipher, start, &written, $0.baseAddress, Int32($0.count))
            }
            return unsafe isSealed == 1 && EVP_CipherFinal_ex(cipher, start, &written) == 1
                && EVP_CIPHER_CTX_ctrl(
                    cipher,
                    EVP_CTRL_AEAD_GET_TAG,
                    Int32(tagByteCount),
                    start + message.count
                ) == 1
        }
        precondition(isDone, "libcrypto cannot seal")
        return sealed
    }

    /// Decrypts what `seal` made; nil for anything else.
    static func open(_ sealed: [UInt8], key: [UInt8], boundTo context: [UInt8]) -> [UInt8]? {
        let count = sealed.count - tagByteCount
        guard count >= 0, key.count == 32 else { return nil }
        var message = [UInt8](repeating: 0, count: max(count, 1))
        var tag = Array(sealed.suffix(tagByteCount))
        let cipher = unsafe begin(key: key, isSealing: false, context)
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var written: Int32 = 0
        let isOpened = unsafe message.withUnsafeMutableBufferPointer { output in
            unsafe tag.withUnsafeMutableBufferPointer { tag in
                unsafe sealed.withUnsafeBufferPointer { input in
                    unsafe EVP_CipherUpdate(
                        cipher,
                        output.baseAddress,
                        &written,
                        input.baseAddress,
                        Int32(count)
                    ) == 1
                        && EVP_CIPHER_CTX_ctrl(
                            cipher,
                            EVP_CTRL_AEAD_SET_TAG,
                            Int32(tagByteCount),
                            tag.baseAddress
                        ) == 1
                        && EVP_CipherFinal_ex(cipher, output.baseAddress, &written) == 1
                }
            }
        }
        return isOpened ? Array(message.prefix(count)) : nil
    }

    @unsafe
    private static func begin(
        key: [UInt8],
        isSealing: Bool,
        _ context: [UInt8]
    ) -> OpaquePointer {
        precondition(key.count == 32)
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { fatalError("out of memory") }
        let nonce = [UInt8](repeating: 0, count: 12)
        var written: Int32 = 0
        let isReady = unsafe nonce.withUnsafeBufferPointer { nonce in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe context.withUnsafeBufferPointer { context in
                    unsafe EVP_CipherInit_ex2(
                        cipher,
                        EVP_aes_256_gcm(),
                        key.baseAddress,
                        nonce.baseAddress,
                        isSealing ? 1 : 0,
                        nil
                    ) == 1
                        && EVP_CipherUpdate(
                            cipher,
                            nil,
                            &written,
                            context.baseAddress,
                            Int32(context.count)
                        ) == 1
                }
            }
        }
        precondition(isReady, "libcrypto lacks AES-256-GCM")
        return unsafe cipher
    }

    /// Overwrites bytes that were secret.
    static func cleanse(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe OPENSSL_cleanse($0.baseAddress, $0.count)
        }
    }
}
