import Octets

#if !hasFeature(Embedded)

/// A certification authority's public key, as a terminal holds it (EMV Book 2, Table 30).
public struct CAPublicKey: Hashable, Sendable {
    /// Registered application provider identifier, five bytes.
    public let rid: [UInt8]
    /// Certification authority public key index (8F on the card).
    public let index: UInt8
    /// Modulus and exponent.
    public let key: RSAPublicKey
    /// The check sum that came with the key, 20 bytes; nil when none did.
    public let checksum: [UInt8]?

    /// Checks the numbers and collects the key; a wrong check sum is kept and shows in `isChecksumValid`.
    /// - Throws: `CertificateError.unsupportedModulus` or `.unsupportedExponent`.
    public init(
        rid: [UInt8],
        index: UInt8,
        modulus: [UInt8],
        exponent: [UInt8],
        checksum: [UInt8]? = nil
    ) throws(CertificateError) {
        self.rid = rid
        self.index = index
        key = try RSAPublicKey(modulus: modulus, exponent: exponent)
        self.checksum = checksum
    }

    /// Modulus n.
    public var modulus: [UInt8] { key.modulus }
    /// Exponent e.
    public var exponent: [UInt8] { key.exponent }

    /// SHA-1 over RID, index, modulus and exponent.
    public var computedChecksum: [UInt8] {
        SHA1.digest(of: rid, [index], modulus, exponent)
    }

    /// Whether the check sum that came with the key is the computed one; true when none came.
    public var isChecksumValid: Bool { checksum.map { $0 == computedChecksum } ?? true }
}

#endif
