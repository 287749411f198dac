import EMVCrypto

/// An application's key for offline data authentication, imported once for all cards that are made of a profile.
final class SigningKey: Sendable {
    private let key: RSAPrivateKey

    /// Imports a key of our test PKI.
    init(_ numbers: RSAPrivateNumbers) {
        do {
            key = try RSAPrivateKey(numbers)
        } catch {
            preconditionFailure("Resources/test-pki.json: \(error)")
        }
    }

    /// Makes the signer of one card.
    func makeSigner() -> DynamicDataSigner {
        DynamicDataSigner(key: RSAPrivateKey(sharing: key))
    }
}
