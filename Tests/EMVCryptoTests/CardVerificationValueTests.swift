import EMVCrypto
import Octets
import TestSupport
import Testing

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
