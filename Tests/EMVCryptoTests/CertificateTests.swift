import EMVCrypto
import EMVData
import Octets
import TestSupport
import Testing

private struct IssuerInput: Decodable, Sendable {
    var rid: HexBytes
    var index: HexBytes
    var caModulus: HexBytes
    var caExponent: HexBytes
    var certificate: HexBytes
    var remainder: HexBytes
    var exponent: HexBytes
}

private struct ICCInput: Decodable, Sendable {
    var issuerModulus: HexBytes
    var issuerExponent: HexBytes
    var certificate: HexBytes
    var remainder: HexBytes
    var exponent: HexBytes
    var staticData: HexBytes
}

private struct Expected: Decodable, Sendable {
    var issuerIdentifier: String?
    var pan: String?
    var expiry: HexBytes?
    var serialNumber: HexBytes?
    var modulus: HexBytes?
}

private typealias IssuerVector = VectorCase<IssuerInput, Expected>
private typealias ICCVector = VectorCase<ICCInput, Expected>

private func issuerCases() throws -> [IssuerVector] {
    try VectorFile<NoParameters, IssuerInput, Expected>.load("issuer-certificates").groups
        .flatMap(\.cases)
}

private func iccCases() throws -> [ICCVector] {
    try VectorFile<NoParameters, ICCInput, Expected>.load("icc-certificates").groups
        .flatMap(\.cases)
}

extension IssuerInput {
    /// Recovers the certificate, or what is given instead of its parts.
    fileprivate func recover(
        certificate: [UInt8]? = nil,
        remainder: [UInt8]? = nil,
        exponent: [UInt8]? = nil
    ) throws -> IssuerCertificate {
        try IssuerCertificate.recover(
            certificate: certificate ?? self.certificate.bytes,
            remainder: remainder ?? self.remainder.bytes,
            exponent: exponent ?? self.exponent.bytes,
            caKey: CAPublicKey(
                rid: rid.bytes,
                index: index.bytes[0],
                modulus: caModulus.bytes,
                exponent: caExponent.bytes
            )
        )
    }
}

extension ICCInput {
    /// Recovers the certificate, or what is given instead of its parts.
    fileprivate func recover(
        certificate: [UInt8]? = nil,
        remainder: [UInt8]? = nil,
        exponent: [UInt8]? = nil,
        staticData: [UInt8]? = nil
    ) throws -> ICCCertificate {
        try ICCCertificate.recover(
            certificate: certificate ?? self.certificate.bytes,
            remainder: remainder ?? self.remainder.bytes,
            exponent: exponent ?? self.exponent.bytes,
            issuerKey: RSAPublicKey(modulus: issuerModulus.bytes, exponent: issuerExponent.bytes),
            staticData: staticData ?? self.staticData.bytes
        )
    }
}

/// Reads a day that exists.
private func day(_ text: String) throws -> TransactionDate {
    try #require(TransactionDate(text: text))
}

/// Reads the expiry of a vector.
private func certificateExpiry(_ bytes: HexBytes?) throws -> CertificateExpiry {
    try #require(bytes.flatMap { CertificateExpiry(bytes: $0.bytes) })
}

@Suite("Public key certificates (EMV Book 2, 5.3 and 6.4)")
struct CertificateTests {
    @Test("A damaged issuer certificate is refused", arguments: try issuerCases().filter(\.isValid))
    fileprivate func damagedIssuer(_ vector: IssuerVector) {
        let input = vector.input
        for bytes in damaged(input.certificate.bytes) {
            #expect(throws: CertificateError.self) { try input.recover(certificate: bytes) }
        }
        for bytes in damaged(input.remainder.bytes) {
            #expect(throws: CertificateError.self) { try input.recover(remainder: bytes) }
        }
        for bytes in damaged(input.exponent.bytes) {
            #expect(throws: CertificateError.self) { try input.recover(exponent: bytes) }
        }
    }

    @Test("A damaged card certificate is refused", arguments: try iccCases().filter(\.isValid))
    fileprivate func damagedICC(_ vector: ICCVector) {
        let input = vector.input
        for bytes in damaged(input.certificate.bytes) {
            #expect(throws: CertificateError.self) { try input.recover(certificate: bytes) }
        }
        for bytes in damaged(input.remainder.bytes) {
            #expect(throws: CertificateError.self) { try input.recover(remainder: bytes) }
        }
        for bytes in damaged(input.exponent.bytes) {
            #expect(throws: CertificateError.self) { try input.recover(exponent: bytes) }
        }
        for bytes in damaged(input.staticData.bytes) {
            #expect(throws: CertificateError.wrongHash) { try input.recover(staticData: bytes) }
        }
    }

    @Test(
        "A card certificate is for one account number",
        arguments: try iccCases().filter(\.isValid)
    )
    fileprivate func accountNumber(_ vector: ICCVector) throws {
        let card = try vector.input.recover()
        try card.checkPAN(card.pan)
        #expect(throws: CertificateError.wrongPAN) { try card.checkPAN(card.pan.dropLast()) }
    }

    @Test("A certificate is good to the end of its last month")
    func expiry() throws {
        let vector = try #require(issuerCases().first { $0.id == "eu-visa-issuer" })
        let issuer = try vector.input.recover()
        try issuer.checkExpiry(on: day("2031-12-31"))
        #expect(throws: CertificateError.expired) {
            try issuer.checkExpiry(on: day("2032-01-01"))
        }
        let card = try #require(iccCases().first { $0.id == "mh-mc-online-icc" }).input.recover()
        try card.checkExpiry(on: day("2025-12-31"))
        try card.checkExpiry(on: day("1999-12-31"))
        #expect(throws: CertificateError.expired) {
            try card.checkExpiry(on: day("2026-01-01"))
        }
    }

    @Test(
        "An expiry is a month and a year",
        arguments: [
            ("", nil), ("12", nil), ("123000", nil), ("0030", nil), ("1330", nil), ("1A30", nil),
            ("123A", nil), ("A130", nil), ("12A0", nil), ("0100", 2000), ("1249", 2049),
            ("1250", 1950), ("0199", 1999),
        ] as [(String, Int?)]
    )
    func expiryBytes(hex: String, year: Int?) throws {
        let bytes = try [UInt8](hex: hex)
        let expiry = CertificateExpiry(bytes: bytes)
        #expect(expiry?.year == year)
        if let expiry { #expect(expiry.bytes == bytes) }
        #expect(CertificateExpiry(month: 0, year: 2030) == nil)
        #expect(CertificateExpiry(month: 13, year: 2030) == nil)
        #expect(CertificateExpiry(month: 1, year: 1949) == nil)
        #expect(CertificateExpiry(month: 1, year: 2050) == nil)
    }
}

@Suite("Certificates that are well signed but wrong")
struct MisshapenCertificateTests {
    /// The contents of the issuer certificate published with emvpt, without header, hash and trailer.
    private func issuerContents() throws -> [UInt8] {
        let vector = try #require(issuerCases().first { $0.id == "emvpt-issuer" })
        let block = try TestKeys.publicKey("emvpt-key-CA").recover(vector.input.certificate.bytes)
        return try [UInt8](#require(block)[1..<155])
    }

    /// Recovers an issuer certificate of these contents.
    private func recoverIssuer(
        _ contents: [UInt8],
        header: UInt8 = 0x6A,
        trailer: UInt8 = 0xBC,
        remainder: [UInt8]? = nil,
        exponent: [UInt8] = [3]
    ) throws -> IssuerCertificate {
        let vector = try #require(issuerCases().first { $0.id == "emvpt-issuer" })
        let remainder = remainder ?? vector.input.remainder.bytes
        let certificate = try TestKeys.sign(
            contents,
            appendix: remainder + exponent,
            header: header,
            trailer: trailer,
            with: "emvpt-key-CA"
        )
        return try IssuerCertificate.recover(
            certificate: certificate,
            remainder: remainder,
            exponent: exponent,
            caKey: TestKeys.authority()
        )
    }

    @Test("The contents as they are published are accepted")
    func published() throws {
        let issuer = try recoverIssuer(issuerContents())
        #expect(try issuer.key == TestKeys.publicKey("emvpt-key-issuer"))
    }

    @Test("Header, trailer and format are checked")
    func frame() throws {
        let contents = try issuerContents()
        #expect(throws: CertificateError.wrongHeader(0x6B)) {
            try recoverIssuer(contents, header: 0x6B)
        }
        #expect(throws: CertificateError.wrongTrailer(0xBD)) {
            try recoverIssuer(contents, trailer: 0xBD)
        }
        var other = contents
        other[0] = 0x04
        #expect(throws: CertificateError.wrongFormat(.iccCertificate)) { try recoverIssuer(other) }
    }

    @Test(
        "Each field is checked",
        arguments: [
            // Offset in the contents, new bytes, what is wrong.
            (1, "12FFFFFF", .malformedIssuerIdentifier),
            (1, "123F56FF", .malformedIssuerIdentifier),
            (1, "12345A78", .malformedIssuerIdentifier),
            (1, "FFFFFFFF", .malformedIssuerIdentifier),
            (5, "1330", .malformedExpiry),
            (5, "00AA", .malformedExpiry),
            (10, "02", .unknownHashAlgorithm(0x02)),
            (10, "00", .unknownHashAlgorithm(0x00)),
            (11, "02", .unknownKeyAlgorithm(0x02)),
            (12, "00", .wrongKeyLength(0x00)),
            (12, "01", .wrongKeyLength(0x01)),
            (12, "3F", .wrongKeyLength(0x3F)),
            (12, "F9", .wrongKeyLength(0xF9)),
            (12, "FF", .wrongKeyLength(0xFF)),
            (12, "8C", .wrongRemainderLength(expected: 0, found: 36)),
            (12, "AF", .wrongRemainderLength(expected: 35, found: 36)),
            (12, "F8", .wrongRemainderLength(expected: 108, found: 36)),
            (13, "00", .wrongExponentLength(0x00)),
            (13, "03", .wrongExponentLength(0x03)),
            (14, "00", .unsupportedModulus(byteCount: 176)),
        ] as [(Int, String, CertificateError)]
    )
    func fields(offset: Int, hex: String, error: CertificateError) throws {
        var contents = try issuerContents()
        for (index, byte) in try [UInt8](hex: hex).enumerated() { contents[offset + index] = byte }
        #expect(throws: error) { try recoverIssuer(contents) }
    }

    @Test("The key that comes out is one of RSA")
    func recoveredKey() throws {
        let contents = try issuerContents()
        let even = [UInt8](repeating: 0x5C, count: 36)
        #expect(throws: CertificateError.unsupportedModulus(byteCount: 176)) {
            try recoverIssuer(contents, remainder: even)
        }
        #expect(throws: CertificateError.unsupportedExponent) {
            try recoverIssuer(contents, exponent: [2])
        }
    }

    @Test("Issuer identifiers have 3 to 8 digits", arguments: ["123", "1234567", "12345678"])
    func identifiers(text: String) throws {
        var contents = try issuerContents()
        let digits = try panDigits(text)
        let packed = try #require(PackedDigits.compressed(digits, byteCount: 4))
        for index in 0..<4 { contents[1 + index] = packed[index] }
        let issuer = try recoverIssuer(contents)
        #expect(issuer.issuerIdentifier == digits)
        try issuer.checkIssuer(ofPAN: digits + [0, 0, 0])
        #expect(throws: CertificateError.wrongIssuer) {
            try issuer.checkIssuer(ofPAN: digits.dropLast())
        }
    }

    @Test(
        "A certified PAN has 12 to 19 digits",
        arguments: [
            ("FFFFFFFFFFFFFFFFFFFF", false), ("12345678901FFFFFFFFF", false),
            ("123456789012FFFFFFFF", true), ("1234567890123456789F", true),
            ("12345678901234567890", false), ("1234567890123F56FFFF", false),
            ("123456789012345A78FF", false),
        ]
    )
    func pans(hex: String, isAllowed: Bool) throws {
        let key = try TestKeys.publicKey("emvpt-key-ICC")
        let contents =
            try [0x04] + [UInt8](hex: hex) + [0x12, 0x30, 1, 2, 3, 1, 1, 128, 1] + key.modulus
            + [UInt8](repeating: 0xBB, count: 6)
        let certificate = try TestKeys.sign(
            contents,
            appendix: [3, 0x5C],
            with: "emvpt-key-issuer"
        )
        func recover() throws -> ICCCertificate {
            try ICCCertificate.recover(
                certificate: certificate,
                remainder: [],
                exponent: [3],
                issuerKey: TestKeys.publicKey("emvpt-key-issuer"),
                staticData: [0x5C]
            )
        }
        guard isAllowed else {
            #expect(throws: CertificateError.malformedPAN) { try recover() }
            return
        }
        let card = try recover()
        #expect(card.key == key)
        #expect(card.pan == PackedDigits.nibbles(try [UInt8](hex: hex)).filter { $0 <= 9 })
    }
}

@Suite("Signing certificates")
struct CertificateSigningTests {
    @Test("An authority makes the issuer certificate published")
    func issuer() throws {
        let vector = try #require(issuerCases().first { $0.id == "emvpt-issuer" })
        var caKey = try TestKeys.privateKey("emvpt-key-CA")
        let signed = try IssuerCertificate.sign(
            TestKeys.publicKey("emvpt-key-issuer"),
            issuerIdentifier: panDigits(vector.expected.issuerIdentifier),
            expiry: certificateExpiry(vector.expected.expiry),
            serialNumber: #require(vector.expected.serialNumber).bytes,
            caKey: &caKey
        )
        #expect(signed.certificate == vector.input.certificate.bytes)
        #expect(signed.remainder == vector.input.remainder.bytes)
        #expect(signed.exponent == vector.input.exponent.bytes)
    }

    @Test("An issuer makes the card certificate published")
    func icc() throws {
        let vector = try #require(iccCases().first { $0.id == "emvpt-icc" })
        var issuerKey = try TestKeys.privateKey("emvpt-key-issuer")
        let signed = try ICCCertificate.sign(
            TestKeys.publicKey("emvpt-key-ICC"),
            pan: panDigits(vector.expected.pan),
            expiry: certificateExpiry(vector.expected.expiry),
            serialNumber: #require(vector.expected.serialNumber).bytes,
            staticData: vector.input.staticData.bytes,
            issuerKey: &issuerKey
        )
        #expect(signed.certificate == vector.input.certificate.bytes)
        #expect(signed.remainder.isEmpty)
        #expect(signed.exponent == vector.input.exponent.bytes)
    }

    @Test("What does not fit a certificate is refused")
    func unfit() throws {
        var key = try TestKeys.privateKey("emvpt-key-ICC")
        let expiry = try #require(CertificateExpiry(month: 12, year: 2030))
        let longKey = try TestKeys.publicKey("emvpt-key-CA")
        let fittingKey = try TestKeys.publicKey("emvpt-key-ICC")
        for digits in [[], [1, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9]] as [[UInt8]] {
            #expect(throws: CertificateError.malformedIssuerIdentifier) {
                try IssuerCertificate.sign(
                    fittingKey,
                    issuerIdentifier: digits,
                    expiry: expiry,
                    serialNumber: [0, 0, 1],
                    caKey: &key
                )
            }
        }
        #expect(throws: CertificateError.wrongKeyLength(176)) {
            try IssuerCertificate.sign(
                longKey,
                issuerIdentifier: [1, 2, 3, 4, 5, 6],
                expiry: expiry,
                serialNumber: [0, 0, 1],
                caKey: &key
            )
        }
        for count in [0, 11, 20] {
            #expect(throws: CertificateError.malformedPAN) {
                try ICCCertificate.sign(
                    fittingKey,
                    pan: [UInt8](repeating: 4, count: count),
                    expiry: expiry,
                    serialNumber: [0, 0, 1],
                    staticData: [],
                    issuerKey: &key
                )
            }
        }
        #expect(throws: CertificateError.wrongKeyLength(176)) {
            try ICCCertificate.sign(
                longKey,
                pan: [UInt8](repeating: 4, count: 16),
                expiry: expiry,
                serialNumber: [0, 0, 1],
                staticData: [],
                issuerKey: &key
            )
        }
    }
}
