import EMVCrypto
import EMVData

/// Recovers certificates and signatures whose contents are invented but rightly signed and hashed.
///
/// Without the signature nothing invented would ever come past the first check.
func fuzzCertificate(_ bytes: [UInt8]) {
    var input = InputReader(bytes)
    let kind = input.byte() % 4
    let appendix = input.message()
    let remainder = input.message()
    let exponent = input.message()
    let contents = input.rest()

    let key = TestKey.shared
    let signature = key.sign(contents, hashing: remainder + exponent + appendix)
    switch kind {
    case 0:
        let issuer = try? IssuerCertificate.recover(
            certificate: signature,
            remainder: remainder,
            exponent: exponent,
            caKey: key.authority
        )
        guard let issuer else { return }
        precondition(appendix.isEmpty || issuer.key.modulus.count >= 64)
        try? issuer.checkIssuer(ofPAN: appendix)
    case 1:
        let card = try? ICCCertificate.recover(
            certificate: signature,
            remainder: remainder,
            exponent: exponent,
            issuerKey: key.authority.key,
            staticData: appendix
        )
        guard let card else { return }
        precondition(12...19 ~= card.pan.count && card.pan.allSatisfy { $0 <= 9 })
        precondition(CertificateExpiry(bytes: card.expiry.bytes) == card.expiry)
    case 2:
        let signed = try? SignedDynamicData.recover(
            signature,
            iccKey: key.authority.key,
            terminalData: remainder + exponent + appendix
        )
        guard let signed else { return }
        precondition(2...8 ~= signed.iccDynamicNumber.count)
        if let combined = try? signed.combined() {
            precondition(combined.transactionDataHash.count == 20)
        }
    default:
        _ = try? SignedStaticData.verify(
            signature,
            issuerKey: key.authority.key,
            staticData: remainder + exponent + appendix
        )
        // And bytes that nobody signed.
        _ = try? SignedDynamicData.recover(contents, iccKey: key.authority.key, terminalData: [])
    }
}
