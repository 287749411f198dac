internal import CLibcrypto

/// Bytes that are cleansed when their owner lets go of them.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    /// How many bytes there are.
    public private(set) var count: Int

    /// Makes room and has it filled, with `OPENSSL_malloc`.
    public init(capacity: Int, _ fill: (inout OutputSpan<UInt8>) -> Void) {
        self.capacity = max(capacity, 1)
        guard let memory = unsafe CRYPTO_malloc(self.capacity, nil, 0) else {
            fatalError("out of memory")
        }
        unsafe self.memory = memory.assumingMemoryBound(to: UInt8.self)
        let buffer = unsafe UnsafeMutableBufferPointer(start: self.memory, count: self.capacity)
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        fill(&output)
        count = unsafe output.finalize(for: buffer)
    }

    /// Cleanses and frees the bytes, with `OPENSSL_clear_free`.
    deinit { unsafe CRYPTO_clear_free(memory, capacity, nil, 0) }

    /// The bytes.
    public var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let span = unsafe Span(_unsafeStart: memory, count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The bytes, for as long as they live.
    @unsafe var pointer: UnsafePointer<UInt8> { unsafe UnsafePointer(memory) }
}
