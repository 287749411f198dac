import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var key: HexBytes?
    var block: HexBytes?
    var message: HexBytes?
    var issuerKey: HexBytes?
    var cardKey: HexBytes?
    var pan: String?
    var sequenceNumber: HexBytes?
    var counter: HexBytes?
}

private struct Expected: Decodable, Sendable {
    var block: HexBytes?
    var mac: HexBytes?
    var key: HexBytes?
    var cryptogram: HexBytes?
}

private func cases(_ file: String, of kind: String) throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Parameters, Input, Expected>.load(file).groups
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
    @Test("A block enciphers to the one published", arguments: try cases("aes", of: "block"))
    fileprivate func block(_ vector: VectorCase<Input, Expected>) throws {
        let key = try aesKey(vector.input.key)
        let block = try #require(vector.input.block).bytes
        let enciphered = key.encrypt(block)
        #expect(enciphered == vector.expected.block?.bytes)
        #expect(key.decrypt(enciphered) == block)
        #expect(key.encrypt(block + block) == enciphered + enciphered)
    }

    @Test("A message has the MAC published", arguments: try cases("aes", of: "mac"))
    fileprivate func mac(_ vector: VectorCase<Input, Expected>) throws {
        let key = try aesKey(vector.input.key)
        let message = try #require(vector.input.message).bytes
        #expect(key.cmac(of: message) == vector.expected.mac?.bytes)
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

@Suite("AES card and session keys (EMV Book 2, A1.3 and A1.4.3)")
struct AESKeyTests {
    @Test("Option C gives the card key", arguments: try cases("aes-keys", of: "cardKey"))
    fileprivate func cardKey(_ vector: VectorCase<Input, Expected>) throws {
        let issuerKey = try aesKey(vector.input.issuerKey)
        let key = try issuerKey.cardKey(
            pan: panDigits(vector.input.pan),
            sequenceNumber: #require(vector.input.sequenceNumber?.bytes.first)
        )
        #expect(key.exportedBytes == vector.expected.key?.bytes)
    }

    @Test("A counter gives the session key", arguments: try cases("aes-keys", of: "sessionKey"))
    fileprivate func sessionKey(_ vector: VectorCase<Input, Expected>) throws {
        let cardKey = try aesKey(vector.input.cardKey)
        let key = try cardKey.sessionKey(counter: UInt16(#require(vector.input.counter).number))
        #expect(key.exportedBytes == vector.expected.key?.bytes)
    }

    @Test("Data have the cryptogram", arguments: try cases("aes-keys", of: "cryptogram"))
    fileprivate func cryptogram(_ vector: VectorCase<Input, Expected>) throws {
        let key = try aesKey(vector.input.key)
        let cryptogram = try key.applicationCryptogram(over: #require(vector.input.message).bytes)
        #expect(cryptogram == vector.expected.cryptogram?.number)
    }
}
