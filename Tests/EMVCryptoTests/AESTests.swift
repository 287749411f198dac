import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var key: HexBytes?
    var block: HexBytes?
    var message: HexBytes?
}

private struct Expected: Decodable, Sendable {
    var block: HexBytes?
    var mac: HexBytes?
}

private func cases(of kind: String) throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Parameters, Input, Expected>.load("aes").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

/// Reads an AES key of a vector.
func aesKey(_ bytes: HexBytes?) throws -> AESKey {
    let bytes = try #require(bytes?.bytes)
    guard let key = AESKey(bytes.span) else { throw VectorFault.noKey }
    return key
}

/// Why a vector cannot be run.
enum VectorFault: Error { case noKey }

@Suite("AES")
struct AESTests {
    @Test("A block comes back, and blocks do not hang together", arguments: try cases(of: "block"))
    fileprivate func block(_ vector: VectorCase<Input, Expected>) throws {
        let key = try aesKey(vector.input.key)
        let block = try #require(vector.input.block).bytes
        let enciphered = key.encrypt(block)
        #expect(key.decrypt(enciphered) == block)
        #expect(key.encrypt(block + block) == enciphered + enciphered)
    }

    @Test("A changed message has another MAC", arguments: try cases(of: "mac"))
    fileprivate func mac(_ vector: VectorCase<Input, Expected>) throws {
        let key = try aesKey(vector.input.key)
        let message = try #require(vector.input.message).bytes
        for index in message.indices {
            var changed = message
            changed[index] ^= 0x10
            #expect(key.cmac(of: changed) != vector.expected.mac?.bytes)
        }
    }

    @Test("Only 16, 24 and 32 bytes are a key", arguments: 0...40)
    func keyLengths(count: Int) {
        let isKey = AESKey([UInt8](repeating: 1, count: count).span) != nil
        #expect(isKey == [16, 24, 32].contains(count))
    }

    @Test("Check values are the first bytes of a zero block, or of its MAC")
    func checkValues() throws {
        // Python's cryptography 50 computed both.
        let bytes = try [UInt8](hex: "0123456789ABCDEFFEDCBA9876543210")
        guard let key = AESKey(bytes.span) else { throw VectorFault.noKey }
        #expect(key.checkValue(.zeroBlock).hex == "D5C825")
        #expect(key.checkValue().hex == "2090A6")
        #expect(key.exportedBytes.hex == "0123456789ABCDEFFEDCBA9876543210")
    }
}
