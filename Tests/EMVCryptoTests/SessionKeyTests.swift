import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable {}

private struct Input: Decodable, Sendable {
    var cardKey: HexBytes
    var diversifier: HexBytes
}

private struct Expected: Decodable, Sendable {
    var key: HexBytes?
    var checkValue: String?
}

private func cases() throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Parameters, Input, Expected>.load("session-keys").groups.flatMap(\.cases)
}

@Suite("Session keys (EMV Book 2, A1.3)")
struct SessionKeyTests {
    @Test("A diversifier has the session key published", arguments: try cases())
    fileprivate func common(_ vector: VectorCase<Input, Expected>) {
        var cipher = TripleDES(key: DoubleLengthKey(vector.input.cardKey))
        let key = cipher.commonSessionKey(diversifier: vector.input.diversifier.number)
        if let expected = vector.expected.key {
            let isEqual = key.isEqual(to: DoubleLengthKey(expected))
            #expect(isEqual)
        }
        if let prefix = vector.expected.checkValue {
            #expect(key.checkValue(byteCount: 8).hex.hasPrefix(prefix))
        }
    }

    @Test("The third byte of a diversifier does not count")
    func thirdByte() {
        var cipher = TripleDES(key: DoubleLengthKey(left: 1, right: 2))
        let plain = cipher.commonSessionKey(diversifier: 0x1234_0078_9ABC_DEF0)
        let other = cipher.commonSessionKey(diversifier: 0x1234_FF78_9ABC_DEF0)
        let isEqual = plain.isEqual(to: other)
        #expect(isEqual)
    }

    @Test("Keys differ when either half does", arguments: [0, 7, 63])
    func equality(bit: Int) {
        let key = DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0xFEDC_BA98_7654_3210)
        let same = DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0xFEDC_BA98_7654_3210)
        let left = DoubleLengthKey(
            left: 0x0123_4567_89AB_CDEF ^ 1 << bit,
            right: 0xFEDC_BA98_7654_3210
        )
        let right = DoubleLengthKey(
            left: 0x0123_4567_89AB_CDEF,
            right: 0xFEDC_BA98_7654_3210 ^ 1 << bit
        )
        let results = (key.isEqual(to: same), key.isEqual(to: left), key.isEqual(to: right))
        #expect(results == (true, false, false))
    }

    @Test("Only sixteen bytes are a key", arguments: 0...33)
    func keyLengths(count: Int) {
        let bytes = [UInt8](repeating: 0x11, count: count)
        let isKey = DoubleLengthKey(bytes.span) != nil
        #expect(isKey == (count == 16))
    }
}
