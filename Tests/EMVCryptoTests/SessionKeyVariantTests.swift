import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var method: String? }

private struct Input: Decodable, Sendable {
    var cardKey: HexBytes
    var counter: HexBytes?
    var cryptogram: HexBytes?
    var commandNumber: UInt64?
    var height: Int?
    var initialVector: HexBytes?
}

private struct Expected: Decodable, Sendable {
    var key: HexBytes?
    var keyWithoutParity: HexBytes?
    var checkValue: String?
}

private func cases(
    _ file: String,
    method: String? = nil
) throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Parameters, Input, Expected>.load(file).groups
        .filter { $0.parameters.method == method }.flatMap(\.cases)
}

private struct CardKeyInput: Decodable, Sendable {
    var option: String?
    var issuerKey: HexBytes?
    var pan: String?
    var sequenceNumber: HexBytes?
}

private struct OfKind: Decodable { var of: String }

private func unadjustedKeys() throws -> [VectorCase<CardKeyInput, Expected>] {
    try VectorFile<OfKind, CardKeyInput, Expected>.load("master-keys").groups
        .filter { $0.parameters.of == "keyWithoutParity" }.flatMap(\.cases)
}

@Suite("Session keys of schemes")
struct SessionKeyVariantTests {
    @Test(
        "Visa's secure messaging key",
        arguments: try cases("secure-messaging-keys", method: "visa")
    )
    fileprivate func visa(_ vector: VectorCase<Input, Expected>) throws {
        let cardKey = DoubleLengthKey(vector.input.cardKey)
        let counter = try UInt16(#require(vector.input.counter).number)
        let key = cardKey.visaSecureMessagingKey(counter: counter)
        let plain = cardKey.visaSecureMessagingKey(counter: counter, adjustsParity: false)
        if let expected = vector.expected.keyWithoutParity {
            #expect(plain.exportedBytes == expected.bytes)
            #expect(key.exportedBytes == vector.expected.key?.bytes)
        } else {
            let keys = [key.exportedBytes, plain.exportedBytes]
            #expect(try keys.contains(#require(vector.expected.key).bytes))
        }
        #expect(key.checkValue == plain.checkValue, "DES does not look at parity")
        if let prefix = vector.expected.checkValue { #expect(key.checkValue.hex.hasPrefix(prefix)) }
    }

    @Test(
        "Mastercard's secure messaging key of each command",
        arguments: try cases("secure-messaging-keys", method: "mastercard")
    )
    fileprivate func mastercard(_ vector: VectorCase<Input, Expected>) throws {
        var cipher = TripleDES(key: DoubleLengthKey(vector.input.cardKey))
        let key = try cipher.mastercardSecureMessagingKey(
            cryptogram: #require(vector.input.cryptogram).number,
            commandNumber: #require(vector.input.commandNumber),
            adjustsParity: false
        )
        #expect(key.exportedBytes == vector.expected.key?.bytes)
        let adjusted = try cipher.mastercardSecureMessagingKey(
            cryptogram: #require(vector.input.cryptogram).number,
            commandNumber: #require(vector.input.commandNumber)
        )
        #expect(adjusted.exportedBytes == key.withOddParity().exportedBytes)
    }

    @Test("The tree of EMV 2000", arguments: try cases("emv2000-session-keys"))
    fileprivate func tree(_ vector: VectorCase<Input, Expected>) throws {
        let initialVector = try #require(vector.input.initialVector).bytes
        let key = try DoubleLengthKey(vector.input.cardKey).emv2000SessionKey(
            counter: UInt16(#require(vector.input.counter).number),
            tree: vector.input.height == 16 ? .height16 : .height8,
            initialLeft: UInt64(bigEndian: initialVector.span, at: 0),
            initialRight: UInt64(bigEndian: initialVector.span, at: 8)
        )
        #expect(key.exportedBytes == vector.expected.key?.bytes)
    }

    @Test("A card key without parity is the one published", arguments: try unadjustedKeys())
    fileprivate func unadjusted(_ vector: VectorCase<CardKeyInput, Expected>) throws {
        var cipher = try TripleDES(key: DoubleLengthKey(#require(vector.input.issuerKey)))
        let key = try cipher.cardKey(
            pan: panDigits(vector.input.pan),
            sequenceNumber: #require(vector.input.sequenceNumber?.bytes.first),
            derivation: derivation(vector.input.option),
            adjustsParity: false
        )
        #expect(key.exportedBytes == vector.expected.key?.bytes)
        #expect(key.withOddParity().checkValue == key.checkValue)
    }

    @Test("PBOC's key is the counter and its complement enciphered")
    func pboc() {
        // pyca/cryptography's triple DES enciphered both blocks.
        let cardKey = DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0xFEDC_BA98_7654_3210)
        var cipher = TripleDES(key: cardKey)
        let key = cipher.pbocSessionKey(counter: 0x001C)
        #expect(key.exportedBytes.hex == "CBA00DD0CC8B945C762356EE0DAC0838")
    }
}
