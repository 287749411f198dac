import BERTLV
import EMVCrypto
import EMVData
import IssuerHost
import NFCWallet
import Octets
import Profiles
import TestSupport
import Testing
import TokenService

/// The tag of a data object; Swift Testing has tags of its own.
typealias DataTag = BERTLV.Tag

/// A card of `Vectors/issuer-requests.json` or `Vectors/payment-keys.json`.
struct CardInput: Decodable, Sendable {
    var scheme: String
    var issuerKey: HexBytes
    var option: String
    var pan: String
    var sequenceNumber: HexBytes
    var version: String?
    var counters: [HexBytes]?
    var data: HexBytes?
}

extension CardInput {
    /// The digital card of every test.
    static let card = DigitalCard.ID(rawValue: "card")

    /// The account behind every token.
    static let account = "4000000000000002"

    func number() throws -> PrimaryAccountNumber {
        try #require(PrimaryAccountNumber(text: pan))
    }

    /// Whose range the number is of.
    func range() throws -> IssuerProfile {
        let halves = [0, 8].map { UInt64(bigEndian: issuerKey.bytes.span, at: $0) }
        let key = DoubleLengthKey(left: halves[0], right: halves[1])
        return try IssuerProfile(
            name: "Test range",
            scheme: #require(Scheme(rawValue: scheme)),
            identificationNumber: #require(PackedDigits.digits(of: pan.prefix(6))),
            masterKey: IssuerMasterKey(key, derivation: option == "A" ? .optionA : .optionB)
        )
    }

    func token(
        version: ApplicationCryptogram = .visaCVN10,
        lastDay: String = "2030-12-31",
        card: DigitalCard.ID = Self.card
    ) throws -> Token {
        try Token(
            number: number(),
            sequenceNumber: #require(sequenceNumber.bytes.first),
            lastDay: #require(TransactionDate(text: lastDay)),
            version: version,
            account: #require(PrimaryAccountNumber(text: Self.account)),
            card: card
        )
    }

    /// The issuer of the account behind; it has no keys of the token.
    func host(availableMinorUnits: UInt64 = 10_000_000) throws -> IssuerHost {
        let account = try Account(
            number: #require(PrimaryAccountNumber(text: Self.account)),
            sequenceNumber: 0,
            lastDay: #require(TransactionDate(text: "2030-12-31")),
            availableMinorUnits: availableMinorUnits
        )
        return IssuerHost(issuers: [], accounts: [account])
    }

    func request(
        replacing tag: DataTag? = nil,
        with value: [UInt8] = []
    ) throws
        -> AuthorizationRequest
    {
        let objects = try TLV.parse(#require(data).bytes)
        return AuthorizationRequest(
            chipData: objects.map { $0.tag == tag ? TLV($0.tag, value) : $0 }
        )
    }
}
