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
}

private struct Nothing: Decodable, Sendable {}

private typealias StaticVector = VectorCase<StaticInput, StaticExpected>
private typealias DynamicVector = VectorCase<DynamicInput, Nothing>

private func staticCases() throws -> [StaticVector] {
    try VectorFile<NoParameters, StaticInput, StaticExpected>.load("signed-static-data")
        .groups.flatMap(\.cases)
}

private func dynamicCases() throws -> [DynamicVector] {
    try VectorFile<NoParameters, DynamicInput, Nothing>.load("signed-dynamic-data")
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
}
