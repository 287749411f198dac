import EMVCrypto
import Octets
import TestSupport
import Testing

private struct StaticInput: Decodable, Sendable {
    var issuerModulus: HexBytes
    var issuerExponent: HexBytes
    var signature: HexBytes
    var staticData: HexBytes
}

private struct StaticExpected: Decodable, Sendable { var dataAuthenticationCode: HexBytes? }

private struct DynamicInput: Decodable, Sendable {
    var iccModulus: HexBytes
    var iccExponent: HexBytes
    var signature: HexBytes
    var terminalData: HexBytes
    var transactionData: HexBytes?
}

private struct DynamicExpected: Decodable, Sendable {
    var format: HexBytes?
    var iccDynamicNumber: HexBytes?
    var cryptogramInformationData: HexBytes?
    var applicationCryptogram: HexBytes?
    var transactionDataHash: HexBytes?
}

private struct SigningInput: Decodable, Sendable {
    var key: String
    var format: HexBytes
    var dynamicData: HexBytes
    var terminalData: HexBytes
}

private struct SigningExpected: Decodable, Sendable { var signature: HexBytes }

private typealias StaticVector = VectorCase<StaticInput, StaticExpected>
private typealias DynamicVector = VectorCase<DynamicInput, DynamicExpected>
private typealias SigningVector = VectorCase<SigningInput, SigningExpected>

private func staticCases() throws -> [StaticVector] {
    try VectorFile<NoParameters, StaticInput, StaticExpected>.load("signed-static-data")
        .groups.flatMap(\.cases)
}

private func dynamicCases() throws -> [DynamicVector] {
    try VectorFile<NoParameters, DynamicInput, DynamicExpected>.load("signed-dynamic-data")
        .groups.flatMap(\.cases)
}

private func signingCases() throws -> [SigningVector] {
    try VectorFile<NoParameters, SigningInput, SigningExpected>.load("dynamic-signatures")
        .groups.flatMap(\.cases)
}

extension StaticInput {
    fileprivate func verify(
        signature: [UInt8]? = nil,
        staticData: [UInt8]? = nil
    ) throws -> SignedStaticData {
        try SignedStaticData.verify(
            signature ?? self.signature.bytes,
            issuerKey: RSAPublicKey(modulus: issuerModulus.bytes, exponent: issuerExponent.bytes),
            staticData: staticData ?? self.staticData.bytes
        )
    }
}

extension DynamicInput {
    fileprivate func recover(
        signature: [UInt8]? = nil,
        terminalData: [UInt8]? = nil
    ) throws -> SignedDynamicData {
        try SignedDynamicData.recover(
            signature ?? self.signature.bytes,
            iccKey: RSAPublicKey(modulus: iccModulus.bytes, exponent: iccExponent.bytes),
            terminalData: terminalData ?? self.terminalData.bytes
        )
    }
}

@Suite("Signed application data (EMV Book 2, 5.4, 6.5 and 6.6)")
struct SignedDataTests {
    @Test("Static data verify", arguments: try staticCases())
    fileprivate func staticData(_ vector: StaticVector) throws {
        guard vector.isValid else {
            let error = #expect(throws: CertificateError.self) { try vector.input.verify() }
            if vector.flags.contains("staticDataWithheld") { #expect(error == .wrongHash) }
            return
        }
        let signed = try vector.input.verify()
        #expect(signed.dataAuthenticationCode == vector.expected.dataAuthenticationCode?.bytes)
    }

    @Test("Damaged static data are refused", arguments: try staticCases().filter(\.isValid))
    fileprivate func damagedStaticData(_ vector: StaticVector) {
        for bytes in damaged(vector.input.signature.bytes) {
            #expect(throws: CertificateError.self) { try vector.input.verify(signature: bytes) }
        }
        for bytes in damaged(vector.input.staticData.bytes) {
            #expect(throws: CertificateError.wrongHash) {
                try vector.input.verify(staticData: bytes)
            }
        }
    }

    @Test("An issuer makes the static signature published")
    func staticSigning() throws {
        let vector = try #require(staticCases().first { $0.id == "jer-ssad" })
        var key = try TestKeys.privateKey("jer-key-issuer")
        let signature = try SignedStaticData.sign(
            vector.input.staticData.bytes,
            dataAuthenticationCode: #require(vector.expected.dataAuthenticationCode).bytes,
            issuerKey: &key
        )
        #expect(signature == vector.input.signature.bytes)
    }

    @Test("A card's dynamic signature verifies", arguments: try dynamicCases())
    fileprivate func dynamicData(_ vector: DynamicVector) throws {
        guard vector.isValid else {
            #expect(throws: CertificateError.self) { try vector.input.recover() }
            return
        }
        let signed = try vector.input.recover()
        #expect(signed.format.rawValue == vector.expected.format?.bytes.first)
        #expect(signed.iccDynamicNumber == vector.expected.iccDynamicNumber?.bytes)
        guard let hash = vector.expected.transactionDataHash else {
            #expect(throws: CertificateError.self) { try signed.combined() }
            return
        }
        let combined = try signed.combined()
        #expect(
            combined.cryptogramInformationData
                == vector.expected.cryptogramInformationData?.bytes.first
        )
        #expect(combined.applicationCryptogram == vector.expected.applicationCryptogram?.number)
        #expect(combined.transactionDataHash == hash.bytes)
        #expect(combined.rest.isEmpty)
        if let transactionData = vector.input.transactionData {
            #expect(SHA1.digest(of: transactionData.bytes) == hash.bytes)
        }
    }

    @Test("A damaged dynamic signature is refused", arguments: try dynamicCases().filter(\.isValid))
    fileprivate func damagedDynamicData(_ vector: DynamicVector) {
        for bytes in damaged(vector.input.signature.bytes) {
            #expect(throws: CertificateError.self) { try vector.input.recover(signature: bytes) }
        }
        for bytes in damaged(vector.input.terminalData.bytes) {
            #expect(throws: CertificateError.wrongHash) {
                try vector.input.recover(terminalData: bytes)
            }
        }
    }

    @Test("An ICC dynamic number that is no such number is refused as such")
    func malformedDynamicData() throws {
        let vectors = try dynamicCases().filter { $0.id.hasPrefix("python-") }
        #expect(vectors.count == 4)
        for vector in vectors {
            #expect(throws: CertificateError.malformedDynamicData) { try vector.input.recover() }
        }
    }

    @Test(
        "Dynamic data longer than the signature holds are refused",
        arguments: [104, 103, 127, 255]
    )
    func dynamicDataLength(count: Int) throws {
        let contents = [0x05, 0x01, UInt8(count), 0x02] + [UInt8](repeating: 0x11, count: 102)
        let signature = try TestKeys.sign(contents, appendix: [1, 2, 3, 4], with: "emvpt-key-ICC")
        let key = try TestKeys.publicKey("emvpt-key-ICC")
        func recover() throws -> SignedDynamicData {
            try SignedDynamicData.recover(signature, iccKey: key, terminalData: [1, 2, 3, 4])
        }
        guard count > 103 else {
            #expect(try recover().dynamicData.count == 103)
            return
        }
        #expect(throws: CertificateError.malformedDynamicData) { try recover() }
    }

    @Test(
        "Only dynamic data of format 05 and full length hold a cryptogram",
        arguments: [28, 29, 30]
    )
    func combined(count: Int) throws {
        let dynamicData = [0x02, 0x11, 0x22] + [UInt8](repeating: 0x5C, count: count)
        for format in [0x05, 0x95] as [UInt8] {
            let padding = [UInt8](repeating: 0xBB, count: 103 - dynamicData.count)
            let contents = [format, 0x01, UInt8(dynamicData.count)] + dynamicData + padding
            let signature = try TestKeys.sign(contents, appendix: [], with: "emvpt-key-ICC")
            let signed = try SignedDynamicData.recover(
                signature,
                iccKey: TestKeys.publicKey("emvpt-key-ICC"),
                terminalData: []
            )
            if format == 0x95 {
                #expect(throws: CertificateError.wrongFormat(.fastDynamicData)) {
                    try signed.combined()
                }
            } else if count < 29 {
                #expect(throws: CertificateError.malformedDynamicData) { try signed.combined() }
            } else {
                #expect(try signed.combined().rest.count == count - 29)
            }
        }
    }

    @Test("A card signs as computed outside", arguments: try signingCases())
    fileprivate func dynamicSigning(_ vector: SigningVector) throws {
        var signer = DynamicDataSigner(key: try TestKeys.privateKey(vector.input.key))
        // Twice, because the signer keeps a hash state between signatures.
        for _ in 0..<2 {
            var isSigned = false
            let signature = [UInt8](capacity: 248) { (output: inout OutputSpan<UInt8>) in
                isSigned = signer.sign(
                    vector.input.dynamicData.bytes.span,
                    terminalData: vector.input.terminalData.bytes.span,
                    format: SignedDataFormat(rawValue: vector.input.format.bytes[0]),
                    into: &output
                )
            }
            #expect(isSigned)
            #expect(signature == vector.expected.signature.bytes)
        }
    }
}
