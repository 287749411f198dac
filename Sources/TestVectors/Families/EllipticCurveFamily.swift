import EMVCrypto
import Profiles

/// `elliptic-curve-signatures`: ECSDSA signatures made and checked (EMV Book E, 8.8.7).
enum EllipticCurveFamily: VectorFamily {
    case signature(suite: UInt8, privateKey: [UInt8], message: [UInt8], nonce: [UInt8])
    case verification(suite: UInt8, publicX: [UInt8], message: [UInt8], signature: [UInt8])

    static let name = "elliptic-curve-signatures"

    private enum Kind: String, CaseIterable { case signature, verification }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let kind = try parameters.choice("of", of: Kind.self)
        let suite: UInt8 = try input.number("suite")
        let message = try input.hex("message")
        switch kind {
        case .signature:
            self = .signature(
                suite: suite,
                privateKey: try input.hex("privateKey"),
                message: message,
                nonce: try input.hex("nonce")
            )
        case .verification:
            self = .verification(
                suite: suite,
                publicX: try input.hex("publicX"),
                message: message,
                signature: try input.hex("signature")
            )
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .signature(let suite, let privateKey, let message, let nonce):
            let key = try ECPrivateKey(suite: SignatureSuite(rawValue: suite), scalar: privateKey)
            let signature = key.sign(message, nonce: nonce)
            return [
                "signature": .bytes(try signature.orRefused(as: "nonceOutOfRange")),
                "publicX": .bytes(key.publicX),
                "isFitForCertificates": .boolean(key.isFitForCertificates),
            ]
        case .verification(let suite, let publicX, let message, let signature):
            let key = try ECPublicKey(suite: SignatureSuite(rawValue: suite), x: publicX)
            guard key.isSignature(signature, of: message) else {
                throw CertificateError.wrongSignature
            }
            return [:]
        }
    }
}
