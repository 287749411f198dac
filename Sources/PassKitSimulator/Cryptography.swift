internal import CLibcrypto
import Octets
import SecureStore

/// The few calls of libcrypto that work on bytes alone.
enum Cryptography {
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

    /// Encrypts with AES-256-GCM under a key that is used once, so the nonce is 12 zeros; the tag stands behind.
    static func seal(_ message: [UInt8], key: [UInt8], boundTo context: [UInt8]) -> [UInt8] {
        AES256GCM.seal(message.span, key: secret(key), nonce: nonce, boundTo: context)
    }

    /// Decrypts what `seal` made; nil for anything else.
    static func open(_ sealed: [UInt8], key: [UInt8], boundTo context: [UInt8]) -> [UInt8]? {
        guard key.count == AES256GCM.keyByteCount,
            let message = AES256GCM.open(sealed, key: secret(key), nonce: nonce, boundTo: context)
        else { return nil }
        return [UInt8](message.span)
    }

    private static func secret(_ key: [UInt8]) -> SecretBytes {
        SecretBytes(capacity: key.count) { $0.append(copying: key.span) }
    }

    private static let nonce = [UInt8](repeating: 0, count: AES256GCM.nonceByteCount)

    /// Overwrites bytes that were secret.
    static func cleanse(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe OPENSSL_cleanse($0.baseAddress, $0.count)
        }
    }
}
