#if !hasFeature(Embedded)
import Octets

/// An elliptic curve public key as certificates carry it: the x coordinate of the point whose y is the smaller.
public struct ECPublicKey: Hashable, Sendable {
    /// Curve and hash of the signatures the key checks.
    public let suite: SignatureSuite
    /// The x coordinate.
    public let x: [UInt8]
    /// Both coordinates one after another.
    public let point: [UInt8]

    /// Finds the point.
    /// - Throws: `CertificateError.unknownKeyAlgorithm` or `.notOnCurve`.
    public init(suite: SignatureSuite, x: [UInt8]) throws(CertificateError) {
        guard let curve = EllipticCurve(suite) else { throw .unknownKeyAlgorithm(suite.rawValue) }
        guard x.count == curve.fieldByteCount, let point = curve.point(x: x) else {
            throw .notOnCurve
        }
        self.suite = suite
        self.x = x
        self.point = point
    }

    /// Checks an ECSDSA signature (Book E, 8.8.7): only the x coordinate of the commitment is hashed.
    public func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        check(signature, of: message).map { $0.hash == $0.computedHash } ?? false
    }

    /// What is computed to check an ECSDSA signature (Book E, 8.8.7).
    public struct SignatureCheck: Hashable, Sendable {
        /// The first part of the signature.
        public let hash: [UInt8]
        /// The second part, a number below the curve's order.
        public let response: [UInt8]
        /// The x coordinate of the generator times the response, less the key times the hash.
        public let commitment: [UInt8]
        /// The hash over the commitment and the message, which must be the signature's.
        public let computedHash: [UInt8]
    }

    /// Computes what shows whether a signature is this key's; nil when it has another length or is out of range.
    public func check(_ signature: [UInt8], of message: [UInt8]) -> SignatureCheck? {
        guard let parameters = suite.parameters, let curve = EllipticCurve(suite),
            signature.count == parameters.hashByteCount + parameters.fieldByteCount
        else { return nil }
        let hash = [UInt8](signature.prefix(parameters.hashByteCount))
        let response = [UInt8](signature.suffix(parameters.fieldByteCount))
        guard curve.isScalar(response),
            let commitment = curve.generator(times: response, less: point, times: hash)
        else { return nil }
        let x = [UInt8](commitment.prefix(parameters.fieldByteCount))
        return SignatureCheck(
            hash: hash,
            response: response,
            commitment: x,
            computedHash: SHA2.digest(byteCount: parameters.hashByteCount, of: x, message)
        )
    }
}

/// An elliptic curve private key, cleansed when its owner lets go of it.
public struct ECPrivateKey: ~Copyable {
    /// Curve and hash of the signatures the key makes.
    public let suite: SignatureSuite
    private let curve: EllipticCurve
    private let scalar: BigInteger
    /// The public point, both coordinates one after another.
    public let point: [UInt8]

    /// Takes up a key.
    /// - Parameters:
    ///   - suite: Curve and hash.
    ///   - scalar: The private number, as many bytes as a coordinate has.
    /// - Throws: `CertificateError.unknownKeyAlgorithm`, or `.inconsistentPrivateKey` for a number out of range.
    public init(suite: SignatureSuite, scalar: [UInt8]) throws(CertificateError) {
        guard let curve = EllipticCurve(suite) else { throw .unknownKeyAlgorithm(suite.rawValue) }
        guard scalar.count == curve.fieldByteCount, curve.isScalar(scalar),
            let point = curve.generator(times: scalar)
        else { throw .inconsistentPrivateKey }
        self.suite = suite
        self.point = point
        self.scalar = BigInteger(scalar.span)
        self.curve = curve
    }

    /// The x coordinate of the public point.
    public var publicX: [UInt8] { [UInt8](point.prefix(curve.fieldByteCount)) }

    /// Whether certificates can carry the public key: its y is the smaller one (Book E, 8.8.5).
    ///
    /// Half of all numbers are not fit; whoever makes a key draws until one is.
    public var isFitForCertificates: Bool { curve.point(x: publicX) == point }

    /// Makes an ECSDSA signature (Book E, 8.8.7).
    /// - Parameters:
    ///   - message: What is signed.
    ///   - nonce: A random number that is never used again: who learns it learns the key.
    /// - Returns: Hash and response one after another; nil for a nonce out of range.
    public func sign(_ message: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard let parameters = suite.parameters, curve.isScalar(nonce),
            let commitment = curve.generator(times: nonce)
        else { return nil }
        let x = [UInt8](commitment.prefix(parameters.fieldByteCount))
        let hash = SHA2.digest(byteCount: parameters.hashByteCount, of: x, message)
        return curve.sum(nonce, hash, times: scalar).map { hash + $0 }
    }

    /// Multiplies a point with the private number; nil when it is not on the curve.
    func times(_ other: [UInt8]) -> [UInt8]? { curve.point(other, times: scalar) }
}

#endif
