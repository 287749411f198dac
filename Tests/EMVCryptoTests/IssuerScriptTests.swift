import EMVCrypto
import Octets
import Testing

@Suite("Issuer scripts (EMV Book 2, 9)")
struct IssuerScriptTests {
    @Test(
        "Every length comes back as it went in",
        arguments: IssuerScript.Encipherment.allCases
    )
    func lengths(encipherment: IssuerScript.Encipherment) {
        let key = DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0xFEDC_BA98_7654_3210)
        for count in 0...32 {
            let data = (0..<count).map { UInt8($0 + 1) }
            let enciphered = IssuerScript.encipher(data, as: encipherment, sessionKey: key)
            #expect(enciphered.count % 8 == 0)
            guard !enciphered.isEmpty else { continue }
            let clear = IssuerScript.decipher(enciphered, as: encipherment, sessionKey: key)
            // Mastercard's filling cannot be told from data.
            let expected = encipherment == .mastercard ? encipherment.padded(data) : data
            #expect(clear == expected, "\(count) bytes")
        }
    }

    @Test("Data that are not filled up are refused")
    func malformed() {
        let key = DoubleLengthKey(left: 1, right: 2)
        for encipherment in IssuerScript.Encipherment.allCases {
            for count in 0...17 where count % 8 != 0 || count == 0 {
                let data = [UInt8](repeating: 0, count: count)
                #expect(
                    IssuerScript.decipher(data, as: encipherment, sessionKey: key) == nil
                )
            }
        }
        // Enciphered without filling: no 80 at the end, and no length in front.
        let wrong = [
            IssuerScript.Encipherment.commonCore: [UInt8](repeating: 0x11, count: 16),
            .visa: [0x09] + [UInt8](repeating: 0x11, count: 7),
        ]
        for (encipherment, clear) in wrong {
            let whole = IssuerScript.encipher(clear, as: .mastercard, sessionKey: key)
            let data =
                encipherment == .visa
                ? [UInt8](
                    IssuerScript.encipher([UInt8](clear.dropFirst()), as: .visa, sessionKey: key)
                        .suffix(8)
                )
                : whole
            #expect(IssuerScript.decipher(data, as: encipherment, sessionKey: key) == nil)
        }
    }
}
