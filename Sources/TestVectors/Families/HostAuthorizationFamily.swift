import BERTLV
import EMVCrypto
import EMVData
import IssuerHost
import Octets
import Profiles

/// `host-authorizations`: data of host messages (DE 55), answered by an issuer that knows the card.
struct HostAuthorizationFamily: VectorFamily {
    var data: [UInt8]
    /// Whose card it is; nil where no issuer is to answer.
    var issuer: Issuer?

    static let name = "host-authorizations"

    /// An issuer by its keys.
    struct Issuer: Sendable {
        var scheme: Scheme
        var key: [UInt8]
        var derivation: MasterKeyDerivation

        fileprivate init(_ json: consuming JSONObject) throws(ProfilesError) {
            var object = json
            scheme = try object.choice("scheme", of: Scheme.self)
            key = try object.desKey("key")
            derivation = try object.derivation("option")
            try object.finish()
        }
    }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        data = try input.hex("data")
        if input.has("issuer") { issuer = try Issuer(input.object("issuer")) }
    }

    func output() throws -> VectorOutput {
        let message = AuthorizationRequest(chipData: try TLV.parse(data))
        let request = try PaymentRequest(message)
        let answer = try host(request).authorize(message)
        return [
            "accountNumber": .digits(request.accountNumber.digits),
            "sequenceNumber": .bytes(request.sequenceNumber),
            "amountMinorUnits": .number(Int(request.amount.minorUnits)),
            "date": .bytes(request.date.bytes),
            "type": .bytes(request.type.rawValue),
            "counter": .number(Int(request.counter)),
            "responseCode": answer.map { .text($0.responseCode) } ?? .nothing,
            "issuerAuthenticationData": .bytes(answer?.issuerAuthenticationData),
        ]
    }

    /// An issuer whose books have the card and enough for the payment.
    private func host(_ request: PaymentRequest) throws -> IssuerHost {
        guard let issuer else { return IssuerHost(issuers: [], accounts: []) }
        let profile = IssuerProfile(
            name: "Test issuer",
            scheme: issuer.scheme,
            identificationNumber: Array(request.accountNumber.digits.prefix(6)),
            masterKey: IssuerMasterKey(
                DoubleLengthKey(issuer.key),
                derivation: issuer.derivation
            )
        )
        let account = Account(
            number: request.accountNumber,
            sequenceNumber: request.sequenceNumber,
            lastDay: request.date,
            availableMinorUnits: request.amount.minorUnits
        )
        return IssuerHost(issuers: [profile], accounts: [account])
    }
}
