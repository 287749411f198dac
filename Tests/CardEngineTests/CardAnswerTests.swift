import CardEngine
import Octets
import Profiles
import TestSupport
import Testing

/// What the built-in cards answer, against values worked out by other programs.
@Suite struct CardAnswerTests {
    struct Parameters: Decodable {}

    struct Input: Decodable, Sendable {
        var scheme: String
        var cryptogramVersion: Int?
        var counter: HexBytes
        var random: HexBytes
        var authenticated: Bool
    }

    struct Expected: Decodable, Sendable {
        var exchanges: [[HexBytes]]
    }

    typealias Vectors = VectorFile<Parameters, Input, Expected>

    @Test(arguments: try Vectors.load("card-answers").groups.flatMap(\.cases))
    func answersAsWorkedOutElsewhere(_ vector: VectorCase<Input, Expected>) throws {
        let scheme = try #require(Scheme(rawValue: vector.input.scheme))
        let counter =
            UInt16(vector.input.counter.bytes[0]) << 8
            | UInt16(vector.input.counter.bytes[1])
        var card = try makeCard(
            scheme,
            after: counter - 1,
            keyCount: 1,
            random: vector.input.random.bytes
        ) { application in
            guard case .visa(var visa) = application.details,
                let version = vector.input.cryptogramVersion
            else { return }
            visa.cryptogramVersion = version
            application.details = .visa(visa)
        }
        card.userAuthenticated = vector.input.authenticated
        _ = try card.exchange(scheme == .visa ? Command.selectVisa : Command.selectMastercard)
        for exchange in vector.expected.exchanges {
            let response = card.exchange(exchange[0].bytes).response
            #expect(response.hex == exchange[1].bytes.hex, "\(exchange[0].bytes.hex)")
        }
    }
}
