import EMVCrypto
import EMVData
import Octets
import Profiles

/// `issuer-certificates`: issuer public key certificates (90) recovered (EMV Book 2, 5.3).
struct IssuerCertificateFamily: VectorFamily {
    var rid: [UInt8]
    var index: UInt8
    var caModulus: [UInt8]
    var caExponent: [UInt8]
    var certificate: [UInt8]
    var remainder: [UInt8]
    var exponent: [UInt8]
    /// The account number that must begin with the issuer identifier.
    var pan: [UInt8]?
    /// The day the certificate must be good on.
    var date: TransactionDate?
    /// The certificates that were called back: provider, index and serial number of each.
    var revoked: Set<RevokedCertificate>

    static let name = "issuer-certificates"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        rid = try input.hex("rid", 5...5)
        index = try input.number("index")
        caModulus = try input.hex("caModulus")
        caExponent = try input.hex("caExponent")
        certificate = try input.hex("certificate")
        remainder = try input.hex("remainder")
        exponent = try input.hex("exponent")
        pan = input.has("pan") ? try input.accountNumber("pan") : nil
        date = try input.optionalDate("date")
        revoked = []
        if input.has("revoked") {
            for bytes in try input.hexList("revoked", 9...9) {
                revoked.insert(
                    RevokedCertificate(
                        rid: [UInt8](bytes[..<5]),
                        index: bytes[5],
                        serialNumber: [UInt8](bytes[6...])
                    )
                )
            }
        }
    }

    func output() throws -> VectorOutput {
        let caKey = try CAPublicKey(
            rid: rid,
            index: index,
            modulus: caModulus,
            exponent: caExponent
        )
        let issuer = try IssuerCertificate.recover(
            certificate: certificate,
            remainder: remainder,
            exponent: exponent,
            caKey: caKey
        )
        if let pan { try issuer.checkIssuer(ofPAN: pan) }
        if let date { try issuer.checkExpiry(on: date) }
        try issuer.checkRevocation(revoked, caKey: caKey)
        return [
            "issuerIdentifier": .digits(issuer.issuerIdentifier),
            "expiry": .bytes(issuer.expiry.bytes),
            "serialNumber": .bytes(issuer.serialNumber),
            "modulus": .bytes(issuer.key.modulus),
        ]
    }
}
