#if !hasFeature(Embedded)
public import EMVData
import Octets

/// What a certification authority certifies: an issuer's public key (90 with 92 and 9F32; EMV Book 2, 5.3).
public struct IssuerCertificate: Hashable, Sendable {
    /// Issuer identifier, the leftmost 3 to 8 digits of its PANs.
    public let issuerIdentifier: [UInt8]
    /// The last month the certificate is good in.
    public let expiry: CertificateExpiry
    /// Certificate serial number, three bytes.
    public let serialNumber: [UInt8]
    /// The issuer's public key.
    public let key: RSAPublicKey

    /// How many bytes of a certificate are not part of the key.
    static var overheadCount: Int { 36 }

    /// Recovers the issuer's public key and checks everything the certificate itself can tell.
    ///
    /// What also needs the card or a calendar is left to `checkIssuer(ofPAN:)` and `checkExpiry(on:)`.
    /// - Parameters:
    ///   - certificate: Issuer Public Key Certificate (90).
    ///   - remainder: Issuer Public Key Remainder (92); empty when the card has none.
    ///   - exponent: Issuer Public Key Exponent (9F32).
    ///   - caKey: The key that RID and index (8F) name.
    /// - Returns: What was certified.
    /// - Throws: The first check that fails, in the order of EMV Book 2, 5.3.
    public static func recover(
        certificate: [UInt8],
        remainder: [UInt8],
        exponent: [UInt8],
        caKey: CAPublicKey
    ) throws(CertificateError) -> IssuerCertificate {
        let block = try RecoveredBlock(certificate, key: caKey.key, formats: [.issuerCertificate])
        try block.checkHash(algorithmOffset: 10, appendix: remainder, exponent)
        guard let digits = PackedDigits.digits(paddedIn: block.contents[1..<5]),
            3...8 ~= digits.count
        else { throw .malformedIssuerIdentifier }
        let certified = try CertifiedKey(
            [UInt8](block.contents[5...]),
            remainder: remainder,
            exponent: exponent
        )
        return IssuerCertificate(
            issuerIdentifier: digits,
            expiry: certified.expiry,
            serialNumber: certified.serialNumber,
            key: certified.key
        )
    }

    /// Checks that a PAN, one digit an element, starts with the issuer identifier.
    /// - Throws: `CertificateError.wrongIssuer`.
    public func checkIssuer(ofPAN digits: [UInt8]) throws(CertificateError) {
        guard digits.starts(with: issuerIdentifier) else { throw .wrongIssuer }
    }

    /// Checks that the certificate is still good on a day.
    /// - Throws: `CertificateError.expired`.
    public func checkExpiry(on date: TransactionDate) throws(CertificateError) {
        guard !expiry.hasPassed(on: date) else { throw .expired }
    }

    /// Signs an issuer's public key as a certification authority does.
    /// - Parameters:
    ///   - key: The issuer's public key, at most as long as the authority's.
    ///   - issuerIdentifier: 3 to 8 digits.
    ///   - expiry: The last month the certificate is good in.
    ///   - serialNumber: Three bytes.
    ///   - caKey: The authority's private key.
    /// - Returns: The data objects a card carries.
    /// - Throws: `CertificateError` when an argument does not fit a certificate.
    public static func sign(
        _ key: RSAPublicKey,
        issuerIdentifier: [UInt8],
        expiry: CertificateExpiry,
        serialNumber: [UInt8],
        caKey: inout RSAPrivateKey
    ) throws(CertificateError) -> SignedKeyCertificate {
        precondition(serialNumber.count == 3)
        guard 3...8 ~= issuerIdentifier.count,
            let identifier = PackedDigits.compressed(issuerIdentifier, byteCount: 4)
        else { throw .malformedIssuerIdentifier }
        guard key.modulus.count <= caKey.modulusLength else {
            throw .wrongKeyLength(UInt8(key.modulus.count))
        }
        let (end, remainder) = CertifiedKey.encode(
            key,
            expiry: expiry,
            serialNumber: serialNumber,
            roomCount: caKey.modulusLength - overheadCount
        )
        let certificate = try RecoveredBlock.sign(
            [SignedDataFormat.issuerCertificate.rawValue] + identifier + end,
            appendix: remainder,
            key.exponent,
            key: &caKey
        )
        return SignedKeyCertificate(
            certificate: certificate,
            remainder: remainder,
            exponent: key.exponent
        )
    }
}

extension PackedDigits {
    /// Reads digits that F fills up on the right (format cn); nil when anything else is found.
    static func digits(paddedIn bytes: some Sequence<UInt8>) -> [UInt8]? {
        let nibbles = PackedDigits.nibbles(bytes)
        let digits = nibbles.prefix { $0 <= 9 }
        return nibbles[digits.count...].allSatisfy { $0 == 0x0F } ? [UInt8](digits) : nil
    }
}

#endif
