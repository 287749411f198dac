/// Seals and opens records with AES-256-GCM.
///
/// A sealed record is a random nonce, the ciphertext, and the tag. What the record is called and the schema it follows
/// are bound to it: moved elsewhere it does not open.
final class RecordCipher: Sendable {
    private let key: SecretBytes

    static let keyByteCount = AES256GCM.keyByteCount

    /// Takes a key of 32 bytes over.
    init(key: consuming SecretBytes) {
        precondition(key.count == Self.keyByteCount)
        self.key = key
    }

    /// Seals a record.
    func seal(_ plaintext: Span<UInt8>, boundTo context: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(AES256GCM.nonceByteCount)
        return nonce
            + AES256GCM.seal(plaintext, key: key, nonce: nonce, boundTo: context)
    }

    /// Opens a record; nil when it is not what was sealed under this key and context.
    func open(_ sealed: [UInt8], boundTo context: [UInt8]) -> SecretBytes? {
        let nonce = [UInt8](sealed.prefix(AES256GCM.nonceByteCount))
        guard nonce.count == AES256GCM.nonceByteCount else { return nil }
        let rest = [UInt8](sealed.dropFirst(nonce.count))
        return AES256GCM.open(rest, key: key, nonce: nonce, boundTo: context)
    }
}
