#if !hasFeature(Embedded)
public import EMVData
import Octets

/// A certification authority's elliptic curve key, as a kernel 8 terminal holds it.
public struct ECAuthorityKey: Hashable, Sendable {
    /// Registered application provider identifier, five bytes.
    public let rid: [UInt8]
    /// Certification authority public key index (8F on the card).
    public let index: UInt8
    /// The key.
    public let key: ECPublicKey

    /// Collects the parts.
    public init(rid: [UInt8], index: UInt8, key: ECPublicKey) {
        self.rid = rid
        self.index = index
        self.key = key
    }
}

/// The day after which an elliptic curve certificate is no longer good, and with a card's the minute.
public struct ECCertificateExpiry: Hashable, Sendable {
    /// Year, month and day.
    public let year: Int, month: Int, day: Int
    /// Hour and minute of Universal Time; the day's last ones where the certificate has none.
    public let hour: Int, minute: Int

    /// Reads YYYYMMDD, and HHMM where there are two bytes more.
    init(_ bytes: [UInt8]) throws(CertificateError) {
        let digits = PackedDigits.nibbles(bytes).map(Int.init)
        guard digits.allSatisfy({ $0 <= 9 }) else { throw .malformedExpiry }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        year = number(0..<4)
        month = number(4..<6)
        day = number(6..<8)
        hour = digits.count > 8 ? number(8..<10) : 23
        minute = digits.count > 8 ? number(10..<12) : 59
        guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60 else {
            throw .malformedExpiry
        }
    }

    /// Whether the certificate has expired at a minute of a day.
    public func hasPassed(on date: TransactionDate, hour: Int = 0, minute: Int = 0) -> Bool {
        (year, month, day, self.hour, self.minute)
            < (date.year, date.month, date.day, hour, minute)
    }
}

/// What a certification authority certifies: an issuer's elliptic curve key (90; Book E, 5.3, Table 5.1).
public struct ECIssuerCertificate: Hashable, Sendable {
    /// Issuer identifier, the leftmost 3 to 10 digits of its PANs.
    public let issuerIdentifier: [UInt8]
    /// When the certificate ends.
    public let expiry: ECCertificateExpiry
    /// Certificate serial number, three bytes.
    public let serialNumber: [UInt8]
    /// The issuer's key.
    public let key: ECPublicKey

    /// Where the key begins.
    static var headerCount: Int { 21 }

    /// Checks a certificate and takes the key out of it.
    ///
    /// What also needs the card, a list or a calendar is left to `checkIssuer(ofPAN:)` and `checkExpiry(on:)`.
    /// - Throws: The first check that fails.
    public static func verify(
        _ certificate: [UInt8],
        authority: ECAuthorityKey
    ) throws(CertificateError) -> ECIssuerCertificate {
        guard certificate.count > headerCount else {
            throw .wrongLength(expected: headerCount + 1, found: certificate.count)
        }
        guard certificate[0] == 0x12 else {
            throw .wrongFormat(SignedDataFormat(rawValue: certificate[0]))
        }
        guard certificate[1] == 0x00 else { throw .unknownEncoding(certificate[1]) }
        let suite = SignatureSuite(rawValue: certificate[7])
        guard let keyCount = suite.fieldByteCount,
            let signatureCount = authority.key.suite.signatureByteCount
        else { throw .unknownKeyAlgorithm(certificate[7]) }
        let messageCount = headerCount + keyCount
        guard certificate.count == messageCount + signatureCount else {
            throw .wrongLength(
                expected: messageCount + signatureCount,
                found: certificate.count
            )
        }
        guard [UInt8](certificate[15..<20]) == authority.rid, certificate[20] == authority.index
        else { throw .wrongAuthority }
        let message = [UInt8](certificate.prefix(messageCount))
        let signature = [UInt8](certificate.suffix(signatureCount))
        guard authority.key.isSignature(signature, of: message) else { throw .wrongSignature }
        guard let digits = PackedDigits.digits(paddedIn: certificate[2..<7]), digits.count >= 3
        else { throw .malformedIssuerIdentifier }
        return ECIssuerCertificate(
            issuerIdentifier: digits,
            expiry: try ECCertificateExpiry([UInt8](certificate[8..<12])),
            serialNumber: [UInt8](certificate[12..<15]),
            key: try ECPublicKey(suite: suite, x: [UInt8](message[headerCount...]))
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

    /// Signs an issuer's key as a certification authority does.
    /// - Parameters:
    ///   - publicX: The x coordinate of the issuer's key, which must be fit for certificates.
    ///   - suite: The issuer's suite.
    ///   - issuerIdentifier: 3 to 10 digits.
    ///   - expiry: YYYYMMDD, four packed bytes.
    ///   - serialNumber: Three bytes.
    ///   - rid: Five bytes.
    ///   - index: The index of the authority's key.
    ///   - authorityKey: The authority's private key.
    ///   - nonce: A random number that is never used again.
    /// - Returns: The certificate.
    /// - Throws: `CertificateError` when an argument does not fit.
    public static func sign(
        publicX: [UInt8],
        suite: SignatureSuite,
        issuerIdentifier: [UInt8],
        expiry: [UInt8],
        serialNumber: [UInt8],
        rid: [UInt8],
        index: UInt8,
        authorityKey: borrowing ECPrivateKey,
        nonce: [UInt8]
    ) throws(CertificateError) -> [UInt8] {
        precondition(serialNumber.count == 3 && rid.count == 5 && expiry.count == 4)
        guard 3...10 ~= issuerIdentifier.count,
            let identifier = PackedDigits.compressed(issuerIdentifier, byteCount: 5)
        else { throw .malformedIssuerIdentifier }
        _ = try ECCertificateExpiry(expiry)
        let message =
            [0x12, 0x00] + identifier + [suite.rawValue] + expiry + serialNumber + rid + [index]
            + publicX
        guard let signature = authorityKey.sign(message, nonce: nonce) else {
            throw .signingFailed
        }
        return message + signature
    }
}

/// What an issuer certifies: a card's key and the hash of its data (9F46; Book E, 5.3, Table 5.2).
public struct ECCardCertificate: Hashable, Sendable {
    /// When the certificate ends.
    public let expiry: ECCertificateExpiry
    /// Certificate serial number, six bytes.
    public let serialNumber: [UInt8]
    /// The hash over the card's static data (ICCD Hash), 32 bytes.
    public let staticDataHash: [UInt8]
    /// The card's key, of curve P-256.
    public let key: ECPublicKey

    /// Where the key begins.
    static var headerCount: Int { 49 }

    /// Checks a certificate and takes the key out of it.
    ///
    /// What also needs the card's records or a calendar is left to `checkStaticData(_:)` and `checkExpiry(on:hour:minute:)`.
    /// - Throws: The first check that fails.
    public static func verify(
        _ certificate: [UInt8],
        issuerKey: ECPublicKey
    ) throws(CertificateError) -> ECCardCertificate {
        let messageCount = headerCount + 32
        guard let signatureCount = issuerKey.suite.signatureByteCount else {
            throw .unknownKeyAlgorithm(issuerKey.suite.rawValue)
        }
        guard certificate.count == messageCount + signatureCount else {
            throw .wrongLength(
                expected: messageCount + signatureCount,
                found: certificate.count
            )
        }
        guard certificate[0] == 0x14 else {
            throw .wrongFormat(SignedDataFormat(rawValue: certificate[0]))
        }
        guard certificate[1] == 0x00 else { throw .unknownEncoding(certificate[1]) }
        // The card's suite is that of the secure channel: 00 stands for P-256 and AES.
        guard certificate[2] == 0x00 else { throw .unknownKeyAlgorithm(certificate[2]) }
        guard certificate[15] == 0x01 else { throw .unknownEncoding(certificate[15]) }
        guard certificate[16] == 0x02 else { throw .unknownHashAlgorithm(certificate[16]) }
        let message = [UInt8](certificate.prefix(messageCount))
        let signature = [UInt8](certificate.suffix(signatureCount))
        guard issuerKey.isSignature(signature, of: message) else { throw .wrongSignature }
        return ECCardCertificate(
            expiry: try ECCertificateExpiry([UInt8](certificate[3..<9])),
            serialNumber: [UInt8](certificate[9..<15]),
            staticDataHash: [UInt8](certificate[17..<headerCount]),
            key: try ECPublicKey(suite: .p256, x: [UInt8](message[headerCount...]))
        )
    }

    /// Computes the hash over a card's static data (Book C-8, 5.4).
    /// - Parameters:
    ///   - records: The contents of the signed records, without their template's header.
    ///   - extendedData: The data objects of Extended SDA Tag List (9F810A), whole; one that is missing has length zero.
    ///   - interchangeProfile: Application Interchange Profile (82), the value alone.
    /// - Returns: 32 bytes.
    public static func staticDataHash(
        records: [[UInt8]],
        extendedData: [UInt8],
        interchangeProfile: [UInt8]
    ) -> [UInt8] {
        let signed = records.flatMap { $0 }
        return SHA2.digest(byteCount: 32, of: signed, extendedData, interchangeProfile)
    }

    /// Checks the hash of the card's data.
    /// - Throws: `CertificateError.wrongHash`.
    public func checkStaticData(_ hash: [UInt8]) throws(CertificateError) {
        guard hash == staticDataHash else { throw .wrongHash }
    }

    /// Checks that the certificate is still good at a minute of Universal Time.
    /// - Throws: `CertificateError.expired`.
    public func checkExpiry(
        on date: TransactionDate,
        hour: Int = 0,
        minute: Int = 0
    ) throws(CertificateError) {
        guard !expiry.hasPassed(on: date, hour: hour, minute: minute) else { throw .expired }
    }

    /// Signs a card's key as an issuer does.
    /// - Parameters:
    ///   - publicX: The x coordinate of the card's key, which must be fit for certificates.
    ///   - expiry: YYYYMMDDHHMM, six packed bytes.
    ///   - serialNumber: Six bytes.
    ///   - staticDataHash: 32 bytes.
    ///   - issuerKey: The issuer's private key.
    ///   - nonce: A random number that is never used again.
    /// - Returns: The certificate.
    /// - Throws: `CertificateError` when an argument does not fit.
    public static func sign(
        publicX: [UInt8],
        expiry: [UInt8],
        serialNumber: [UInt8],
        staticDataHash: [UInt8],
        issuerKey: borrowing ECPrivateKey,
        nonce: [UInt8]
    ) throws(CertificateError) -> [UInt8] {
        precondition(serialNumber.count == 6 && expiry.count == 6 && staticDataHash.count == 32)
        _ = try ECCertificateExpiry(expiry)
        let message =
            [0x14, 0x00, 0x00] + expiry + serialNumber + [0x01, 0x02] + staticDataHash + publicX
        guard let signature = issuerKey.sign(message, nonce: nonce) else { throw .signingFailed }
        return message + signature
    }
}

#endif
