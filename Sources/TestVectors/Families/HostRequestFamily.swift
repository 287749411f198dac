import BERTLV
import EMVCrypto
import EMVData
import Octets
import Profiles

/// `host-requests`: data of host messages (DE 55), and the cryptogram in them.
struct HostRequestFamily: VectorFamily {
    var data: [UInt8]
    var issuer: (key: [UInt8], derivation: MasterKeyDerivation)?
    /// The cryptogram of the request that a completion follows.
    var requestCryptogram: [UInt8]?

    static let name = "host-requests"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        data = try input.hex("data")
        if input.has("issuerKey") {
            issuer = (try input.desKey("issuerKey"), try input.derivation("option"))
        }
        requestCryptogram = try input.optionalHex("requestCryptogram", 8...8)
    }

    func output() throws -> VectorOutput {
        let list = try TLV.parse(data)
        func value(_ tag: Tag) -> [UInt8]? { list.last { $0.tag == tag }?.value }
        let version = ApplicationCryptogram(
            issuerApplicationData: try value(.issuerApplicationData).orRefused(as: "missing"),
            rid: [UInt8](try value(.dedicatedFileName).orRefused(as: "missing").prefix(5))
        )
        var output: VectorOutput = [
            "objectCount": .number(list.count),
            "cryptogram": .bytes(value(.applicationCryptogram)),
            "version": version.map { .text("\($0)") } ?? .nothing,
            "issuerAuthenticationData": .bytes(value(.issuerAuthenticationData)),
        ]
        guard let issuer, let version else { return output }
        let track2 = try Track2(
            parsing: try value(.track2EquivalentData).orRefused(as: "missing")
        )
        var cipher = TripleDES(key: DoubleLengthKey(issuer.key))
        let cardKey = cipher.cardKey(
            pan: track2.accountNumber.digits,
            sequenceNumber: value(.panSequenceNumber)?.first ?? 0,
            derivation: issuer.derivation
        )
        output["isGenuine"] = .boolean(try version.verify(cardKey: cardKey) { value($0) })
        if let requestCryptogram {
            let answer = try version.issuerAuthenticationData(
                cardKey: cardKey,
                responseCode: 0x3030,
                cardStatusUpdate: 0
            ) { $0 == .applicationCryptogram ? requestCryptogram : value($0) }
            output["answer"] = .bytes(answer)
        }
        return output
    }
}
