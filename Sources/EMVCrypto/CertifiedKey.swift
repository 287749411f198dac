#if !hasFeature(Embedded)

/// The end of an issuer's or card's certificate: from the expiry to the part of the key (EMV Book 2, Table 6 and 14).
struct CertifiedKey {
    let expiry: CertificateExpiry
    let serialNumber: [UInt8]
    let key: RSAPublicKey

    /// How many bytes stand before the part of the key: expiry, serial number, algorithms, lengths.
    static var headerCount: Int { 9 }

    /// Reads what follows the subject in a block whose hash is already known to be right.
    init(
        _ bytes: [UInt8],
        remainder: [UInt8],
        exponent: [UInt8]
    ) throws(CertificateError) {
        guard let expiry = CertificateExpiry(bytes: [UInt8](bytes[0..<2])) else {
            throw .malformedExpiry
        }
        guard bytes[6] == 0x01 else { throw .unknownKeyAlgorithm(bytes[6]) }
        let keyLength = Int(bytes[7])
        guard rsaModulusLengths.contains(keyLength) else {
            throw .wrongKeyLength(bytes[7])
        }
        guard Int(bytes[8]) == exponent.count else { throw .wrongExponentLength(bytes[8]) }
        let part = bytes[Self.headerCount...]
        let missingCount = max(0, keyLength - part.count)
        guard remainder.count == missingCount else {
            throw .wrongRemainderLength(expected: missingCount, found: remainder.count)
        }
        self.expiry = expiry
        serialNumber = [UInt8](bytes[2..<5])
        key = try RSAPublicKey(
            modulus: [UInt8](part.prefix(keyLength)) + remainder,
            exponent: exponent
        )
    }

    /// Splits a key over a certificate with room for `roomCount` bytes of it and a remainder.
    static func encode(
        _ key: RSAPublicKey,
        expiry: CertificateExpiry,
        serialNumber: [UInt8],
        roomCount: Int
    ) -> (bytes: [UInt8], remainder: [UInt8]) {
        let header =
            expiry.bytes + serialNumber
            + [0x01, 0x01, UInt8(key.modulus.count), UInt8(key.exponent.count)]
        let part = [UInt8](key.modulus.prefix(roomCount))
        let padding = [UInt8](repeating: 0xBB, count: roomCount - part.count)
        return (header + part + padding, [UInt8](key.modulus.dropFirst(roomCount)))
    }
}

/// A signed key as a card carries it, over two data objects and a third for the exponent.
public struct SignedKeyCertificate: Hashable, Sendable {
    /// The certificate (90 or 9F46), as long as the modulus that signed it.
    public let certificate: [UInt8]
    /// What did not fit of the key (92 or 9F48); empty when everything did.
    public let remainder: [UInt8]
    /// The exponent (9F32 or 9F47).
    public let exponent: [UInt8]
}

#endif
