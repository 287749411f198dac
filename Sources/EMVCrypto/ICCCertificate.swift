#if !hasFeature(Embedded)
public import EMVData
import Octets

/// What an issuer certifies: a card's public key (9F46 with 9F48 and 9F47; EMV Book 2, 6.4).
public struct ICCCertificate: Hashable, Sendable {
    /// The card's PAN, one digit an element.
    public let pan: [UInt8]
    /// The last month the certificate is good in.
    public let expiry: CertificateExpiry
    /// Certificate serial number, three bytes.
    public let serialNumber: [UInt8]
    /// The card's public key.
    public let key: RSAPublicKey

    /// How many bytes of a certificate are not part of the key.
    static var overheadCount: Int { 42 }

    /// Recovers the card's public key and checks everything the certificate itself can tell.
    ///
    /// What also needs the card or a calendar is left to `checkPAN(_:)` and `checkExpiry(on:)`.
    /// - Parameters:
    ///   - certificate: ICC Public Key Certificate (9F46).
    ///   - remainder: ICC Public Key Remainder (9F48); empty when the card has none.
    ///   - exponent: ICC Public Key Exponent (9F47).
    ///   - issuerKey: The issuer's recovered public key.
    ///   - staticData: The static data to be authenticated (EMV Book 3, 10.3).
    /// - Returns: What was certified.
    /// - Throws: The first check that fails, in the order of EMV Book 2, 6.4.
    public static func recover(
        certificate: [UInt8],
        remainder: [UInt8],
        exponent: [UInt8],
        issuerKey: RSAPublicKey,
        staticData: [UInt8]
    ) throws(CertificateError) -> ICCCertificate {
        let block = try RecoveredBlock(certificate, key: issuerKey, formats: [.iccCertificate])
        try block.checkHash(algorithmOffset: 16, appendix: remainder, exponent, staticData)
        guard let digits = PackedDigits.digits(paddedIn: block.contents[1..<11]),
            12...19 ~= digits.count
        else { throw .malformedPAN }
        let certified = try CertifiedKey(
            [UInt8](block.contents[11...]),
            remainder: remainder,
            exponent: exponent
        )
        return ICCCertificate(
            pan: digits,
            expiry: certified.expiry,
            serialNumber: certified.serialNumber,
            key: certified.key
        )
    }

    /// Checks that the certificate is for a PAN, one digit an element.
    /// - Throws: `CertificateError.wrongPAN`.
    public func checkPAN(_ digits: [UInt8]) throws(CertificateError) {
        guard digits == pan else { throw .wrongPAN }
    }

    /// Checks that the certificate is still good on a day.
    /// - Throws: `CertificateError.expired`.
    public func checkExpiry(on date: TransactionDate) throws(CertificateError) {
        guard !expiry.hasPassed(on: date) else { throw .expired }
    }

    /// Signs a card's public key as an issuer does.
    /// - Parameters:
    ///   - key: The card's public key, at most as long as the issuer's.
    ///   - pan: 12 to 19 digits.
    ///   - expiry: The last month the certificate is good in.
    ///   - serialNumber: Three bytes.
    ///   - staticData: The static data to be authenticated (EMV Book 3, 10.3).
    ///   - issuerKey: The issuer's private key.
    /// - Returns: The data objects a card carries.
    /// - Throws: `CertificateError` when an argument does not fit a certificate.
    public static func sign(
        _ key: RSAPublicKey,
        pan: [UInt8],
        expiry: CertificateExpiry,
        serialNumber: [UInt8],
        staticData: [UInt8],
        issuerKey: inout RSAPrivateKey
    ) throws(CertificateError) -> SignedKeyCertificate {
        precondition(serialNumber.count == 3)
        guard 12...19 ~= pan.count, let packedPAN = PackedDigits.compressed(pan, byteCount: 10)
        else { throw .malformedPAN }
        guard key.modulus.count <= issuerKey.modulusLength else {
            throw .wrongKeyLength(UInt8(key.modulus.count))
        }
        let (end, remainder) = CertifiedKey.encode(
            key,
            expiry: expiry,
            serialNumber: serialNumber,
            roomCount: issuerKey.modulusLength - overheadCount
        )
        let certificate = try RecoveredBlock.sign(
            [SignedDataFormat.iccCertificate.rawValue] + packedPAN + end,
            appendix: remainder,
            key.exponent,
            staticData,
            key: &issuerKey
        )
        return SignedKeyCertificate(
            certificate: certificate,
            remainder: remainder,
            exponent: key.exponent
        )
    }
}

#endif
