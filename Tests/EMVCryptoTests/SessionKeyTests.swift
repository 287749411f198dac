import EMVCrypto
import Octets
import Testing

@Suite("Session keys (EMV Book 2, A1.3)")
struct SessionKeyTests {
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
