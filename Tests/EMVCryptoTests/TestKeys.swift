import EMVCrypto
import Octets
import TestSupport
import Testing

/// Published private keys and the certificates they made, by the names of the vectors.
enum TestKeys {
    static func numbers(_ id: String) throws -> RSAPrivateNumbers {
        let vector = try RSAPrivateKeyVector.all().first { $0.id == id }
        return try #require(vector).input.numbers
    }

    static func privateKey(_ id: String) throws -> RSAPrivateKey {
        try RSAPrivateKey(numbers(id))
    }

    static func publicKey(_ id: String) throws -> RSAPublicKey {
        let numbers = try numbers(id)
        return try RSAPublicKey(modulus: numbers.modulus, exponent: numbers.publicExponent)
    }

    /// A certification authority of the published key emvpt-key-CA.
    static func authority() throws -> CAPublicKey {
        let numbers = try numbers("emvpt-key-CA")
        return try CAPublicKey(
            rid: [0xAF, 0xFF, 0xFF, 0xFF, 0xFF],
            index: 0x92,
            modulus: numbers.modulus,
            exponent: numbers.publicExponent
        )
    }

    /// Signs any block with a key, as nobody should: to make certificates that are wrong in one thing.
    static func sign(_ block: [UInt8], with id: String) throws -> [UInt8] {
        var key = try privateKey(id)
        var isSigned = false
        let signature = [UInt8](capacity: block.count) { (output: inout OutputSpan<UInt8>) in
            isSigned = key.sign(block.span, into: &output)
        }
        try #require(isSigned)
        return signature
    }

    /// Signs header, contents, SHA-1 of contents and `appendix`, and trailer.
    static func sign(
        _ contents: [UInt8],
        appendix: [UInt8],
        header: UInt8 = 0x6A,
        trailer: UInt8 = 0xBC,
        with id: String
    ) throws -> [UInt8] {
        let hash = SHA1.digest(of: contents, appendix)
        return try sign([header] + contents + hash + [trailer], with: id)
    }
}
