import Octets
import Testing

@testable import EMVCrypto

@Suite("Card keys from issuer keys (EMV Book 2, A1.4)")
struct MasterKeyDerivationTests {
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
