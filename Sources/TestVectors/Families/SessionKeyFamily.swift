import EMVCrypto
import Octets
import Profiles

/// `session-keys`: common session keys (EMV Book 2, A1.3.1).
struct SessionKeyFamily: VectorFamily {
    var cardKey: [UInt8]
    var diversifier: UInt64

    static let name = "session-keys"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        cardKey = try input.desKey("cardKey")
        diversifier = try input.number("diversifier")
    }

    func output() throws -> VectorOutput {
        var cipher = TripleDES(key: DoubleLengthKey(cardKey))
        let key = cipher.commonSessionKey(diversifier: diversifier)
        return [
            "key": .bytes(key.exportedBytes),
            "checkValue": .beginning(key.longCheckValue, atLeast: 2),
        ]
    }
}

/// `emv2000-session-keys`: session keys out of the tree of EMV 2000.
struct EMV2000SessionKeyFamily: VectorFamily {
    var cardKey: [UInt8]
    var counter: UInt16
    var tree: DoubleLengthKey.SessionKeyTree
    var initialVector: [UInt8]

    static let name = "emv2000-session-keys"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        cardKey = try input.desKey("cardKey")
        counter = try input.number("counter")
        switch try input.count("height", 8...16) {
        case 8: tree = .height8
        case 16: tree = .height16
        default: throw ProfilesError(input.path(to: "height"), "must be 8 or 16")
        }
        initialVector = try input.hex("initialVector", 16...16)
    }

    func output() throws -> VectorOutput {
        let key = DoubleLengthKey(cardKey).emv2000SessionKey(
            counter: counter,
            tree: tree,
            initialLeft: UInt64(bigEndian: initialVector.span, at: 0),
            initialRight: UInt64(bigEndian: initialVector.span, at: 8)
        )
        return ["key": .bytes(key.exportedBytes)]
    }
}

/// `secure-messaging-keys`: Visa's and Mastercard's session keys for scripts.
enum SecureMessagingKeyFamily: VectorFamily {
    case visa(cardKey: [UInt8], counter: UInt16)
    case mastercard(cardKey: [UInt8], cryptogram: UInt64, commandNumber: UInt64)

    static let name = "secure-messaging-keys"

    private enum Method: String, CaseIterable { case visa, mastercard }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let method = try parameters.choice("method", of: Method.self)
        let cardKey = try input.desKey("cardKey")
        switch method {
        case .visa: self = .visa(cardKey: cardKey, counter: try input.number("counter"))
        case .mastercard:
            self = .mastercard(
                cardKey: cardKey,
                cryptogram: try input.number("cryptogram"),
                commandNumber: try input.integer("commandNumber", in: 0...0xFFFF)
            )
        }
    }

    func output() throws -> VectorOutput {
        let plain = key()
        return [
            "key": .bytes(plain.withOddParity().exportedBytes),
            "keyWithoutParity": .bytes(plain.exportedBytes),
            "checkValue": .beginning(plain.longCheckValue, atLeast: 2),
        ]
    }

    private func key() -> DoubleLengthKey {
        switch self {
        case .visa(let cardKey, let counter):
            return DoubleLengthKey(cardKey).visaSecureMessagingKey(
                counter: counter,
                adjustsParity: false
            )
        case .mastercard(let cardKey, let cryptogram, let commandNumber):
            var cipher = TripleDES(key: DoubleLengthKey(cardKey))
            return cipher.mastercardSecureMessagingKey(
                cryptogram: cryptogram,
                commandNumber: commandNumber,
                adjustsParity: false
            )
        }
    }
}
