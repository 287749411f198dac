import BERTLV
import EMVCrypto
import EMVData
import IssuerHost
import Octets
import Profiles
import TestSupport
import Testing

/// A request with a genuine cryptogram, and the answers its card would take.
struct RequestInput: Decodable, Sendable {
    var scheme: String
    var issuerKey: HexBytes
    var option: String
    var pan: String
    var sequenceNumber: HexBytes
    var data: HexBytes
}

struct RequestExpected: Decodable, Sendable {}

/// The tag of a data object; Swift Testing has tags of its own.
typealias DataTag = BERTLV.Tag

typealias RequestCase = VectorCase<RequestInput, RequestExpected>

/// All cases of `Vectors/issuer-requests.json`.
func requestCases() throws -> [RequestCase] {
    try VectorFile<NoParameters, RequestInput, RequestExpected>.load("issuer-requests")
        .groups.flatMap(\.cases)
}

/// The case of a name.
func requestCase(_ id: String) throws -> RequestCase {
    try #require(requestCases().first { $0.id == id })
}

extension RequestInput {
    /// Whose card made the request.
    func issuer() throws -> IssuerProfile {
        let halves = [0, 8].map { UInt64(bigEndian: issuerKey.bytes.span, at: $0) }
        let key = DoubleLengthKey(left: halves[0], right: halves[1])
        return try IssuerProfile(
            name: "Test issuer",
            scheme: #require(Scheme(rawValue: scheme)),
            identificationNumber: #require(PackedDigits.digits(of: pan.prefix(6))),
            masterKey: IssuerMasterKey(key, derivation: option == "A" ? .optionA : .optionB)
        )
    }

    /// An account the request's card belongs to, good for anything.
    func account(availableMinorUnits: UInt64 = 10_000_000) throws -> Account {
        try Account(
            number: #require(PrimaryAccountNumber(text: pan)),
            sequenceNumber: #require(sequenceNumber.bytes.first),
            lastDay: #require(TransactionDate(year: 2030, month: 12, day: 31)),
            availableMinorUnits: availableMinorUnits
        )
    }

    /// The request, with one object replaced or, for nil, left out.
    func request(
        replacing tag: DataTag? = nil,
        with value: [UInt8]? = nil
    ) throws
        -> AuthorizationRequest
    {
        let objects = try TLV.parse(data.bytes)
        guard let tag else { return AuthorizationRequest(chipData: objects) }
        let others = objects.filter { $0.tag != tag }
        return AuthorizationRequest(chipData: others + (value.map { [TLV(tag, $0)] } ?? []))
    }

    /// An issuer that knows one account.
    func books(_ change: (inout Account) -> Void = { _ in }) throws -> IssuerHost {
        var account = try account()
        change(&account)
        return try IssuerHost(issuers: [issuer()], accounts: [account])
    }
}
