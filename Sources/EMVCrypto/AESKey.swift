#if !hasFeature(Embedded)
internal import CLibcrypto
import Octets

/// An AES key of 16, 24 or 32 bytes, cleansed when its owner lets go of it.
///
/// Noncopyable, so it has one owner and cannot be printed or interpolated by accident.
@safe
public struct AESKey: ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutablePointer<UInt8>
    /// How long the key is: 16, 24 or 32.
    public let byteCount: Int

    /// The bytes of a block.
    public static var blockByteCount: Int { 16 }

    /// Reads a key; nil unless it has 16, 24 or 32 bytes.
    public init?(_ bytes: Span<UInt8>) {
        guard [16, 24, 32].contains(bytes.count) else { return nil }
        guard let memory = unsafe CRYPTO_malloc(bytes.count, nil, 0) else {
            fatalError("out of memory")
        }
        byteCount = bytes.count
        unsafe self.memory = memory.assumingMemoryBound(to: UInt8.self)
        for index in bytes.indices { unsafe self.memory[index] = bytes[index] }
    }

    /// Wraps bytes that are known to be as long as a key.
    init(known bytes: [UInt8]) {
        guard let key = AESKey(bytes.span) else { preconditionFailure("\(bytes.count) bytes") }
        self = key
    }

    /// Cleanses and frees the key, with `OPENSSL_clear_free`.
    deinit { unsafe CRYPTO_clear_free(memory, byteCount, nil, 0) }

    /// The key's bytes, which whoever asks for them must keep secret.
    public var exportedBytes: [UInt8] {
        [UInt8](capacity: byteCount) { (output: inout OutputSpan<UInt8>) in
            for index in 0..<byteCount { unsafe output.append(memory[index]) }
        }
    }

    /// Encrypts whole blocks, each on its own (ECB).
    public func encrypt(_ blocks: [UInt8]) -> [UInt8] {
        precondition(blocks.count % Self.blockByteCount == 0)
        return unsafe CipherRun.run(
            ecb,
            key: memory,
            initializationVector: Self.zeroBlock,
            isEncrypting: true,
            blocks
        )
    }

    /// Decrypts whole blocks, each on its own (ECB).
    public func decrypt(_ blocks: [UInt8]) -> [UInt8] {
        precondition(blocks.count % Self.blockByteCount == 0)
        return unsafe CipherRun.run(
            ecb,
            key: memory,
            initializationVector: Self.zeroBlock,
            isEncrypting: false,
            blocks
        )
    }

    /// Encrypts or decrypts any bytes with a key stream that starts at `initialBlock` (CTR).
    public func applyingKeyStream(from initialBlock: [UInt8], to bytes: [UInt8]) -> [UInt8] {
        precondition(initialBlock.count == Self.blockByteCount)
        return unsafe CipherRun.run(
            counterMode,
            key: memory,
            initializationVector: initialBlock,
            isEncrypting: true,
            bytes
        )
    }

    /// Computes the 16-byte CMAC of a message (NIST SP 800-38B), with `EVP_Q_mac`.
    public func cmac(of message: [UInt8]) -> [UInt8] {
        let cipher: StaticString =
            switch byteCount {
            case 16: "AES-128-CBC"
            case 24: "AES-192-CBC"
            default: "AES-256-CBC"
            }
        var mac = [UInt8](repeating: 0, count: Self.blockByteCount)
        var written = 0
        // libcrypto takes a missing message for a question about the length.
        let source = message.isEmpty ? [0] : message
        let isDone = unsafe source.withUnsafeBufferPointer { input in
            unsafe mac.withUnsafeMutableBufferPointer { output in
                unsafe EVP_Q_mac(
                    nil,
                    "CMAC",
                    nil,
                    cipher.utf8Start,
                    nil,
                    memory,
                    byteCount,
                    input.baseAddress,
                    message.count,
                    output.baseAddress,
                    output.count,
                    &written
                )
            }
        }
        precondition(unsafe isDone != nil && written == Self.blockByteCount, "libcrypto lacks CMAC")
        return mac
    }

    /// Computes CMAC+: the CMAC, decrypted as a chain that starts from the CMAC itself (EMV Book E, 8.6.5).
    public func cmacPlus(of message: [UInt8]) -> [UInt8] {
        let mac = cmac(of: message)
        return zip(mac, decrypt(mac)).map { $0 ^ $1 }
    }

    private static var zeroBlock: [UInt8] { [UInt8](repeating: 0, count: blockByteCount) }

    @unsafe private var ecb: OpaquePointer? {
        switch byteCount {
        case 16: unsafe EVP_aes_128_ecb()
        case 24: unsafe EVP_aes_192_ecb()
        default: unsafe EVP_aes_256_ecb()
        }
    }

    @unsafe private var counterMode: OpaquePointer? {
        switch byteCount {
        case 16: unsafe EVP_aes_128_ctr()
        case 24: unsafe EVP_aes_192_ctr()
        default: unsafe EVP_aes_256_ctr()
        }
    }
}

#endif
