#if !hasFeature(Embedded)
internal import CLibcrypto

/// A libcrypto cipher run once, for what is not on a card's way to its answer.
///
/// Running out of memory traps; nothing else can fail, because the callers in this room fix key and block sizes.
enum CipherRun {
    /// Encrypts or decrypts `input` in one go, with `EVP_CipherUpdate` and no padding.
    /// - Parameters:
    ///   - cipher: An `EVP_…()`.
    ///   - key: As many bytes as the cipher takes.
    ///   - initializationVector: One block; zeros for modes without.
    ///   - isEncrypting: Which way.
    ///   - input: Whole blocks, unless the cipher is a stream.
    /// - Returns: As many bytes as went in.
    @unsafe
    static func run(
        _ cipher: OpaquePointer?,
        key: UnsafePointer<UInt8>,
        initializationVector: [UInt8],
        isEncrypting: Bool,
        _ input: [UInt8]
    ) -> [UInt8] {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { fatalError("out of memory") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let isReady = unsafe initializationVector.withUnsafeBufferPointer {
            unsafe EVP_CipherInit_ex2(
                context,
                cipher,
                key,
                $0.baseAddress,
                isEncrypting ? 1 : 0,
                nil
            )
        }
        precondition(isReady == 1, "libcrypto lacks a cipher")
        _ = unsafe EVP_CIPHER_CTX_set_padding(context, 0)
        var output = [UInt8](repeating: 0, count: input.count)
        var written: Int32 = 0
        let isDone = unsafe output.withUnsafeMutableBufferPointer { target in
            unsafe input.withUnsafeBufferPointer { source in
                unsafe EVP_CipherUpdate(
                    context,
                    target.baseAddress,
                    &written,
                    source.baseAddress,
                    Int32(source.count)
                )
            }
        }
        precondition(isDone == 1 && Int(written) == input.count)
        return output
    }
}

#endif
