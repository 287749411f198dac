import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var method: Int }

private struct Input: Decodable, Sendable {
    var key: HexBytes
    var cryptogram: HexBytes
    var responseCode: HexBytes?
    var cardStatusUpdate: HexBytes?
    var proprietaryData: HexBytes?
}

private struct Expected: Decodable, Sendable { var responseCryptogram: HexBytes }

private func cases(method: Int) throws -> [VectorCase<Input, Expected>] {
    try VectorFile<Parameters, Input, Expected>.load("response-cryptograms").groups
        .filter { $0.parameters.method == method }.flatMap(\.cases)
}

@Suite("Authorisation response cryptograms (EMV Book 2, 8.2)")
struct ResponseCryptogramTests {
    @Test("Method 1 gives the ARPC published", arguments: try cases(method: 1))
    fileprivate func method1(_ vector: VectorCase<Input, Expected>) throws {
        let response = try ResponseCryptogram.method1(
            cryptogram: vector.input.cryptogram.number,
            responseCode: UInt16(#require(vector.input.responseCode).number),
            key: DoubleLengthKey(vector.input.key)
        )
        #expect(response == vector.expected.responseCryptogram.number)
    }

    @Test("Method 2 gives the ARPC published", arguments: try cases(method: 2))
    fileprivate func method2(_ vector: VectorCase<Input, Expected>) throws {
        let response = try ResponseCryptogram.method2(
            cryptogram: vector.input.cryptogram.number,
            cardStatusUpdate: UInt32(#require(vector.input.cardStatusUpdate).number),
            proprietaryData: #require(vector.input.proprietaryData).bytes,
            key: DoubleLengthKey(vector.input.key)
        )
        #expect(UInt64(response) == vector.expected.responseCryptogram.number)
    }
}
