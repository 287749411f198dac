import EMVCrypto
import Octets
import Testing

@Suite("Visa limited use keys")
struct LimitedUseKeyTests {
    @Test("A time is an index")
    func times() {
        let index = LimitedUseKeyIndex(year: 2026, hour: 6431, counter: 1)
        #expect(index?.digits == [6, 6, 4, 3, 1, 0, 1])
        let long = LimitedUseKeyIndex(year: 2026, hour: 6431, counter: 1, yearForm: .twoDigits)
        #expect(long?.digits == [2, 6, 6, 4, 3, 1, 0, 1])
        #expect(LimitedUseKeyIndex(year: 2026, hour: 0, counter: 0) == nil)
        #expect(LimitedUseKeyIndex(year: 2026, hour: 8785, counter: 0) == nil)
        #expect(LimitedUseKeyIndex(year: 2026, hour: 8761, counter: 0) == nil)
        #expect(LimitedUseKeyIndex(year: 2100, hour: 8784, counter: 0) == nil)
        #expect(LimitedUseKeyIndex(year: 2000, hour: 8784, counter: 0) != nil)
        #expect(LimitedUseKeyIndex(digits: [0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(LimitedUseKeyIndex(digits: [4, 8, 7, 8, 4, 0, 0]) != nil)
        #expect(LimitedUseKeyIndex(digits: [4, 8, 7, 8, 5, 0, 0]) == nil)
        #expect(LimitedUseKeyIndex(digits: [5, 8, 7, 8, 4, 0, 0]) == nil)
        #expect(LimitedUseKeyIndex(digits: [2, 6, 8, 7, 6, 1, 0, 0]) == nil)
        #expect(LimitedUseKeyIndex(digits: [2, 4, 8, 7, 8, 4, 0, 0]) != nil)
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
