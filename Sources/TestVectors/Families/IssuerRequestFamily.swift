import BERTLV
import EMVCrypto
import EMVData
import IssuerHost
import Octets
import Profiles

/// `issuer-requests`: requests to an issuer (DE 55) and the data its answer has for the card (91).
struct IssuerRequestFamily: VectorFamily {
    var scheme: Scheme
    var card: CardKeyInput
    var data: [UInt8]

    static let name = "issuer-requests"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        scheme = try input.choice("scheme", of: Scheme.self)
        card = try CardKeyInput(&input)
        data = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        let rich = try answer(availableMinorUnits: .max)
        let poor = try answer(availableMinorUnits: 0)
        // A request that the card itself has declined is never approved.
        return [
            "approval": rich.responseCode == "00"
                ? .bytes(rich.issuerAuthenticationData) : .nothing,
            "refusal": .bytes(poor.issuerAuthenticationData),
        ]
    }

    /// Asks an issuer with one account.
    private func answer(availableMinorUnits: UInt64) throws -> AuthorizationResponse {
        let issuer = IssuerProfile(
            name: "Test issuer",
            scheme: scheme,
            identificationNumber: [UInt8](card.pan.prefix(6)),
            masterKey: IssuerMasterKey(
                DoubleLengthKey(card.issuerKey),
                derivation: card.derivation
            )
        )
        let account = Account(
            number: try PrimaryAccountNumber(digits: card.pan).orRefused(as: "wrongPAN"),
            sequenceNumber: card.sequenceNumber,
            lastDay: try TransactionDate(year: 2049, month: 12, day: 31).orRefused(as: "expired"),
            availableMinorUnits: availableMinorUnits
        )
        let host = IssuerHost(issuers: [issuer], accounts: [account])
        let request = AuthorizationRequest(chipData: try TLV.parse(data))
        return try host.authorize(request).orRefused(as: "otherIssuer")
    }
}
