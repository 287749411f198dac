import EMVCrypto
import Octets
import Profiles

/// `limited-use-keys`: Visa's keys for a few taps, and what is computed with them.
enum LimitedUseKeyFamily: VectorFamily {
    case key(cardKey: [UInt8], index: String)
    case magneticStripeValue(key: [UInt8], counter: UInt16, deviceType: UInt64)
    case cryptogram(key: [UInt8], message: [UInt8])

    static let name = "limited-use-keys"

    private enum Kind: String, CaseIterable { case key, magneticStripeValue, cryptogram }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .key:
            self = .key(
                cardKey: try input.desKey("cardKey"),
                index: try input.string("index")
            )
        case .magneticStripeValue:
            self = .magneticStripeValue(
                key: try input.desKey("limitedUseKey"),
                counter: try input.number("counter"),
                deviceType: try input.hex("deviceType", 6...6).reduce(0) { $0 << 8 | UInt64($1) }
            )
        case .cryptogram:
            self = .cryptogram(
                key: try input.desKey("limitedUseKey"),
                message: try input.hex("message", 0...RetailMAC.maximumCount)
            )
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .key(let cardKey, let text):
            let digits = try PackedDigits.digits(of: text).orRefused(as: "notADigit")
            let index = try LimitedUseKeyIndex(digits: digits).orRefused(as: "wrongDigitCount")
            var cipher = TripleDES(key: DoubleLengthKey(cardKey))
            return ["key": .bytes(cipher.limitedUseKey(index).exportedBytes)]
        case .magneticStripeValue(let key, let counter, let deviceType):
            var cipher = TripleDES(key: DoubleLengthKey(key))
            let digits = cipher.magneticStripeVerificationValue(
                counter: counter,
                deviceType: deviceType
            )
            return ["value": .digits(digits)]
        case .cryptogram(let key, let message):
            var mac = RetailMAC(key: DoubleLengthKey(key))
            return ["cryptogram": .bytes(mac.mac(of: message.span, padding: .marked))]
        }
    }
}
