import EMVCrypto
import Octets
import Profiles

/// `payment-keys`: the keys of a card's transactions, counter by counter.
struct PaymentKeyFamily: VectorFamily {
    var version: ApplicationCryptogram
    var card: CardKeyInput
    var counters: [UInt16]

    static let name = "payment-keys"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        _ = try input.choice("scheme", of: Scheme.self)
        version = try input.named("version", among: ApplicationCryptogram.allCases)
        card = try CardKeyInput(&input)
        counters = try input.hexList("counters", 2...2).map { UInt16($0[0]) << 8 | UInt16($0[1]) }
    }

    func output() throws -> VectorOutput {
        let keys = counters.map { counter in
            let key = version.sessionKey(
                cardKey: card.cardKey(),
                counter: counter,
                unpredictableNumber: 0
            )
            return VectorValue.bytes(key.exportedBytes)
        }
        return ["keys": .list(keys)]
    }
}
