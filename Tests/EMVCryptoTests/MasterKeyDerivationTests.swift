import Octets
import TestSupport
import Testing

@testable import EMVCrypto

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var option: String?
    var issuerKey: HexBytes?
    var pan: String?
    var sequenceNumber: HexBytes?
    var hash: HexBytes?
}

private struct Expected: Decodable, Sendable {
    var key: HexBytes?
    var checkValue: String?
    var digits: String?
}

private func cases(of kind: String) throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Parameters, Input, Expected>.load("master-keys").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

@Suite("Card keys from issuer keys (EMV Book 2, A1.4)")
struct MasterKeyDerivationTests {
    @Test("A card has the key published", arguments: try cases(of: "key"))
    fileprivate func key(_ vector: VectorCase<Input, Expected>) throws {
        let issuerKey = try #require(vector.input.issuerKey)
        var cipher = TripleDES(key: DoubleLengthKey(issuerKey))
        let key = try cipher.cardKey(
            pan: panDigits(vector.input.pan),
            sequenceNumber: #require(vector.input.sequenceNumber?.bytes.first),
            derivation: vector.input.option == "A" ? .optionA : .optionB
        )
        if let expected = vector.expected.key {
            let isEqual = key.isEqual(to: DoubleLengthKey(expected))
            #expect(isEqual)
        }
        if let prefix = vector.expected.checkValue {
            #expect(key.checkValue(byteCount: 8).hex.hasPrefix(prefix))
        }
    }

    @Test("A long PAN has the digits published", arguments: try cases(of: "digits"))
    fileprivate func digits(_ vector: VectorCase<Input, Expected>) throws {
        let digits = try MasterKeyDerivation.optionB.diversifier(
            pan: panDigits(vector.input.pan),
            sequenceNumber: #require(vector.input.sequenceNumber?.bytes.first)
        )
        #expect(digits.hex == vector.expected.digits)
    }

    @Test("A hash has the digits published", arguments: try cases(of: "decimalization"))
    fileprivate func decimalization(_ vector: VectorCase<Input, Expected>) throws {
        let digits = try MasterKeyDerivation.decimalized(#require(vector.input.hash).bytes)
        #expect(digits.hex == vector.expected.digits)
    }

    /// A1.4.1: the rightmost sixteen digits of PAN and sequence number, zeros on the left when fewer.
    @Test(
        "Option A takes the rightmost sixteen digits",
        arguments: [
            ("123456789012", "0012345678901245"),
            ("1234567890123", "0123456789012345"),
            ("12345678901234", "1234567890123445"),
            ("1234567890123456", "3456789012345645"),
            ("12345678901234567", "4567890123456745"),
            ("1234567890123456789", "6789012345678945"),
        ]
    )
    func optionA(pan: String, expected: String) throws {
        let digits = try #require(PackedDigits.digits(of: pan))
        let diversifier = MasterKeyDerivation.optionA.diversifier(pan: digits, sequenceNumber: 0x45)
        #expect(diversifier.hex == expected)
        let isLong = digits.count > 16
        let other = MasterKeyDerivation.optionB.diversifier(pan: digits, sequenceNumber: 0x45)
        #expect((other == diversifier) == !isLong, "up to sixteen digits both options are alike")
    }
}
