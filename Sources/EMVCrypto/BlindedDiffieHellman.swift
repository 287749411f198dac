#if !hasFeature(Embedded)
import Octets

/// The key agreement of kernel 8, which hides from an eavesdropper which card it is (Book E, 7.1 to 7.3).
///
/// The card multiplies its key with a random factor before it shows it. Only the x coordinate is sent.
public enum BlindedDiffieHellman {
    /// Blinds a card's public point: the card's part of 9F8103, both coordinates.
    /// - Parameters:
    ///   - point: The card's public point, both coordinates.
    ///   - factor: The blinding factor, as many bytes as a coordinate has.
    ///   - suite: The curve.
    /// - Returns: The blinded point; nil when the point is not on the curve or the factor out of range.
    public static func blind(
        _ point: [UInt8],
        factor: [UInt8],
        suite: SignatureSuite = .p256
    ) -> [UInt8]? {
        guard let curve = EllipticCurve(suite), curve.isScalar(factor) else { return nil }
        return curve.point(point, times: factor)
    }

    /// Computes the secret as the card does.
    /// - Parameters:
    ///   - cardKey: The card's private key.
    ///   - factor: The blinding factor.
    ///   - kernelPoint: Kernel Key Data (9E), both coordinates.
    /// - Returns: The shared x coordinate; nil when something is not on the curve.
    public static func cardSecret(
        cardKey: borrowing ECPrivateKey,
        factor: [UInt8],
        kernelPoint: [UInt8]
    ) -> [UInt8]? {
        guard let curve = EllipticCurve(cardKey.suite), curve.isScalar(factor),
            let once = cardKey.times(kernelPoint), let twice = curve.point(once, times: factor)
        else { return nil }
        return [UInt8](twice.prefix(curve.fieldByteCount))
    }

    /// Computes the secret as the kernel does.
    /// - Parameters:
    ///   - kernelKey: The kernel's private key of this transaction.
    ///   - blindedX: The first half of Card Key Data (9F8103).
    /// - Returns: The shared x coordinate; nil when there is no such point.
    public static func kernelSecret(
        kernelKey: borrowing ECPrivateKey,
        blindedX: [UInt8]
    ) -> [UInt8]? {
        // Either y gives the same x, so it does not matter which point is taken.
        guard let curve = EllipticCurve(kernelKey.suite), blindedX.count == curve.fieldByteCount,
            let point = curve.point(x: blindedX), let shared = kernelKey.times(point)
        else { return nil }
        return [UInt8](shared.prefix(curve.fieldByteCount))
    }

    /// Checks that what a card showed is its certified key, blinded with the factor it told (Book E, 7.3).
    public static func isBlinded(_ blindedX: [UInt8], of key: ECPublicKey, factor: [UInt8]) -> Bool
    {
        guard let point = blind(key.point, factor: factor, suite: key.suite) else { return false }
        return [UInt8](point.prefix(key.x.count)) == blindedX
    }

    /// Derives the two session keys from the secret (Book E, 7.2).
    /// - Returns: The keys for confidentiality and for integrity.
    public static func sessionKeys(secret: [UInt8]) -> SecureChannelKeys {
        let extractor = AESKey(known: [UInt8](repeating: 0, count: 16))
        let derivationKey = AESKey(known: extractor.cmac(of: secret))
        func block(_ number: UInt8) -> [UInt8] {
            [
                number, 0x01, 0x00, 0x54, 0x33, 0x4A, 0x32, 0x59, 0x57, 0x77, 0x3D, 0xA5, 0xA5,
                0xA5, 0x01, 0x80,
            ]
        }
        return SecureChannelKeys(
            confidentiality: AESKey(known: derivationKey.encrypt(block(1))),
            integrity: AESKey(known: derivationKey.encrypt(block(2)))
        )
    }
}

/// The keys of one transaction between a kernel 8 and a card.
public struct SecureChannelKeys: ~Copyable {
    /// Enciphers records and data (SKc).
    public let confidentiality: AESKey
    /// Authenticates data and the cryptogram's surroundings (SKi).
    public let integrity: AESKey

    /// Joins both keys.
    public init(confidentiality: consuming AESKey, integrity: consuming AESKey) {
        self.confidentiality = confidentiality
        self.integrity = integrity
    }
}

#endif
