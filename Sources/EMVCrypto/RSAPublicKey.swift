internal import CLibcrypto

/// How many bytes the modulus of a key may have, 512 to 1984 bits (EMV Book 2, B2.1).
let rsaModulusLengths = 64...248

/// Checks the length and parity of a modulus and that the exponent is 3 or 65537 (EMV Book 2, B2.1).
/// - Throws: `CertificateError.unsupportedModulus` or `.unsupportedExponent`.
func checkRSAPublicNumbers(modulus: [UInt8], exponent: [UInt8]) throws(CertificateError) {
    let count = modulus.count
    guard rsaModulusLengths.contains(count), modulus[0] != 0, modulus[count - 1] & 1 == 1 else {
        throw .unsupportedModulus(byteCount: count)
    }
    let isThree = exponent.count == 1 && exponent[0] == 3
    let isFermat = exponent.count == 3 && exponent[0] == 1 && exponent[1] == 0 && exponent[2] == 1
    guard isThree || isFermat else { throw .unsupportedExponent }
}

#if !hasFeature(Embedded)

/// An RSA public key fit for EMV: 64 to 248 bytes of odd modulus, exponent 3 or 65537 (EMV Book 2, B2.1).
public struct RSAPublicKey: Hashable, Sendable {
    /// Modulus n, most significant byte first; the first byte is not zero.
    public let modulus: [UInt8]
    /// Exponent e as it is carried: `03` or `010001`.
    public let exponent: [UInt8]

    /// Checks and wraps a key.
    /// - Throws: `CertificateError.unsupportedModulus` or `.unsupportedExponent`.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(CertificateError) {
        try checkRSAPublicNumbers(modulus: modulus, exponent: exponent)
        self.modulus = modulus
        self.exponent = exponent
    }

    /// Raises `signature` to the public exponent, with `BN_mod_exp`.
    ///
    /// - Returns: As many bytes as the modulus has; nil when `signature` has another length or is not
    ///   below the modulus.
    public func recover(_ signature: [UInt8]) -> [UInt8]? { try? recovered(signature) }

    /// Raises `signature` to the public exponent and says why it cannot.
    /// - Throws: `CertificateError.wrongLength` or `.notBelowModulus`.
    public func recovered(_ signature: [UInt8]) throws(CertificateError) -> [UInt8] {
        guard signature.count == modulus.count else {
            throw .wrongLength(expected: modulus.count, found: signature.count)
        }
        // Both have the same length, so the order of the bytes is the order of the numbers.
        guard signature.lexicographicallyPrecedes(modulus) else { throw .notBelowModulus }
        let power = BigInteger()
        guard
            power.set(
                BigInteger(signature.span),
                power: BigInteger(exponent.span),
                modulo: BigInteger(modulus.span)
            )
        else { fatalError("out of memory") }
        return [UInt8](capacity: modulus.count) { (output: inout OutputSpan<UInt8>) in
            power.append(byteCount: modulus.count, to: &output)
        }
    }

    /// Whether a private exponent undoes this key: a number raised to both is itself.
    ///
    /// For keys whose primes are not known; those that sign are `RSAPrivateKey`s, which are checked more closely.
    public func isPair(withPrivateExponent privateExponent: [UInt8]) -> Bool {
        let message = [0x6A] + [UInt8](repeating: 0xBB, count: modulus.count - 2) + [0xBC]
        let power = BigInteger()
        let isDone = power.set(
            BigInteger(message.span),
            power: BigInteger(privateExponent.span),
            modulo: BigInteger(modulus.span)
        )
        guard isDone else { return false }
        let signature = [UInt8](capacity: modulus.count) { (output: inout OutputSpan<UInt8>) in
            power.append(byteCount: modulus.count, to: &output)
        }
        return recover(signature) == message
    }
}

#endif
