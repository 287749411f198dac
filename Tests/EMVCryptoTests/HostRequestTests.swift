import BERTLV
import EMVCrypto
import EMVData
import Octets
import TestSupport
import Testing

private struct Nothing: Decodable {}

private struct Input: Decodable, Sendable {
    var data: HexBytes
    var issuerKey: HexBytes?
    var option: String?
}

private struct Expected: Decodable, Sendable {
    var version: String?
    var cryptogram: HexBytes
    var objectCount: Int
    var isGenuine: Bool?
    var issuerAuthenticationData: HexBytes?
    var requestCryptogram: HexBytes?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases() throws -> [Vector] {
    try VectorFile<Nothing, Input, Expected>.load("host-requests").groups.flatMap(\.cases)
}

@Suite("Data of host messages (DE 55)")
struct HostRequestTests {
    @Test("A host message's cryptogram is its card's", arguments: try cases())
    fileprivate func request(_ vector: Vector) throws {
        let list = try TLV.parse(vector.input.data.bytes)
        #expect(list.count == vector.expected.objectCount)
        var objects: [BERTLV.Tag: [UInt8]] = [:]
        for object in list { objects[object.tag] = object.value }
        #expect(objects[.applicationCryptogram] == vector.expected.cryptogram.bytes)

        let track2 = try Track2(parsing: #require(objects[.track2EquivalentData]))
        let version = try ApplicationCryptogram(
            issuerApplicationData: #require(objects[.issuerApplicationData]),
            rid: [UInt8](#require(objects[.dedicatedFileName]).prefix(5))
        )
        #expect(version.map { "\($0)" } == vector.expected.version)
        guard let issuerKey = vector.input.issuerKey, let version else { return }
        var cipher = TripleDES(key: DoubleLengthKey(issuerKey))
        let cardKey = try cipher.cardKey(
            pan: track2.accountNumber.digits,
            sequenceNumber: #require(objects[.panSequenceNumber]?.first),
            derivation: derivation(vector.input.option)
        )
        #expect(try version.verify(cardKey: cardKey) { objects[$0] } == vector.expected.isGenuine)

        // A completion carries the host's answer to the request before it.
        guard let request = vector.expected.requestCryptogram else { return }
        objects[.applicationCryptogram] = request.bytes
        let answer = try version.issuerAuthenticationData(
            cardKey: cardKey,
            responseCode: 0x3030,
            cardStatusUpdate: 0
        ) { objects[$0] }
        #expect(answer == vector.expected.issuerAuthenticationData?.bytes)
    }
}
