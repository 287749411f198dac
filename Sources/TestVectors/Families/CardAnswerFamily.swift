import CardEngine
import Octets
import Profiles

/// `card-answers`: whole answers of the built-in test cards.
struct CardAnswerFamily: VectorFamily {
    var scheme: Scheme
    /// The version of the cryptogram; nil for the profile's.
    var cryptogramVersion: Int?
    var counter: UInt16
    var random: [UInt8]
    var isUserAuthenticated: Bool
    var commands: [[UInt8]]

    static let name = "card-answers"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        scheme = try input.choice("scheme", of: Scheme.self)
        cryptogramVersion =
            input.has("cryptogramVersion") ? try input.count("cryptogramVersion", 0...255) : nil
        counter = try input.number("counter")
        guard counter > 0 else {
            throw ProfilesError(input.path(to: "counter"), "must not be 0000, which no payment has")
        }
        random = try input.hex("random", 0...64)
        isUserAuthenticated = try input.boolean("authenticated")
        commands = try input.hexList("commands", 1...300)
    }

    func output() throws -> VectorOutput {
        var profile = CardProfile.builtIn(scheme)
        if let cryptogramVersion, case .visa(var visa) = profile.applications[0].details {
            visa.cryptogramVersion = cryptogramVersion
            profile.applications[0].details = .visa(visa)
        }
        let personalization = try CardPersonalization(profile)
        var card = personalization.makeCard()
        card.resume(after: counter - 1, forApplication: 0)
        let key = personalization.issuers[0].makePaymentKey(
            for: profile.applications[0],
            counter: counter
        )
        card.reserve(key, forApplication: 0)
        card.addRandomBytes(random.span)
        card.userAuthenticated = isUserAuthenticated
        _ = card.response(to: Self.selection(of: profile.applications[0].aid))
        return ["responses": .list(commands.map { .bytes(card.response(to: $0)) })]
    }

    private static func selection(of name: [UInt8]) -> [UInt8] {
        [0x00, 0xA4, 0x04, 0x00, UInt8(name.count)] + name + [0x00]
    }
}
