import EMVCrypto
import Octets
import Profiles

/// `retail-macs`: triple DES, and the MAC of ISO 9797-1 algorithm 3.
enum RetailMACFamily: VectorFamily {
    case mac(key: [UInt8], message: [UInt8], padding: RetailMAC.Padding)
    case tripleDES(key: [UInt8], block: UInt64)

    static let name = "retail-macs"

    private enum Kind: String, CaseIterable { case mac, tripleDES }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let kind = try parameters.choice("of", of: Kind.self)
        let key = try input.desKey("key")
        switch kind {
        case .mac:
            self = .mac(
                key: key,
                message: try input.hex("message", 0...RetailMAC.maximumCount),
                padding: try input.paddingMethod("paddingMethod")
            )
        case .tripleDES:
            self = .tripleDES(key: key, block: try input.number("block"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .mac(let key, let message, let padding):
            var mac = RetailMAC(key: DoubleLengthKey(key))
            return [
                "mac": .beginning(
                    mac.mac(of: message.span, padding: padding).bigEndianBytes,
                    atLeast: 4
                )
            ]
        case .tripleDES(let key, let block):
            var cipher = TripleDES(key: DoubleLengthKey(key))
            return ["block": .beginning(cipher.encrypt(block).bigEndianBytes, atLeast: 3)]
        }
    }
}
