/// The certificates and keys of the Apple Pay server of a simulation; made by itself, known to nobody else.
public final class ApplePayIdentity: Sendable {
    static let leafName = "Apple Pay provisioning (simulated)"

    /// The root in DER, which issuers trust.
    public let rootCertificate: [UInt8]
    private let root: (certificate: Certificate, key: AsymmetricKey)
    private let ecc: (certificate: Certificate, key: AsymmetricKey)
    private let rsa: (certificate: Certificate, key: AsymmetricKey)

    /// Makes a root and the two certificates it has certified, for ECC_V2 and RSA_V2.
    /// - Parameters:
    ///   - now: The time, in seconds since 1970.
    ///   - lifetimeDays: How long the certificates are good.
    public init(now: Int64, lifetimeDays: Int64 = 30) {
        let period = now - 3_600...now + lifetimeDays * 86_400
        let rootKey = AsymmetricKey(generating: .p256)
        let root = (
            Certificate(of: "Apple Pay root (simulated)", key: rootKey, by: nil, good: period),
            rootKey
        )
        func certified(_ kind: AsymmetricKey.Kind) -> (Certificate, AsymmetricKey) {
            let key = AsymmetricKey(generating: kind)
            return (Certificate(of: Self.leafName, key: key, by: root, good: period), key)
        }
        self.root = root
        rootCertificate = root.0.der
        ecc = certified(.p256)
        rsa = certified(.rsa(bits: 2_048))
    }

    /// The chain for an encryption scheme in DER, leaf first.
    func chain(_ scheme: PKEncryptionScheme) -> [[UInt8]] {
        [(scheme == .RSA_V2 ? rsa : ecc).certificate.der, rootCertificate]
    }

    /// The private key for an encryption scheme.
    func key(_ scheme: PKEncryptionScheme) -> AsymmetricKey {
        (scheme == .RSA_V2 ? rsa : ecc).key
    }
}
