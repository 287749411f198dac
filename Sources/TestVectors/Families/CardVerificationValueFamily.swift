import EMVCrypto
import Octets
import Profiles

/// `card-verification-values`: CVV and its kin, dCVV, PVV.
enum CardVerificationValueFamily: VectorFamily {
    case value(key: [UInt8], account: Account, digitCount: Int)
    case dynamicValue(card: CardKeyInput, account: Account, counterDigits: [UInt8])
    case pinVerificationValue(key: [UInt8], pan: [UInt8], keyIndex: UInt8, pin: [UInt8])
    case zeroBlock(key: [UInt8])

    static let name = "card-verification-values"

    private enum Kind: String, CaseIterable {
        case value, authenticationValue, dynamicValue, pinVerificationValue, zeroBlock
    }

    /// What a value is computed over.
    struct Account: Sendable {
        var pan: [UInt8]
        var expiry: [UInt8]
        var serviceCode: [UInt8]

        init(_ input: inout JSONObject) throws(ProfilesError) {
            pan = try input.accountNumber("pan")
            expiry = try input.digits("expiry", 0...8)
            serviceCode = try input.digits("serviceCode", 0...8)
        }
    }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .value, .authenticationValue:
            self = .value(
                key: try input.desKey("key"),
                account: try Account(&input),
                digitCount: input.has("digitCount") ? try input.count("digitCount", 0...255) : 3
            )
        case .dynamicValue:
            self = .dynamicValue(
                card: try CardKeyInput(&input),
                account: try Account(&input),
                counterDigits: try input.digits("counterDigits", 0...8)
            )
        case .pinVerificationValue:
            self = .pinVerificationValue(
                key: try input.desKey("key"),
                pan: try input.accountNumber("pan"),
                keyIndex: UInt8(try input.count("keyIndex", 0...255)),
                pin: try input.digits("pin", 0...16)
            )
        case .zeroBlock: self = .zeroBlock(key: try input.desKey("key"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .value(let key, let account, let digitCount):
            let value = CardVerificationValue.value(
                pan: account.pan,
                expiry: account.expiry,
                serviceCode: account.serviceCode,
                digitCount: digitCount,
                key: DoubleLengthKey(key)
            )
            return ["value": .digits(try value.orRefused(as: "wrongDigitCount"))]
        case .dynamicValue(let card, let account, let counterDigits):
            let value = CardVerificationValue.dynamicValue(
                pan: account.pan,
                expiry: account.expiry,
                serviceCode: account.serviceCode,
                counterDigits: counterDigits,
                cardKey: card.cardKey()
            )
            return ["value": .digits(try value.orRefused(as: "wrongDigitCount"))]
        case .pinVerificationValue(let key, let pan, let keyIndex, let pin):
            let value = CardVerificationValue.pinVerificationValue(
                pin: pin,
                pan: pan,
                keyIndex: keyIndex,
                key: DoubleLengthKey(key)
            )
            return ["value": .digits(try value.orRefused(as: "wrongDigitCount"))]
        case .zeroBlock(let key):
            let block = DoubleLengthKey(key).longCheckValue
            return ["digits": .digits(PackedDigits.nibbles(block).filter { $0 <= 9 })]
        }
    }
}
