import EMVData
import Foundation
import Testing

@testable import PassKitSimulator

/// What Python's cryptography package makes is read, and the other way round.
@Suite("The encryption of pass data") struct PassDataTests {
    /// 2026-11-30, 08:00 UTC.
    private let now: Int64 = 1_796_025_600

    private func key(_ bytes: [UInt8]) throws -> AsymmetricKey {
        try #require(AsymmetricKey(privateDER: bytes))
    }

    @Test("ECC_V2: the same bytes as cryptography's, both ways")
    func ecc() throws {
        let leaf = try key(PassVectors.leafKey)
        let ephemeral = try key(PassVectors.ephemeralKey)
        let sealed = try #require(
            PassDataCipher.seal(PassVectors.message, for: leaf, ephemeral: ephemeral)
        )
        #expect(sealed.encryptedPassData == PassVectors.sealed)
        #expect(sealed.ephemeralPublicKey == PassVectors.ephemeralPoint)
        #expect(sealed.wrappedKey == nil)
        #expect(PassDataCipher.open(sealed, with: leaf) == PassVectors.message)
        // Each message has an ephemeral key of its own.
        let other = PassDataCipher.seal(PassVectors.message, for: leaf)
        #expect(other?.ephemeralPublicKey != sealed.ephemeralPublicKey)
        #expect(other.flatMap { PassDataCipher.open($0, with: leaf) } == PassVectors.message)
        #expect(leaf.verifies(PassVectors.signature, of: PassVectors.message))
        #expect(!leaf.verifies(PassVectors.signature, of: PassVectors.message + [0]))
        #expect(!ephemeral.verifies(PassVectors.signature, of: PassVectors.message))
    }

    @Test("RSA_V2: what cryptography has made is read")
    func rsa() throws {
        let leaf = try key(PassVectors.rsaKey)
        let sealed = PassDataCipher.Sealed(
            encryptedPassData: PassVectors.rsaSealed,
            wrappedKey: PassVectors.wrappedKey
        )
        #expect(PassDataCipher.open(sealed, with: leaf) == PassVectors.message)
        let own = try #require(PassDataCipher.seal(PassVectors.message, for: leaf))
        #expect(own.ephemeralPublicKey == nil && own.wrappedKey?.count == 256)
        #expect(PassDataCipher.open(own, with: leaf) == PassVectors.message)
        // The other scheme's key, and the other scheme's parts.
        #expect(try PassDataCipher.open(own, with: key(PassVectors.leafKey)) == nil)
        var mixed = own
        mixed.ephemeralPublicKey = PassVectors.ephemeralPoint
        #expect(PassDataCipher.open(mixed, with: leaf) == nil)
    }

    @Test("Changed anywhere, or cut anywhere, nothing is read")
    func damage() throws {
        let leaf = try key(PassVectors.leafKey)
        let sealed = PassDataCipher.Sealed(
            encryptedPassData: PassVectors.sealed,
            ephemeralPublicKey: PassVectors.ephemeralPoint
        )
        for index in sealed.encryptedPassData.indices {
            var damaged = sealed
            damaged.encryptedPassData[index] ^= 1
            #expect(PassDataCipher.open(damaged, with: leaf) == nil)
            damaged.encryptedPassData = Array(sealed.encryptedPassData.prefix(index))
            #expect(PassDataCipher.open(damaged, with: leaf) == nil)
        }
        var longer = sealed
        longer.encryptedPassData.append(0)
        #expect(PassDataCipher.open(longer, with: leaf) == nil)
        for index in PassVectors.ephemeralPoint.indices {
            var damaged = sealed
            damaged.ephemeralPublicKey?[index] ^= 1
            #expect(PassDataCipher.open(damaged, with: leaf) == nil)
            damaged.ephemeralPublicKey = Array(PassVectors.ephemeralPoint.prefix(index))
            #expect(PassDataCipher.open(damaged, with: leaf) == nil)
        }
        let stranger = AsymmetricKey(generating: .p256)
        #expect(PassDataCipher.open(sealed, with: stranger) == nil)
    }

    @Test("A message that is none: every prefix, and too much")
    func messages() throws {
        let data = try PassData(
            number: #require(.init(text: "4761739001010036")),
            lastDay: #require(.init(text: "2030-12-31")),
            cardholderName: "CARDHOLDER/ALICE \"x\"",
            nonce: [UInt8](0..<32),
            nonceSignature: [1, 2, 3]
        )
        #expect(PassData(parsing: data.encoded) == data)
        for count in data.encoded.indices {
            #expect(PassData(parsing: Array(data.encoded.prefix(count))) == nil)
        }
        #expect(PassData(parsing: data.encoded + [0x7B]) == nil)
        let padding = [UInt8](repeating: 0x20, count: PassData.maximumByteCount)
        let room = PassData.maximumByteCount - data.encoded.count
        #expect(PassData(parsing: data.encoded + padding.prefix(room)) == data)
        #expect(PassData(parsing: data.encoded + padding.prefix(room + 1)) == nil)
    }

    @Test("Chains that cryptography has made: good ones, and each way to be bad")
    func chains() throws {
        let root = try #require(Certificate(der: PassVectors.root))
        func verify(_ chain: [[UInt8]], at time: Int64? = nil) throws(PassDataError) {
            _ = try CertificateChain.key(of: chain, trusting: root, at: time ?? now)
        }
        try verify([PassVectors.leaf])
        try verify([PassVectors.leaf, PassVectors.root])
        try verify([PassVectors.leafOfMiddle, PassVectors.middle, PassVectors.root])
        #expect(throws: PassDataError.untrustedChain) { try verify([PassVectors.leafOfMiddle]) }
        // A leaf certifies nobody.
        #expect(throws: PassDataError.untrustedChain) {
            try verify([PassVectors.leafOfLeaf, PassVectors.leaf, PassVectors.root])
        }
        #expect(throws: PassDataError.untrustedChain) {
            try verify([PassVectors.leafOfStranger, PassVectors.root])
        }
        #expect(throws: PassDataError.untrustedChain) { try verify([PassVectors.leafOfOtherName]) }
        #expect(throws: PassDataError.untrustedChain) { try verify([PassVectors.root]) }
        #expect(throws: PassDataError.expiredCertificate) { try verify([PassVectors.expiredLeaf]) }
        #expect(throws: PassDataError.expiredCertificate) {
            try verify([PassVectors.leaf], at: now - 60 * 86_400)
        }
        #expect(throws: PassDataError.malformedCertificate) { try verify([]) }
        #expect(throws: PassDataError.malformedCertificate) {
            try verify([[UInt8]](repeating: PassVectors.leaf, count: 5))
        }
        #expect(throws: PassDataError.malformedCertificate) { try verify([PassVectors.leaf + [0]]) }
        #expect(throws: PassDataError.malformedCertificate) {
            try verify([PassVectors.leaf, [UInt8](repeating: 0x30, count: 5_000)])
        }
        for count in PassVectors.leaf.indices {
            #expect(throws: PassDataError.malformedCertificate) {
                try verify([Array(PassVectors.leaf.prefix(count))])
            }
        }
    }
}
