import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var key: HexBytes?
    var pan: String
    var expiry: String?
    var serviceCode: String?
    var issuerKey: HexBytes?
    var option: String?
    var sequenceNumber: HexBytes?
    var counterDigits: String?
    var keyIndex: UInt8?
    var pin: String?
}

private struct Expected: Decodable, Sendable {
    var value: String?
    var codes: [String]?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("card-verification-values").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

/// The derivation that a vector's option names.
func derivation(_ option: String?) throws -> MasterKeyDerivation {
    switch try #require(option) {
    case "A": .optionA
    case "B": .optionB
    default: .optionBHashed
    }
}

@Suite("Card verification values")
struct CardVerificationValueTests {
    @Test(
        "A card has the value published",
        arguments: try cases(of: "value") + cases(of: "authenticationValue")
    )
    fileprivate func value(_ vector: Vector) throws {
        let expected = try panDigits(vector.expected.value)
        let value = try CardVerificationValue.value(
            pan: panDigits(vector.input.pan),
            expiry: panDigits(vector.input.expiry),
            serviceCode: panDigits(vector.input.serviceCode),
            digitCount: expected.count,
            key: DoubleLengthKey(#require(vector.input.key))
        )
        #expect(value == expected)
    }

    @Test("A tap has the value published", arguments: try cases(of: "dynamicValue"))
    fileprivate func dynamicValue(_ vector: Vector) throws {
        var cipher = try TripleDES(key: DoubleLengthKey(#require(vector.input.issuerKey)))
        let cardKey = try cipher.cardKey(
            pan: panDigits(vector.input.pan),
            sequenceNumber: #require(vector.input.sequenceNumber?.bytes.first),
            derivation: derivation(vector.input.option)
        )
        let value = try CardVerificationValue.dynamicValue(
            pan: panDigits(vector.input.pan),
            expiry: panDigits(vector.input.expiry),
            serviceCode: panDigits(vector.input.serviceCode),
            counterDigits: panDigits(vector.input.counterDigits),
            cardKey: cardKey
        )
        #expect(try value == panDigits(vector.expected.value))
    }

    @Test("A PIN has the value published", arguments: try cases(of: "pinVerificationValue"))
    fileprivate func pinVerificationValue(_ vector: Vector) throws {
        let value = try CardVerificationValue.pinVerificationValue(
            pin: panDigits(vector.input.pin),
            pan: panDigits(vector.input.pan),
            keyIndex: #require(vector.input.keyIndex),
            key: DoubleLengthKey(#require(vector.input.key))
        )
        #expect(try value == panDigits(vector.expected.value))
    }

    /// The captures did not take the card's data; see the flag in the file.
    @Test(
        "American Express codes are those of a zero block",
        arguments: try cases(of: "securityCode")
    )
    fileprivate func securityCode(_ vector: Vector) throws {
        var cipher = try TripleDES(key: DoubleLengthKey(#require(vector.input.key)))
        let nibbles = PackedDigits.nibbles(cipher.encrypt(0).bytes)
        let decimal = nibbles.filter { $0 <= 9 }.map(String.init).joined()
        let codes = try #require(vector.expected.codes).joined()
        #expect(codes.hasPrefix(decimal) && decimal.count == codes.count - 1)
        #expect(vector.flags == ["zeroBlock"])
    }

    @Test("Counts that do not fit have no value")
    func malformed() {
        let key = DoubleLengthKey(left: 1, right: 2)
        let pan = [UInt8](repeating: 4, count: 16)
        func value(_ pan: [UInt8], _ expiry: [UInt8], _ code: [UInt8], count: Int = 3) -> [UInt8]? {
            CardVerificationValue.value(
                pan: pan,
                expiry: expiry,
                serviceCode: code,
                digitCount: count,
                key: key
            )
        }
        #expect(value(pan, [2, 5, 1, 2], [2, 0, 1]) != nil)
        #expect(value([UInt8](pan.prefix(11)), [2, 5, 1, 2], [2, 0, 1]) == nil)
        #expect(value(pan + pan, [2, 5, 1, 2], [2, 0, 1]) == nil)
        #expect(value(pan, [2, 5, 1], [2, 0, 1]) == nil)
        #expect(value(pan, [2, 5, 1, 2], [2, 0]) == nil)
        #expect(value(pan, [2, 5, 1, 10], [2, 0, 1]) == nil)
        #expect(value(pan, [2, 5, 1, 2], [2, 0, 1], count: 0) == nil)
        #expect(value(pan, [2, 5, 1, 2], [2, 0, 1], count: 6) == nil)
        let dynamic = CardVerificationValue.dynamicValue(
            pan: pan,
            expiry: [2, 5, 1, 2],
            serviceCode: [2, 0, 1],
            counterDigits: [1, 2, 3],
            cardKey: key
        )
        #expect(dynamic == nil)
        let shortPIN = CardVerificationValue.pinVerificationValue(
            pin: [1, 2, 3],
            pan: pan,
            keyIndex: 1,
            key: key
        )
        #expect(shortPIN == nil)
    }
}

extension UInt64 {
    /// The number's bytes, most significant first.
    var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - $0 * 8)) }
    }
}
