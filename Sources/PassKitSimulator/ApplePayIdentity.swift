import Synchronization

/// The certificates and keys of the Apple Pay server of a simulation; made by itself, known to nobody else.
public final class ApplePayIdentity: Sendable {
    static let leafName = "Apple Pay provisioning (simulated)"

    /// The root in DER, which issuers trust.
    public let rootCertificate: [UInt8]
    private let root: (certificate: Certificate, key: AsymmetricKey)
    private let period: ClosedRange<Int64>
    private let leaves = Mutex<[PKEncryptionScheme: Leaf]>([:])

    private struct Leaf {
        var certificate: Certificate
        var key: AsymmetricKey
    }

    /// Makes a root; what it certifies for ECC_V2 and RSA_V2 is made when it is first needed.
    /// - Parameters:
    ///   - now: The time, in seconds since 1970.
    ///   - lifetimeDays: How long the certificates are good.
    public init(now: Int64, lifetimeDays: Int64 = 30) {
        period = now - 3_600...now + lifetimeDays * 86_400
        let rootKey = AsymmetricKey(generating: .p256)
        root = (
            Certificate(of: "Apple Pay root (simulated)", key: rootKey, by: nil, good: period),
            rootKey
        )
        rootCertificate = root.certificate.der
    }

    private func leaf(_ scheme: PKEncryptionScheme) -> Leaf {
        leaves.withLock { leaves in
            if let leaf = leaves[scheme] { return leaf }
            let key = AsymmetricKey(generating: scheme == .RSA_V2 ? .rsa(bits: 2_048) : .p256)
            let certificate = Certificate(of: Self.leafName, key: key, by: root, good: period)
            let leaf = Leaf(certificate: certificate, key: key)
            leaves[scheme] = leaf
            return leaf
        }
    }

    /// The chain for an encryption scheme in DER, leaf first.
    func chain(_ scheme: PKEncryptionScheme) -> [[UInt8]] {
        [leaf(scheme).certificate.der, rootCertificate]
    }

    /// The private key for an encryption scheme.
    func key(_ scheme: PKEncryptionScheme) -> AsymmetricKey { leaf(scheme).key }
}
