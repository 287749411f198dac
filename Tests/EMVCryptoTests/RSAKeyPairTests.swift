import Octets
import TestSupport
import Testing

@testable import EMVCrypto

private struct Nothing: Decodable, Sendable {}

private struct Input: Decodable, Sendable {
    var modulus: HexBytes
    var publicExponent: HexBytes
    var privateExponent: HexBytes
}

private func cases() throws -> [VectorCase<Input, Nothing>] {
    try VectorFile<Nothing, Input, Nothing>.load("rsa-key-pairs").groups.flatMap(\.cases)
}

@Suite("RSA key pairs without primes")
struct RSAKeyPairTests {
    @Test("A number raised to both exponents is itself", arguments: try cases())
    fileprivate func pair(_ vector: VectorCase<Input, Nothing>) throws {
        let modulus = vector.input.modulus.bytes
        let key = try RSAPublicKey(
            modulus: modulus,
            exponent: vector.input.publicExponent.bytes
        )
        let message = [0x6A] + [UInt8](repeating: 0xBB, count: modulus.count - 2) + [0xBC]
        let power = BigInteger()
        let isDone = power.set(
            BigInteger(message.span),
            power: BigInteger(vector.input.privateExponent.bytes.span),
            modulo: BigInteger(modulus.span)
        )
        #expect(isDone)
        let signature = [UInt8](capacity: modulus.count) { (output: inout OutputSpan<UInt8>) in
            power.append(byteCount: modulus.count, to: &output)
        }
        #expect(key.recover(signature) == message)
    }
}
