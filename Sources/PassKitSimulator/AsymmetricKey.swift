internal import CLibcrypto

/// A key of libcrypto, public or with its private part, which is cleansed with it.
///
/// @unchecked: nothing changes the key once it is made, and each operation has a context of its own.
@safe
final class AsymmetricKey: @unchecked Sendable {
    /// What kind of key it is.
    enum Kind: Hashable, Sendable {
        /// NIST P-256.
        case p256
        /// RSA of so many bits.
        case rsa(bits: Int)
    }

    private let key: OpaquePointer

    /// Takes a key over.
    @unsafe init(owning key: OpaquePointer) { unsafe self.key = key }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The key, for libcrypto.
    @unsafe var pointer: OpaquePointer { unsafe key }

    /// Makes a key pair, with `EVP_PKEY_generate`.
    convenience init(generating kind: Kind) {
        let name =
            switch kind {
            case .p256: "EC"
            case .rsa: "RSA"
            }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil) else {
            fatalError("out of memory")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var isReady = unsafe EVP_PKEY_keygen_init(context) == 1
        switch kind {
        case .p256:
            isReady = unsafe isReady && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
        case .rsa(let bits):
            isReady = unsafe isReady && EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1
        }
        var made: OpaquePointer?
        guard isReady, unsafe EVP_PKEY_generate(context, &made) == 1, let made = unsafe made else {
            fatalError("libcrypto cannot make a key")
        }
        unsafe self.init(owning: made)
    }

    /// Reads a private key in PKCS #8 or the older forms, DER; nil for anything else.
    convenience init?(privateDER bytes: [UInt8]) {
        let read = unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &next, buffer.count)
        }
        guard let read = unsafe read else { return nil }
        unsafe self.init(owning: read)
    }

    /// The private key in DER, which whoever asks for it must keep secret; with `i2d_PrivateKey`.
    var privateDER: [UInt8] {
        let count = unsafe i2d_PrivateKey(key, nil)
        precondition(count > 0, "the key has no private part")
        var bytes = [UInt8](repeating: 0, count: Int(count))
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            _ = unsafe i2d_PrivateKey(key, &next)
        }
        return bytes
    }

    /// What kind of key it is; nil for kinds not used here.
    var kind: Kind? {
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            return .rsa(bits: Int(unsafe EVP_PKEY_get_bits(key)))
        }
        guard unsafe EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
        var name = [CChar](repeating: 0, count: 32)
        var count = 0
        let isNamed = unsafe name.withUnsafeMutableBufferPointer {
            unsafe EVP_PKEY_get_group_name(key, $0.baseAddress, $0.count, &count)
        }
        let group = name.prefix(count).map { UInt8(bitPattern: $0) }
        return isNamed == 1 && String(decoding: group, as: UTF8.self) == "prime256v1" ? .p256 : nil
    }

    // MARK: Signatures

    /// Signs a message with SHA-256: ECDSA in DER, or RSA with PKCS #1 v1.5.
    func sign(_ message: [UInt8]) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(key)))
        var count = signature.count
        let isSigned = unsafe signature.withUnsafeMutableBufferPointer { output in
            unsafe message.withUnsafeBufferPointer { input in
                unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
                    && EVP_DigestSign(
                        context,
                        output.baseAddress,
                        &count,
                        input.baseAddress,
                        input.count
                    ) == 1
            }
        }
        precondition(isSigned, "libcrypto cannot sign")
        return Array(signature.prefix(count))
    }

    /// Whether a signature of `sign` is one of a message.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { input in
                unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
                    && EVP_DigestVerify(
                        context,
                        signature.baseAddress,
                        signature.count,
                        input.baseAddress,
                        input.count
                    ) == 1
            }
        }
    }

    // MARK: P-256

    /// The public point, 04 and two coordinates of 32 bytes.
    var publicPoint: [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe EVP_PKEY_get1_encoded_public_key(key, &encoded)
        guard let encoded = unsafe encoded else { preconditionFailure("not a curve's key") }
        defer { unsafe CRYPTO_free(encoded, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: encoded, count: count))
    }

    /// Agrees on a secret with the owner of a public point; nil where that is no point of P-256.
    func agree(with point: [UInt8]) -> [UInt8]? {
        guard point.count == 65, point[0] == 4 else { return nil }
        guard let other = unsafe EVP_PKEY_new() else { fatalError("out of memory") }
        defer { unsafe EVP_PKEY_free(other) }
        let isPoint = unsafe point.withUnsafeBufferPointer {
            unsafe EVP_PKEY_copy_parameters(other, key) == 1
                && EVP_PKEY_set1_encoded_public_key(other, $0.baseAddress, $0.count) == 1
        }
        guard isPoint, let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var secret = [UInt8](repeating: 0, count: 32)
        var count = secret.count
        let isAgreed = unsafe secret.withUnsafeMutableBufferPointer {
            unsafe EVP_PKEY_derive_init(context) == 1
                && EVP_PKEY_derive_set_peer(context, other) == 1
                && EVP_PKEY_derive(context, $0.baseAddress, &count) == 1
        }
        return isAgreed && count == 32 ? secret : nil
    }

    // MARK: RSA

    /// Encrypts a short message with OAEP, SHA-256 twice.
    func wrap(_ message: [UInt8]) -> [UInt8]? { runOAEP(message, isEncrypting: true) }

    /// Decrypts what `wrap` made; nil for anything else.
    func unwrap(_ wrapped: [UInt8]) -> [UInt8]? { runOAEP(wrapped, isEncrypting: false) }

    private func runOAEP(_ input: [UInt8], isEncrypting: Bool) -> [UInt8]? {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { fatalError("out of memory") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let isReady =
            unsafe (isEncrypting
            ? EVP_PKEY_encrypt_init(context) : EVP_PKEY_decrypt_init(context)) == 1
            && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
        guard isReady else { return nil }
        var output = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(key)))
        var count = output.count
        let isDone = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe input.withUnsafeBufferPointer { input in
                unsafe isEncrypting
                    ? EVP_PKEY_encrypt(
                        context,
                        output.baseAddress,
                        &count,
                        input.baseAddress,
                        input.count
                    )
                    : EVP_PKEY_decrypt(
                        context,
                        output.baseAddress,
                        &count,
                        input.baseAddress,
                        input.count
                    )
            }
        }
        return isDone == 1 ? Array(output.prefix(count)) : nil
    }
}
