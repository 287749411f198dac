import EMVCrypto
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
    /// The account number to compare with the issuer identifier.
    var pan: [UInt8]?

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
    }

    func output() throws -> VectorOutput {
        let issuer = try IssuerCertificate.recover(
            certificate: certificate,
            remainder: remainder,
            exponent: exponent,
            caKey: CAPublicKey(rid: rid, index: index, modulus: caModulus, exponent: caExponent)
        )
        let isIssuer = try pan.map { pan in
            do {
                try issuer.checkIssuer(ofPAN: pan)
                return true
            } catch CertificateError.wrongIssuer {
                return false
            }
        }
        return [
            "issuerIdentifier": .digits(issuer.issuerIdentifier),
            "expiry": .bytes(issuer.expiry.bytes),
            "serialNumber": .bytes(issuer.serialNumber),
            "modulus": .bytes(issuer.key.modulus),
            "isIssuerOfPAN": isIssuer.map { .boolean($0) } ?? .nothing,
        ]
    }
}
