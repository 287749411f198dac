import BERTLV
import EMVCrypto
import EMVData
import Octets
import Profiles

/// `application-cryptograms`: a version of the cryptogram over data objects.
struct ApplicationCryptogramFamily: VectorFamily {
    var calculation: CryptogramCalculation

    static let name = "application-cryptograms"

    /// How far a source goes: to what is signed, or to the cryptogram.
    private enum Kind: String, CaseIterable { case input, cryptogram }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let kind = try parameters.choice("of", of: Kind.self)
        calculation = try CryptogramCalculation(&input, isKeyed: kind == .cryptogram)
    }

    func output() throws -> VectorOutput { try calculation.output() }
}

/// `scheme-cryptograms`: the same for the version that 9F10 names to the scheme of a RID.
enum SchemeCryptogramFamily: VectorFamily {
    case objects(CryptogramCalculation, rid: [UInt8])
    case message(MessageCryptogram)

    static let name = "scheme-cryptograms"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let rid = try input.hex("rid", 5...5)
        self =
            input.has("message")
            ? .message(try MessageCryptogram(&input))
            : .objects(
                try CryptogramCalculation(&input, isKeyed: input.has("issuerKey")),
                rid: rid
            )
    }

    func output() throws -> VectorOutput {
        switch self {
        case .objects(let calculation, let rid):
            var output = try calculation.output()
            let named = calculation.value(.issuerApplicationData).flatMap {
                ApplicationCryptogram(issuerApplicationData: $0, rid: rid)
            }
            output["namedVersion"] = named.map { .text("\($0)") } ?? .nothing
            return output
        case .message(let message): return try message.output()
        }
    }
}

/// What an issuer computes of the data objects it was sent.
struct CryptogramCalculation: Sendable {
    var version: ApplicationCryptogram
    var objects: [DataObject]
    /// Nil where a source shows only what is signed.
    var card: CardKeyInput?
    var responseCode: UInt16?
    var cardStatusUpdate: UInt32?

    init(_ input: inout JSONObject, isKeyed: Bool) throws(ProfilesError) {
        version = try input.named("version", among: ApplicationCryptogram.allCases)
        objects = try input.dataObjects("objects")
        card = isKeyed ? try CardKeyInput(&input) : nil
        responseCode = try input.optionalNumber("responseCode")
        cardStatusUpdate = try input.optionalNumber("cardStatusUpdate")
    }

    /// The value of a data object.
    func value(_ tag: Tag) -> [UInt8]? { objects.first { $0.tag == tag }?.value }

    func output() throws -> VectorOutput {
        let input = try version.input { value($0) }
        var output: VectorOutput = [
            "input": .bytes(input), "padded": .bytes(version.padding.padded(input)),
        ]
        guard let card else { return output }
        let cardKey = card.cardKey()
        let sessionKey = try version.sessionKey(cardKey: cardKey) { value($0) }
        let cryptogram = try version.cryptogram(cardKey: cardKey) { value($0) }
        output["sessionKey"] = .bytes(sessionKey.exportedBytes)
        output["cryptogram"] = .bytes(cryptogram)
        guard responseCode != nil || cardStatusUpdate != nil else { return output }
        let answer = try version.issuerAuthenticationData(
            cardKey: cardKey,
            responseCode: responseCode ?? 0,
            cardStatusUpdate: cardStatusUpdate ?? 0
        ) { $0 == .applicationCryptogram ? cryptogram.bigEndianBytes : value($0) }
        // The answer ends with what it authenticates.
        output["responseCryptogram"] = .bytes(
            [UInt8](answer.dropLast(cardStatusUpdate == nil ? 2 : 4))
        )
        return output
    }
}

/// The cryptogram over an input that a source has already put together.
struct MessageCryptogram: Sendable {
    var version: ApplicationCryptogram
    var card: CardKeyInput
    var message: [UInt8]
    var counter: UInt16

    init(_ input: inout JSONObject) throws(ProfilesError) {
        version = try input.named("version", among: ApplicationCryptogram.allCases)
        card = try CardKeyInput(&input)
        message = try input.hex("message", 0...RetailMAC.maximumCount)
        counter = try input.optionalNumber("counter") ?? 0
    }

    func output() throws -> VectorOutput {
        let key = version.sessionKey(
            cardKey: card.cardKey(),
            counter: counter,
            unpredictableNumber: 0
        )
        var mac = RetailMAC(key: key)
        return [
            "sessionKey": .bytes(key.exportedBytes),
            "cryptogram": .bytes(mac.mac(of: message.span, padding: version.padding)),
        ]
    }
}
