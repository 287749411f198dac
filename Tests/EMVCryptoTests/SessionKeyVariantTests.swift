import EMVCrypto
import Octets
import Testing

@Suite("Session keys of schemes")
struct SessionKeyVariantTests {
    @Test("PBOC's key is the counter and its complement enciphered")
    func pboc() {
        // pyca/cryptography's triple DES enciphered both blocks.
        let cardKey = DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0xFEDC_BA98_7654_3210)
        var cipher = TripleDES(key: cardKey)
        let key = cipher.pbocSessionKey(counter: 0x001C)
        #expect(key.exportedBytes.hex == "CBA00DD0CC8B945C762356EE0DAC0838")
    }
}
