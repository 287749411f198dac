import EMVCrypto
import EMVData
import Octets
import Synchronization
import TestSupport
import Testing

/// The keys of handmade cards: published test keys, certified anew for each card.
enum CardKeys {
    private static let cases = Result { try RSAPrivateKeyVector.all() }

    private static func numbers(_ id: String) throws -> RSAPrivateNumbers {
        try #require(try cases.get().first { $0.id == id }).input.numbers
    }

    /// A private key that is imported once, since libcrypto's check of it takes long.
    private final class PrivateKey: Sendable {
        let key: Mutex<RSAPrivateKey>

        init(_ id: String) throws { key = Mutex(try RSAPrivateKey(numbers(id))) }
    }

    private static let authorityKey = Result { try PrivateKey("emvpt-key-CA") }
    private static let issuerKey = Result { try PrivateKey("emvpt-key-issuer") }

    /// The card's signer, made once.
    private final class Signer: Sendable {
        let signer: Mutex<DynamicDataSigner>

        init(_ id: String) throws {
            signer = Mutex(DynamicDataSigner(key: try RSAPrivateKey(numbers(id))))
        }
    }

    private static let cardSigner = Result { try Signer("emvpt-key-ICC") }

    private static func publicKey(_ id: String) throws -> RSAPublicKey {
        let numbers = try numbers(id)
        return try RSAPublicKey(modulus: numbers.modulus, exponent: numbers.publicExponent)
    }

    /// The authority's key as a terminal holds it.
    static func authority(rid: [UInt8]) throws -> CAPublicKey {
        let key = try publicKey("emvpt-key-CA")
        return try CAPublicKey(
            rid: rid,
            index: 0x92,
            modulus: key.modulus,
            exponent: key.exponent
        )
    }

    /// The issuer's certificate, good until December of a year.
    static func issuerCertificate(
        identifier: [UInt8],
        serialNumber: [UInt8] = [0, 0, 1],
        expiryYear: Int = 2030
    ) throws -> SignedKeyCertificate {
        let certified = try publicKey("emvpt-key-issuer")
        let expiry = try #require(CertificateExpiry(month: 12, year: expiryYear))
        return try authorityKey.get().key.withLock { key in
            try IssuerCertificate.sign(
                certified,
                issuerIdentifier: identifier,
                expiry: expiry,
                serialNumber: serialNumber,
                caKey: &key
            )
        }
    }

    /// The card's certificate, good until December of a year.
    static func cardCertificate(
        pan: [UInt8],
        staticData: [UInt8],
        expiryYear: Int = 2030
    ) throws -> SignedKeyCertificate {
        let certified = try publicKey("emvpt-key-ICC")
        let expiry = try #require(CertificateExpiry(month: 12, year: expiryYear))
        return try issuerKey.get().key.withLock { key in
            try ICCCertificate.sign(
                certified,
                pan: pan,
                expiry: expiry,
                serialNumber: [0, 0, 2],
                staticData: staticData,
                issuerKey: &key
            )
        }
    }

    /// The issuer's signature over static data.
    static func staticSignature(_ staticData: [UInt8]) throws -> [UInt8] {
        try issuerKey.get().key.withLock { key in
            try SignedStaticData.sign(
                staticData,
                dataAuthenticationCode: [0xDA, 0xC1],
                issuerKey: &key
            )
        }
    }

    /// The card's signature over dynamic data.
    static func dynamicSignature(
        _ dynamicData: [UInt8],
        terminalData: [UInt8],
        format: SignedDataFormat = .dynamicData
    ) throws -> [UInt8] {
        var isSigned = false
        let signature = try cardSigner.get().signer.withLock { signer in
            [UInt8](capacity: 248) { (output: inout OutputSpan<UInt8>) in
                isSigned = signer.sign(
                    dynamicData.span,
                    terminalData: terminalData.span,
                    format: format,
                    into: &output
                )
            }
        }
        try #require(isSigned)
        return signature
    }
}
