/// Why a key, a certificate or a signature is refused.
public enum CertificateError: Error, Hashable, Sendable {
    /// A modulus is not odd, starts with a zero byte or is not 64 to 248 bytes long.
    case unsupportedModulus(byteCount: Int)
    /// A public exponent is neither 3 nor 65537.
    case unsupportedExponent
    /// The numbers of a private key do not belong together.
    case inconsistentPrivateKey
    /// A certificate or signature is not as long as the modulus of its key.
    case wrongLength(expected: Int, found: Int)
    /// A certificate or signature is a larger number than the modulus of its key.
    case notBelowModulus
    /// A recovered block does not end with BC.
    case wrongTrailer(UInt8)
    /// A recovered block does not start with 6A.
    case wrongHeader(UInt8)
    /// A recovered block is of another kind than expected.
    case wrongFormat(SignedDataFormat)
    /// A hash algorithm other than SHA-1 (01).
    case unknownHashAlgorithm(UInt8)
    /// A public key algorithm other than RSA (01).
    case unknownKeyAlgorithm(UInt8)
    /// The hash in a recovered block is not the one of what was signed.
    case wrongHash
    /// The length byte of a certified key does not fit: no key is that long.
    case wrongKeyLength(UInt8)
    /// The remainder of a key has another length than the certificate leaves out.
    case wrongRemainderLength(expected: Int, found: Int)
    /// The length byte of a certified exponent is not the length of the exponent given.
    case wrongExponentLength(UInt8)
    /// An issuer identifier is not 3 to 8 digits padded with F.
    case malformedIssuerIdentifier
    /// A certified PAN is not 12 to 19 digits padded with F.
    case malformedPAN
    /// An expiry date is not a month and a year.
    case malformedExpiry
    /// A certificate is for another issuer than the one of the PAN.
    case wrongIssuer
    /// A certificate is for another PAN.
    case wrongPAN
    /// A certificate has expired.
    case expired
    /// The ICC dynamic data are too long, or too short for what they should hold.
    case malformedDynamicData
    /// libcrypto failed to sign.
    case signingFailed
    /// A certificate is on the list of those no longer to be trusted.
    case revoked
    /// A certificate was made by another certification authority, or with another of its keys.
    case wrongAuthority
    /// A certificate is encoded in a way not known here (EMV Book E, 5.3).
    case unknownEncoding(UInt8)
    /// A signature over a certificate is not that of its key.
    case wrongSignature
    /// Numbers that should be a point of a curve are none.
    case notOnCurve
}
