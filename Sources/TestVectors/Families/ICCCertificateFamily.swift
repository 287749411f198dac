import EMVCrypto
import EMVData
import Profiles

/// `icc-certificates`: card public key certificates (9F46) recovered (EMV Book 2, 6.4).
struct ICCCertificateFamily: VectorFamily {
    var issuerModulus: [UInt8]
    var issuerExponent: [UInt8]
    var certificate: [UInt8]
    var remainder: [UInt8]
    var exponent: [UInt8]
    var staticData: [UInt8]
    /// The account number the certificate must be for.
    var pan: [UInt8]?
    /// The day the certificate must be good on.
    var date: TransactionDate?

    static let name = "icc-certificates"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        issuerModulus = try input.hex("issuerModulus")
        issuerExponent = try input.hex("issuerExponent")
        certificate = try input.hex("certificate")
        remainder = try input.hex("remainder")
        exponent = try input.hex("exponent")
        staticData = try input.hex("staticData")
        pan = input.has("pan") ? try input.accountNumber("pan") : nil
        date = try input.optionalDate("date")
    }

    func output() throws -> VectorOutput {
        let card = try ICCCertificate.recover(
            certificate: certificate,
            remainder: remainder,
            exponent: exponent,
            issuerKey: RSAPublicKey(modulus: issuerModulus, exponent: issuerExponent),
            staticData: staticData
        )
        if let pan { try card.checkPAN(pan) }
        if let date { try card.checkExpiry(on: date) }
        return [
            "pan": .digits(card.pan), "expiry": .bytes(card.expiry.bytes),
            "serialNumber": .bytes(card.serialNumber), "modulus": .bytes(card.key.modulus),
        ]
    }
}

/// `signed-static-data`: Signed Static Application Data (93) verified (EMV Book 2, 5.4).
struct SignedStaticDataFamily: VectorFamily {
    var issuerModulus: [UInt8]
    var issuerExponent: [UInt8]
    var signature: [UInt8]
    var staticData: [UInt8]

    static let name = "signed-static-data"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        issuerModulus = try input.hex("issuerModulus")
        issuerExponent = try input.hex("issuerExponent")
        signature = try input.hex("signature")
        staticData = try input.hex("staticData")
    }

    func output() throws -> VectorOutput {
        let signed = try SignedStaticData.verify(
            signature,
            issuerKey: RSAPublicKey(modulus: issuerModulus, exponent: issuerExponent),
            staticData: staticData
        )
        return ["dataAuthenticationCode": .bytes(signed.dataAuthenticationCode)]
    }
}
