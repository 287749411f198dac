import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var cardKey: HexBytes?
    var index: String?
    var limitedUseKey: HexBytes?
    var counter: HexBytes?
    var deviceType: HexBytes?
    var message: HexBytes?
}

private struct Expected: Decodable, Sendable {
    var key: HexBytes?
    var value: String?
    var cryptogram: HexBytes?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("limited-use-keys").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

@Suite("Visa limited use keys")
struct LimitedUseKeyTests {
    @Test("An index has the key published", arguments: try cases(of: "key"))
    fileprivate func key(_ vector: Vector) throws {
        let digits = vector.input.index.flatMap { PackedDigits.digits(of: $0) }
        let index = digits.flatMap { LimitedUseKeyIndex(digits: $0) }
        #expect((index != nil) == vector.isValid)
        guard let index else { return }
        var cipher = try TripleDES(key: DoubleLengthKey(#require(vector.input.cardKey)))
        let key = cipher.limitedUseKey(index)
        #expect(key.exportedBytes == vector.expected.key?.bytes)
    }

    @Test("A tap has the digits published", arguments: try cases(of: "magneticStripeValue"))
    fileprivate func magneticStripeValue(_ vector: Vector) throws {
        var cipher = try TripleDES(key: DoubleLengthKey(#require(vector.input.limitedUseKey)))
        let value = try cipher.magneticStripeVerificationValue(
            counter: UInt16(#require(vector.input.counter).number),
            deviceType: #require(vector.input.deviceType).number
        )
        #expect(try value == panDigits(vector.expected.value))
    }

    @Test("A tap has the cryptogram published", arguments: try cases(of: "cryptogram"))
    fileprivate func cryptogram(_ vector: Vector) throws {
        var mac = try RetailMAC(key: DoubleLengthKey(#require(vector.input.limitedUseKey)))
        let message = try #require(vector.input.message).bytes
        #expect(mac.mac(of: message.span, padding: .marked) == vector.expected.cryptogram?.number)
    }

    @Test("A time is an index")
    func times() {
        let index = LimitedUseKeyIndex(year: 2026, hour: 6431, counter: 1)
        #expect(index?.digits == [6, 6, 4, 3, 1, 0, 1])
        let long = LimitedUseKeyIndex(year: 2026, hour: 6431, counter: 1, yearForm: .twoDigits)
        #expect(long?.digits == [2, 6, 6, 4, 3, 1, 0, 1])
        #expect(LimitedUseKeyIndex(year: 2026, hour: 0, counter: 0) == nil)
        #expect(LimitedUseKeyIndex(year: 2026, hour: 8785, counter: 0) == nil)
        #expect(LimitedUseKeyIndex(year: 2026, hour: 1, counter: 100) == nil)
        #expect(LimitedUseKeyIndex(year: -1, hour: 1, counter: 0) == nil)
        #expect(
            LimitedUseKeyIndex(year: 2024, hour: 8784, counter: 99)?.digits == [
                4, 8, 7, 8, 4, 9, 9,
            ]
        )
    }

    @Test("Issuer Application Data carry an index in four bytes")
    func derivationData() {
        #expect(
            LimitedUseKeyIndex(derivationData: [0x04, 0x30, 0x00, 0x01])?.digits == [
                4, 3, 0, 0, 0, 0, 1,
            ]
        )
        #expect(LimitedUseKeyIndex(derivationData: [0x14, 0x30, 0x00, 0x01]) == nil)
        #expect(LimitedUseKeyIndex(derivationData: [0x04, 0x3A, 0x00, 0x01]) == nil)
        for count in [0, 1, 2, 3, 5] {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(LimitedUseKeyIndex(derivationData: bytes) == nil)
        }
    }
}
