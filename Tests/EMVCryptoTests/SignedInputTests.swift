import EMVCrypto
import Octets
import TestSupport
import Testing

@Suite("What signatures and lists refer to")
struct SignedInputTests {
    private let number: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    private let amount: [UInt8] = [0, 0, 0, 0, 0x10, 0]
    private let currency: [UInt8] = [0x09, 0x78]

    /// EMV Book C-3, Annex C: version 01 binds amount and currency, 00 the number alone.
    @Test("Fast DDA of each version binds what it should")
    func fastTerminalData() throws {
        func data(_ related: [UInt8]) throws(CertificateError) -> [UInt8] {
            try SignedDynamicData.fastTerminalData(
                unpredictableNumber: number,
                amount: amount,
                currency: currency,
                relatedData: related
            )
        }
        #expect(try data([]) == number)
        #expect(try data([0x00, 1, 2, 3, 4, 0, 0]) == number)
        let related: [UInt8] = [0x01, 1, 2, 3, 4, 0x80, 0x00]
        #expect(try data(related) == number + amount + currency + related)
        #expect(throws: CertificateError.malformedDynamicData) {
            try data([0x02, 1, 2, 3, 4, 0, 0])
        }
    }

    /// The hash is Python's `hashlib.sha1` over the bytes in this order.
    @Test("CDA's hash is over everything exchanged, in its order")
    func transactionDataHash() {
        let first = SignedDynamicData.transactionDataHash(
            processingOptionsData: [1, 2],
            firstCryptogramData: [3],
            response: [5, 6]
        )
        #expect(first.hex == "AE97EC191D628DDF42E77A6E63578EBB8E1E4E21")
        let second = SignedDynamicData.transactionDataHash(
            processingOptionsData: [1, 2],
            firstCryptogramData: [3],
            secondCryptogramData: [4],
            response: [5, 6]
        )
        #expect(second.hex == "5D211BAD8F4EE70E16C7D343A838FC344A1ED961")
    }

    @Test("A certificate that was called back is refused, another one is not")
    func revocation() throws {
        let caKey = try TestKeys.authority()
        var authority = try TestKeys.privateKey("emvpt-key-CA")
        let expiry = try #require(CertificateExpiry(month: 12, year: 2030))
        let signed = try IssuerCertificate.sign(
            TestKeys.publicKey("emvpt-key-issuer"),
            issuerIdentifier: [1, 2, 3, 4, 5, 6],
            expiry: expiry,
            serialNumber: [0x12, 0x34, 0x56],
            caKey: &authority
        )
        let certificate = try IssuerCertificate.recover(
            certificate: signed.certificate,
            remainder: signed.remainder,
            exponent: signed.exponent,
            caKey: caKey
        )
        let entry = RevokedCertificate(
            rid: caKey.rid,
            index: caKey.index,
            serialNumber: [0x12, 0x34, 0x56]
        )
        var others = [entry, entry, entry]
        others[0].index ^= 1
        others[1].serialNumber[2] ^= 1
        others[2].rid[0] ^= 1
        try certificate.checkRevocation(Set(others), caKey: caKey)
        try certificate.checkRevocation([], caKey: caKey)
        #expect(throws: CertificateError.revoked) {
            try certificate.checkRevocation(Set(others + [entry]), caKey: caKey)
        }
    }
}
