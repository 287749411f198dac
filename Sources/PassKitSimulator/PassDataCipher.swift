import EMVData
import Foundation
import SecureStore

/// How the data of a pass is encrypted for the Apple Pay server.
///
/// The parts are those that are public: an ephemeral key on P-256, NIST SP 800-56A's derivation with SHA-256 and
/// AES-256-GCM for ECC_V2, a key wrapped with RSA-OAEP for RSA_V2. How Apple lays them out is under an agreement, so
/// the layout is **simulated**, and bound to each message as such.
enum PassDataCipher {
    /// What is bound to every message, so that none is taken for one of Apple's.
    private static let context = Array("Tapwire simulated pass data".utf8)

    /// What the issuer sends.
    struct Sealed: Sendable {
        var encryptedPassData: [UInt8]
        /// The point 04 x y of ECC_V2.
        var ephemeralPublicKey: [UInt8]?
        /// The wrapped key of RSA_V2.
        var wrappedKey: [UInt8]?
    }

    /// Encrypts for the owner of a certificate; nil where its key is of another kind.
    static func seal(
        _ message: [UInt8],
        for recipient: AsymmetricKey,
        ephemeral: AsymmetricKey? = nil
    ) -> Sealed? {
        switch recipient.kind {
        case .p256:
            let ephemeral = ephemeral ?? AsymmetricKey(generating: .p256)
            guard var secret = ephemeral.agree(with: recipient.publicPoint) else { return nil }
            defer { Cryptography.cleanse(&secret) }
            var key = derive(secret, for: recipient.publicPoint)
            defer { Cryptography.cleanse(&key) }
            return Sealed(
                encryptedPassData: Cryptography.seal(message, key: key, boundTo: context),
                ephemeralPublicKey: ephemeral.publicPoint
            )
        case .rsa:
            var key = randomBytes(32)
            defer { Cryptography.cleanse(&key) }
            guard let wrapped = recipient.wrap(key) else { return nil }
            return Sealed(
                encryptedPassData: Cryptography.seal(message, key: key, boundTo: context),
                wrappedKey: wrapped
            )
        case nil: return nil
        }
    }

    /// Decrypts what came in; nil where it was not encrypted for this key, or has been changed since.
    static func open(_ sealed: Sealed, with key: AsymmetricKey) -> [UInt8]? {
        switch (key.kind, sealed.ephemeralPublicKey, sealed.wrappedKey) {
        case (.p256, let point?, nil):
            guard var secret = key.agree(with: point) else { return nil }
            defer { Cryptography.cleanse(&secret) }
            var derived = derive(secret, for: key.publicPoint)
            defer { Cryptography.cleanse(&derived) }
            return Cryptography.open(sealed.encryptedPassData, key: derived, boundTo: context)
        case (.rsa, nil, let wrapped?):
            guard var unwrapped = key.unwrap(wrapped) else { return nil }
            defer { Cryptography.cleanse(&unwrapped) }
            return Cryptography.open(sealed.encryptedPassData, key: unwrapped, boundTo: context)
        default: return nil
        }
    }

    /// One step of the concatenation KDF (NIST SP 800-56A, 5.8.2.1): 32 bytes of SHA-256.
    ///
    /// The other information is the algorithm with its length in front, “Apple” for the sender and the SHA-256 of the
    /// recipient's point, as in Apple's published payment token format.
    static func derive(_ secret: [UInt8], for point: [UInt8]) -> [UInt8] {
        let algorithm = Array("id-aes256-GCM".utf8)
        return Cryptography.sha256(
            [0, 0, 0, 1] + secret + [UInt8(algorithm.count)] + algorithm + Array("Apple".utf8)
                + Cryptography.sha256(point)
        )
    }
}

/// What the issuer tells the Apple Pay server about a card, encrypted.
struct PassData: Hashable, Sendable {
    /// The account.
    var number: PrimaryAccountNumber
    /// The last day of the card.
    var lastDay: TransactionDate
    /// Whose card it is.
    var cardholderName: String
    /// What the server sent, 32 bytes.
    var nonce: [UInt8]
    /// The server's signature of it.
    var nonceSignature: [UInt8]

    /// No message is longer, in bytes.
    static let maximumByteCount = 2_048

    private struct Text: Codable {
        var primaryAccountNumber: String
        var expiration: String
        var cardholderName: String
        var nonce: String
        var nonceSignature: String
    }

    init(
        number: PrimaryAccountNumber,
        lastDay: TransactionDate,
        cardholderName: String,
        nonce: [UInt8],
        nonceSignature: [UInt8]
    ) {
        self.number = number
        self.lastDay = lastDay
        self.cardholderName = cardholderName
        self.nonce = nonce
        self.nonceSignature = nonceSignature
    }

    /// Reads a message, JSON; nil for anything else.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount,
            let text = try? JSONDecoder().decode(Text.self, from: Data(bytes)),
            let number = PrimaryAccountNumber(text: text.primaryAccountNumber),
            let lastDay = TransactionDate(text: text.expiration),
            let nonce = Data(base64Encoded: text.nonce),
            let signature = Data(base64Encoded: text.nonceSignature)
        else { return nil }
        self.init(
            number: number,
            lastDay: lastDay,
            cardholderName: text.cardholderName,
            nonce: [UInt8](nonce),
            nonceSignature: [UInt8](signature)
        )
    }

    /// The message as JSON.
    var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = Text(
            primaryAccountNumber: number.text,
            expiration: lastDay.description,
            cardholderName: cardholderName,
            nonce: Data(nonce).base64EncodedString(),
            nonceSignature: Data(nonceSignature).base64EncodedString()
        )
        guard let bytes = try? encoder.encode(text) else {
            preconditionFailure("texts cannot be written as JSON")
        }
        return [UInt8](bytes)
    }
}
