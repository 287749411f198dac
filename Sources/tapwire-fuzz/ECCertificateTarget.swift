import EMVCrypto
import EMVData
import Foundation
import Octets
import Synchronization

/// Verifies elliptic curve certificates whose contents are invented but rightly signed, and opens sealed messages.
///
/// The first byte says who is certified, on which curve, and whether the contents are signed at all.
func fuzzECCertificate(_ bytes: [UInt8]) {
    var input = InputReader(bytes)
    let options = input.byte()
    let contents = input.rest()
    let isIssuer = options & 0x01 == 0
    let key = options & 0x02 == 0 ? ECTestKey.p256 : ECTestKey.p521
    let certificate = options & 0x04 == 0 ? key.sign(contents) : contents
    if options & 0x08 != 0 {
        openSealed(contents)
    } else if isIssuer {
        // The authority is whichever the certificate names.
        let authority = ECAuthorityKey(
            rid: Array((contents + [UInt8](repeating: 0, count: 20))[15..<20]),
            index: contents.count > 20 ? contents[20] : 0,
            key: key.publicKey
        )
        guard let issuer = try? ECIssuerCertificate.verify(certificate, authority: authority)
        else { return }
        precondition(3...10 ~= issuer.issuerIdentifier.count)
        precondition(issuer.issuerIdentifier.allSatisfy { $0 <= 9 })
        precondition(issuer.key.point.count == 2 * issuer.key.x.count)
        check(issuer.expiry)
        guard (try? issuer.checkIssuer(ofPAN: issuer.issuerIdentifier + [0])) != nil else {
            preconditionFailure("an issuer that does not know its own account")
        }
        precondition(contents.starts(with: [0x12, 0x00]))
    } else {
        guard let card = try? ECCardCertificate.verify(certificate, issuerKey: key.publicKey)
        else { return }
        precondition(card.serialNumber.count == 6 && card.staticDataHash.count == 32)
        precondition(card.key.suite == .p256 && card.key.point.count == 64)
        check(card.expiry)
        _ = BlindedDiffieHellman.isBlinded(card.key.x, of: card.key, factor: card.staticDataHash)
    }
}

private func check(_ expiry: ECCertificateExpiry) {
    precondition(1...12 ~= expiry.month && 1...31 ~= expiry.day)
    precondition(0..<24 ~= expiry.hour && 0..<60 ~= expiry.minute)
    guard let date = TransactionDate(year: 2026, month: 11, day: 30) else { return }
    let isLater = (expiry.year, expiry.month, expiry.day) > (2026, 11, 30)
    precondition(!isLater || !expiry.hasPassed(on: date))
}

/// What one side sealed the other opens; anything else it does not.
private func openSealed(_ message: [UInt8]) {
    func channel() -> SecureChannel {
        SecureChannel(keys: BlindedDiffieHellman.sessionKeys(secret: [0x5A]))
    }
    var card = channel()
    var reader = channel()
    guard let sealed = card.seal(message) else { return }
    precondition(reader.open(sealed) == message)
    var stranger = channel()
    precondition(stranger.open(message) == nil, "a MAC that nobody made")
}

/// A published private key with which invented certificates are signed.
final class ECTestKey: Sendable {
    /// Of EMV Book E's examples, on P-256.
    static let p256 = ECTestKey(reading: "book-e-256-issuer")
    /// Of EMV Book E's examples, on P-521.
    static let p521 = ECTestKey(reading: "book-e-521-issuer")

    let publicKey: ECPublicKey
    private let key: Mutex<ECPrivateKey>
    private let nonce: [UInt8]

    private init(reading name: String) {
        do {
            let input = try Vectors.inputs(
                "elliptic-curve-signatures",
                as: [String: String].self
            )[name, default: [:]]
            func bytes(_ name: String) throws -> [UInt8] { try [UInt8](hex: input[name] ?? "") }
            let suite = try SignatureSuite(rawValue: bytes("suite").first ?? 0)
            let key = try ECPrivateKey(suite: suite, scalar: bytes("privateKey"))
            publicKey = try ECPublicKey(suite: suite, x: key.publicX)
            nonce = try bytes("nonce")
            self.key = Mutex(key)
        } catch {
            fatalError("Vectors/elliptic-curve-signatures.json: \(error)")
        }
    }

    /// The contents with their signature behind them.
    ///
    /// Every message gets the same nonce, which gives the key away; it is published anyway.
    func sign(_ contents: [UInt8]) -> [UInt8] {
        contents + (key.withLock { $0.sign(contents, nonce: nonce) } ?? [])
    }
}
