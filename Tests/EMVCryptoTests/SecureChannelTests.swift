import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var cardKey: HexBytes?
    var kernelKey: HexBytes?
    var blindingFactor: HexBytes?
    var confidentialityKey: HexBytes?
    var integrityKey: HexBytes?
    var message: HexBytes?
    var cryptogram: HexBytes?
    var messagesBefore: Int?
}

private struct Expected: Decodable, Sendable {
    var kernelKeyData: HexBytes?
    var cardX: HexBytes?
    var secret: HexBytes?
    var confidentialityKey: HexBytes?
    var integrityKey: HexBytes?
    var cardKeyData: HexBytes?
    var cmac: HexBytes?
    var cmacPlus: HexBytes?
    var enhancedMAC: HexBytes?
    var sealed: HexBytes?
    var receipt: HexBytes?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("secure-channel").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

private func channel(confidentiality: HexBytes?, integrity: HexBytes?) throws -> SecureChannel {
    let keys = try SecureChannelKeys(
        confidentiality: aesKey(confidentiality ?? integrity),
        integrity: aesKey(integrity)
    )
    return SecureChannel(keys: keys)
}

@Suite("Secure channel of kernel 8 (Book E, 7 and 8)")
struct SecureChannelTests {
    @Test("Card and kernel agree on the keys expected", arguments: try cases(of: "keyAgreement"))
    fileprivate func keyAgreement(_ vector: Vector) throws {
        let cardKey = try ECPrivateKey(suite: .p256, scalar: #require(vector.input.cardKey).bytes)
        let kernelKey = try ECPrivateKey(
            suite: .p256,
            scalar: #require(vector.input.kernelKey).bytes
        )
        let factor = try #require(vector.input.blindingFactor).bytes
        #expect(kernelKey.point == vector.expected.kernelKeyData?.bytes)
        #expect(cardKey.publicX == vector.expected.cardX?.bytes)
        let blinded = try #require(BlindedDiffieHellman.blind(cardKey.point, factor: factor))
        let blindedX = [UInt8](blinded.prefix(32))

        let secret = BlindedDiffieHellman.kernelSecret(kernelKey: kernelKey, blindedX: blindedX)
        #expect(secret == vector.expected.secret?.bytes)
        let cardSecret = BlindedDiffieHellman.cardSecret(
            cardKey: cardKey,
            factor: factor,
            kernelPoint: kernelKey.point
        )
        #expect(cardSecret == secret)

        let keys = try BlindedDiffieHellman.sessionKeys(secret: #require(secret))
        #expect(keys.confidentiality.exportedBytes == vector.expected.confidentialityKey?.bytes)
        #expect(keys.integrity.exportedBytes == vector.expected.integrityKey?.bytes)
        var channel = SecureChannel(keys: keys)
        let ciphertext = channel.crypt(factor, from: .card)
        let enciphered = try #require(ciphertext)
        #expect(blindedX + enciphered == vector.expected.cardKeyData?.bytes)

        let publicKey = try ECPublicKey(suite: .p256, x: cardKey.publicX)
        #expect(BlindedDiffieHellman.isBlinded(blindedX, of: publicKey, factor: factor))
        var other = factor
        other[31] ^= 1
        #expect(!BlindedDiffieHellman.isBlinded(blindedX, of: publicKey, factor: other))
    }

    @Test("What is no point or no factor has no secret")
    func malformed() throws {
        let key = try ECPrivateKey(suite: .p256, scalar: [UInt8](repeating: 7, count: 32))
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(BlindedDiffieHellman.blind(key.point, factor: zero) == nil)
        #expect(BlindedDiffieHellman.blind(zero + zero, factor: [1]) == nil)
        #expect(BlindedDiffieHellman.blind([], factor: [1]) == nil)
        for count in [0, 31, 33, 64] {
            let x = [UInt8](repeating: 5, count: count)
            #expect(BlindedDiffieHellman.kernelSecret(kernelKey: key, blindedX: x) == nil)
        }
        let secret = BlindedDiffieHellman.cardSecret(
            cardKey: key,
            factor: [2],
            kernelPoint: [UInt8](repeating: 1, count: 64)
        )
        #expect(secret == nil)
    }

    @Test("MACs are those expected", arguments: try cases(of: "mac"))
    fileprivate func mac(_ vector: Vector) throws {
        let key = try aesKey(vector.input.integrityKey)
        let message = try #require(vector.input.message).bytes
        #expect(key.cmac(of: message) == vector.expected.cmac?.bytes)
        let whole = key.cmacPlus(of: message)
        #expect(whole == vector.expected.cmacPlus?.bytes)

        let channel = try channel(confidentiality: nil, integrity: vector.input.integrityKey)
        // The message is two zero bytes and 40 others, whichever objects they come from.
        let body = [UInt8](message.dropFirst(2))
        let issuerMAC = channel.issuerApplicationDataMAC(
            processingOptionsData: [UInt8](body[0..<4]),
            cryptogramData: [UInt8](body[4..<10]),
            relayResistanceData: [],
            response: [UInt8](body[10..<12]),
            staticDataHash: [UInt8](body[12...])
        )
        #expect(issuerMAC == [UInt8](whole.prefix(8)))
        let enhanced = try channel.enhancedDataAuthenticationMAC(
            cryptogram: #require(vector.input.cryptogram).number,
            issuerApplicationDataMAC: issuerMAC
        )
        #expect(enhanced == vector.expected.enhancedMAC?.bytes)
    }

    @Test("Data are sealed as expected, and opened", arguments: try cases(of: "data"))
    fileprivate func sealed(_ vector: Vector) throws {
        func fresh() throws -> SecureChannel {
            var channel = try channel(
                confidentiality: vector.input.confidentialityKey,
                integrity: vector.input.integrityKey
            )
            for _ in 0..<(vector.input.messagesBefore ?? 0) { _ = channel.crypt([], from: .card) }
            return channel
        }
        let message = try #require(vector.input.message).bytes
        var sender = try fresh()
        let answer = sender.seal(message)
        let sealed = try #require(answer)
        #expect(sealed == vector.expected.sealed?.bytes)
        var receiver = try fresh()
        #expect(receiver.open(sealed) == message)
        #expect(receiver.open(sealed) == nil, "the counter has gone on")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x01
            var other = try fresh()
            #expect(other.open(changed) == nil)
        }
        for count in 0..<sealed.count {
            var other = try fresh()
            #expect(other.open([UInt8](sealed.prefix(count))) == nil)
        }
        var writer = try fresh()
        #expect(writer.receipt(for: message) == vector.expected.receipt?.bytes)
    }

    @Test("A channel ends with its counters")
    func exhaustion() throws {
        let key = try #require(cases(of: "mac").first).input.integrityKey
        var channel = try channel(confidentiality: key, integrity: key)
        for _ in 1..<0x8000 { _ = channel.crypt([], from: .kernel) }
        #expect(channel.crypt([], from: .kernel) != nil, "7FFF is the kernel's last")
        #expect(channel.crypt([], from: .kernel) == nil)
        #expect(channel.crypt([], from: .card) != nil, "the card has its own")
        for _ in 2..<0x8000 { _ = channel.crypt([], from: .card) }
        #expect(channel.crypt([], from: .card) != nil, "FFFF is the card's last")
        #expect(channel.seal([]) == nil)
        #expect(channel.receipt(for: []) == nil)
    }

    @Test("An IAD-MAC goes where the card says, if there is room", arguments: -1...26)
    func insertion(offset: Int) {
        let issuerData = [UInt8](repeating: 0x11, count: 32)
        let mac = [UInt8](repeating: 0x22, count: 8)
        let result = SecureChannel.inserting(mac, into: issuerData, at: offset)
        #expect((result != nil) == (0...24 ~= offset))
        guard let result else { return }
        #expect(result.count == 32)
        #expect([UInt8](result[offset..<offset + 8]) == mac)
        #expect(result.filter { $0 == 0x11 }.count == 24)
    }
}
