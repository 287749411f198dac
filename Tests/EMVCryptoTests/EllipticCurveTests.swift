import EMVCrypto
import EMVData
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var suite: HexBytes
    var privateKey: HexBytes?
    var message: HexBytes
    var nonce: HexBytes?
}

private struct Expected: Decodable, Sendable {
    var signature: HexBytes?
    var publicX: HexBytes?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("elliptic-curve-signatures").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

extension Vector {
    fileprivate var suite: SignatureSuite {
        get throws { SignatureSuite(rawValue: try #require(input.suite.bytes.first)) }
    }

    fileprivate func privateKey() throws -> ECPrivateKey {
        try ECPrivateKey(suite: suite, scalar: #require(input.privateKey).bytes)
    }
}

@Suite("Elliptic curve signatures (Book E, 8.8.7)")
struct EllipticCurveSignatureTests {
    @Test(
        "A signature holds, and a changed one does not",
        arguments: try cases(of: "signature")
    )
    fileprivate func signature(_ vector: Vector) throws {
        let key = try vector.privateKey()
        let nonce = try #require(vector.input.nonce).bytes
        let signature = key.sign(vector.input.message.bytes, nonce: nonce)
        let publicKey = try ECPublicKey(suite: vector.suite, x: key.publicX)
        let made = try #require(signature)
        #expect(publicKey.isSignature(made, of: vector.input.message.bytes))
        for index in [0, 1, made.count / 2, made.count - 1] {
            var changed = made
            changed[index] ^= 0x80
            #expect(!publicKey.isSignature(changed, of: vector.input.message.bytes))
        }
    }

    @Test("Numbers out of range are no keys")
    func privateKeyRange() throws {
        let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
        for scalar in [String(repeating: "00", count: 32), order, "01", ""] {
            #expect(throws: CertificateError.inconsistentPrivateKey) {
                _ = try ECPrivateKey(suite: .p256, scalar: [UInt8](hex: scalar))
            }
        }
        #expect(throws: CertificateError.unknownKeyAlgorithm(0x12)) {
            _ = try ECPrivateKey(suite: SignatureSuite(rawValue: 0x12), scalar: [1])
        }
        let key = try ECPrivateKey(suite: .p256, scalar: [UInt8](repeating: 1, count: 32))
        #expect(try key.sign([1], nonce: [UInt8](hex: order)) == nil)
        #expect(key.sign([1], nonce: [UInt8](repeating: 0, count: 32)) == nil)
    }

    @Test("Numbers that are no point are refused")
    func publicPoints() throws {
        // Of all small numbers, about half are the x of a point: Python's integers say which.
        let isOnCurve: [UInt8: Bool] = [
            0: true, 1: false, 2: false, 3: false, 4: false, 5: true, 6: true, 7: false, 8: true,
            9: true, 10: false, 11: false,
        ]
        for (number, isPoint) in isOnCurve {
            let x = [UInt8](repeating: 0, count: 31) + [number]
            let key = try? ECPublicKey(suite: .p256, x: x)
            #expect((key != nil) == isPoint, "\(number)")
        }
        for count in [0, 31, 33, 64] {
            let x = [UInt8](repeating: 5, count: count)
            #expect(throws: CertificateError.notOnCurve) { try ECPublicKey(suite: .p256, x: x) }
        }
        let tooLarge = [UInt8](repeating: 0xFF, count: 32)
        #expect(throws: CertificateError.notOnCurve) { try ECPublicKey(suite: .p256, x: tooLarge) }
        #expect(throws: CertificateError.unknownKeyAlgorithm(0x80)) {
            try ECPublicKey(suite: SignatureSuite(rawValue: 0x80), x: tooLarge)
        }
    }
}

@Suite("Elliptic curve certificates (Book E, 5.3)")
struct ECCertificateTests {
    /// The authority and issuer of Book E's examples on P-256.
    private func chain() throws -> (ECAuthorityKey, issuer: [UInt8], card: [UInt8]) {
        let vectors = try cases(of: "signature")
        let issuer = try #require(vectors.first { $0.id == "book-e-256-issuer" })
        let card = try #require(vectors.first { $0.id == "book-e-256-card" })
        let key = try ECPublicKey(suite: .p256, x: #require(issuer.expected.publicX).bytes)
        return try (
            ECAuthorityKey(rid: [0xA0, 0, 0, 0, 0x04], index: 0xE0, key: key),
            issuer.input.message.bytes + #require(issuer.expected.signature).bytes,
            card.input.message.bytes + #require(card.expected.signature).bytes
        )
    }

    @Test("Book E's chain holds")
    func published() throws {
        let (authority, issuer, card) = try chain()
        let issuerCertificate = try ECIssuerCertificate.verify(issuer, authority: authority)
        #expect(issuerCertificate.issuerIdentifier == [5, 4, 1, 3, 3, 3, 9, 0])
        #expect(issuerCertificate.serialNumber.hex == "123456")
        try issuerCertificate.checkIssuer(ofPAN: panDigits("5413339000001513"))
        #expect(throws: CertificateError.wrongIssuer) {
            try issuerCertificate.checkIssuer(ofPAN: panDigits("5413330000001513"))
        }
        try issuerCertificate.checkExpiry(on: day("2030-12-31"))
        #expect(throws: CertificateError.expired) {
            try issuerCertificate.checkExpiry(on: day("2031-01-01"))
        }

        let cardCertificate = try ECCardCertificate.verify(card, issuerKey: issuerCertificate.key)
        #expect(cardCertificate.serialNumber.hex == "987654321000")
        let hash = cardCertificate.staticDataHash
        try cardCertificate.checkStaticData(hash)
        #expect(throws: CertificateError.wrongHash) {
            try cardCertificate.checkStaticData([UInt8](hash.reversed()))
        }
        try cardCertificate.checkExpiry(on: day("2029-12-31"), hour: 23, minute: 59)
        #expect(throws: CertificateError.expired) {
            try cardCertificate.checkExpiry(on: day("2030-01-01"))
        }
    }

    @Test("Certificates signed here are Book E's")
    func signed() throws {
        let vectors = try cases(of: "signature")
        for vector in vectors where vector.id.hasSuffix("issuer") {
            let message = vector.input.message.bytes
            let authorityKey = try vector.privateKey()
            let certificate = try ECIssuerCertificate.sign(
                publicX: [UInt8](message[21...]),
                suite: vector.suite,
                issuerIdentifier: [5, 4, 1, 3, 3, 3, 9, 0],
                expiry: [0x20, 0x30, 0x12, 0x31],
                serialNumber: [0x12, 0x34, 0x56],
                rid: [0xA0, 0, 0, 0, 0x04],
                index: message[20],
                authorityKey: authorityKey,
                nonce: #require(vector.input.nonce).bytes
            )
            #expect(try certificate == message + #require(vector.expected.signature).bytes)
        }
        for vector in vectors where vector.id.hasSuffix("card") {
            let message = vector.input.message.bytes
            let issuerKey = try vector.privateKey()
            let certificate = try ECCardCertificate.sign(
                publicX: [UInt8](message[49...]),
                expiry: [UInt8](message[3..<9]),
                serialNumber: [UInt8](message[9..<15]),
                staticDataHash: [UInt8](message[17..<49]),
                issuerKey: issuerKey,
                nonce: #require(vector.input.nonce).bytes
            )
            #expect(try certificate == message + #require(vector.expected.signature).bytes)
        }
    }

    @Test("Each check of an issuer's certificate fails on its own")
    func issuerChecks() throws {
        let (authority, issuer, _) = try chain()
        func error(_ change: (inout [UInt8]) -> Void) -> CertificateError? {
            var changed = issuer
            change(&changed)
            return #expect(throws: CertificateError.self) {
                try ECIssuerCertificate.verify(changed, authority: authority)
            }
        }
        #expect(error { $0[0] = 0x14 } == .wrongFormat(.init(rawValue: 0x14)))
        #expect(error { $0[1] = 0x01 } == .unknownEncoding(0x01))
        #expect(error { $0[7] = 0x12 } == .unknownKeyAlgorithm(0x12))
        #expect(error { $0[15] = 0xB0 } == .wrongAuthority)
        #expect(error { $0[20] = 0xE1 } == .wrongAuthority)
        #expect(error { $0[9] = 0x40 } == .wrongSignature)
        #expect(error { $0[116] ^= 1 } == .wrongSignature)
        #expect(error { $0.removeLast() } == .wrongLength(expected: 117, found: 116))
        #expect(error { $0.append(0) } == .wrongLength(expected: 117, found: 118))
        for count in 0..<issuer.count {
            #expect(throws: CertificateError.self) {
                try ECIssuerCertificate.verify([UInt8](issuer.prefix(count)), authority: authority)
            }
        }
    }

    @Test("Each check of a card's certificate fails on its own")
    func cardChecks() throws {
        let (authority, issuer, card) = try chain()
        let key = try ECIssuerCertificate.verify(issuer, authority: authority).key
        func error(_ change: (inout [UInt8]) -> Void) -> CertificateError? {
            var changed = card
            change(&changed)
            return #expect(throws: CertificateError.self) {
                try ECCardCertificate.verify(changed, issuerKey: key)
            }
        }
        #expect(error { $0[0] = 0x12 } == .wrongFormat(.init(rawValue: 0x12)))
        #expect(error { $0[1] = 0x01 } == .unknownEncoding(0x01))
        #expect(error { $0[2] = 0x10 } == .unknownKeyAlgorithm(0x10))
        #expect(error { $0[15] = 0x02 } == .unknownEncoding(0x02))
        #expect(error { $0[16] = 0x03 } == .unknownHashAlgorithm(0x03))
        #expect(error { $0[20] ^= 1 } == .wrongSignature)
        #expect(error { $0.append(0) } == .wrongLength(expected: 145, found: 146))
        for count in 0..<card.count {
            #expect(throws: CertificateError.wrongLength(expected: 145, found: count)) {
                try ECCardCertificate.verify([UInt8](card.prefix(count)), issuerKey: key)
            }
        }
    }

    @Test("Contents that cannot be are refused though signed")
    func signedNonsense() throws {
        let vectors = try cases(of: "signature")
        let vector = try #require(vectors.first { $0.id == "book-e-256-issuer" })
        let (authority, _, _) = try chain()
        let key = try vector.privateKey()
        let nonce = try #require(vector.input.nonce).bytes
        func error(_ change: (inout [UInt8]) -> Void) throws -> CertificateError? {
            var message = vector.input.message.bytes
            change(&message)
            let signature = key.sign(message, nonce: nonce)
            let certificate = try message + #require(signature)
            return #expect(throws: CertificateError.self) {
                try ECIssuerCertificate.verify(certificate, authority: authority)
            }
        }
        #expect(try error { $0[2] = 0xF5 } == .malformedIssuerIdentifier)
        #expect(
            try error { $0.replaceSubrange(2..<7, with: [0x54, 0xFF, 0xFF, 0xFF, 0xFF]) }
                == .malformedIssuerIdentifier
        )
        #expect(try error { $0[10] = 0x13 } == .malformedExpiry)
        #expect(try error { $0[11] = 0x3A } == .malformedExpiry)
        #expect(
            try error { $0.replaceSubrange(21..<53, with: [UInt8](repeating: 0xFF, count: 32)) }
                == .notOnCurve
        )
    }

    private func day(_ text: String) throws -> TransactionDate {
        try #require(TransactionDate(text: text))
    }
}
