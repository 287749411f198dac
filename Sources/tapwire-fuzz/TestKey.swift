import EMVCrypto
import Foundation
import Octets
import Synchronization

/// A published private key with which invented certificates are signed.
final class TestKey: Sendable {
    static let shared: TestKey = {
        do { return try TestKey() } catch { fatalError("Vectors/rsa-private-keys.json: \(error)") }
    }()

    /// The same key as an authority's.
    let authority: CAPublicKey
    private let key: Mutex<RSAPrivateKey>

    private init() throws {
        let input = try Vectors.inputs("rsa-private-keys", as: [String: String].self)[
            "emvpt-key-ICC"
        ]
        guard let input else { throw CertificateError.inconsistentPrivateKey }
        func bytes(_ name: String) throws -> [UInt8] { try [UInt8](hex: input[name] ?? "") }
        let numbers = RSAPrivateNumbers(
            modulus: try bytes("modulus"),
            publicExponent: try bytes("publicExponent"),
            privateExponent: try bytes("privateExponent"),
            prime1: try bytes("prime1"),
            prime2: try bytes("prime2"),
            exponent1: try bytes("exponent1"),
            exponent2: try bytes("exponent2"),
            coefficient: try bytes("coefficient")
        )
        authority = try CAPublicKey(
            rid: [0xA0, 0, 0, 0, 3],
            index: 1,
            modulus: numbers.modulus,
            exponent: numbers.publicExponent
        )
        key = Mutex(try RSAPrivateKey(numbers))
    }

    /// Signs contents, cut or filled up to the length of the key, and their hash with `appendix`.
    func sign(_ contents: [UInt8], hashing appendix: [UInt8]) -> [UInt8] {
        let room = authority.modulus.count - 22
        let padding = [UInt8](repeating: 0xBB, count: max(0, room - contents.count))
        let whole = contents.prefix(room) + padding
        let block = [0x6A] + whole + SHA1.digest(of: [UInt8](whole), appendix) + [0xBC]
        return [UInt8](capacity: block.count) { (output: inout OutputSpan<UInt8>) in
            let isSigned = key.withLock { $0.sign(block.span, into: &output) }
            precondition(isSigned)
        }
    }
}
