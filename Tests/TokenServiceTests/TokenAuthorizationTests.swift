import EMVCrypto
import EMVData
import Foundation
import IssuerHost
import NFCWallet
import Octets
import TestSupport
import Testing
import TokenService

private struct Answers: Decodable, Sendable {
    var approval: HexBytes?
    var refusal: HexBytes
}

private typealias RequestCase = VectorCase<CardInput, Answers>

private func requestCases() throws -> [RequestCase] {
    try VectorFile<NoParameters, CardInput, Answers>.load("issuer-requests").groups
        .flatMap(\.cases)
}

struct TokenAuthorizationTests {
    private func vector(_ id: String = "visa-cvn10") throws -> RequestCase {
        try #require(requestCases().first { $0.id == id })
    }

    private func service(
        _ input: CardInput,
        _ host: IssuerHost,
        lastDay: String = "2030-12-31"
    ) throws -> TokenService {
        let service = try TokenService(ranges: [input.range()], host: host)
        try service.issue(input.token(lastDay: lastDay))
        return service
    }

    private func available(_ host: IssuerHost) -> UInt64? {
        PrimaryAccountNumber(text: CardInput.account).flatMap { host[$0]?.availableMinorUnits }
    }

    @Test(arguments: ["visa-cvn10", "visa-cvn18", "mchip-cvn14"])
    func `the account behind pays, and the token's keys answer the card`(_ id: String) throws {
        let vector = try vector(id)
        let host = try vector.input.host(availableMinorUnits: 10_000)
        let service = try service(vector.input, host)
        let request = try vector.input.request()
        let response = try #require(service.authorize(request))
        #expect(response.responseCode == "00")
        #expect(response.issuerAuthenticationData == vector.expected.approval?.bytes)
        let amount = try PaymentRequest(request).amount
        #expect(available(host) == 10_000 - amount.minorUnits)
    }

    @Test func `the account behind may have too little`() throws {
        let vector = try vector()
        let service = try service(vector.input, vector.input.host(availableMinorUnits: 3_999))
        let response = try #require(service.authorize(vector.input.request()))
        #expect(response.responseCode == "51")
        #expect(response.issuerAuthenticationData == vector.expected.refusal.bytes)
    }

    @Test func `the account behind may be gone`() throws {
        let vector = try vector()
        let service = try service(vector.input, IssuerHost(issuers: [], accounts: []))
        #expect(try service.authorize(vector.input.request())?.responseCode == "14")
    }

    @Test func `a wrong cryptogram never reaches the account`() throws {
        let vector = try vector()
        let host = try vector.input.host()
        let service = try service(vector.input, host)
        let forged = try vector.input.request(
            replacing: .amountAuthorised,
            with: [0, 0, 0, 0, 0, 1]
        )
        let response = try #require(service.authorize(forged))
        #expect(response.responseCode == "82")
        #expect(response.issuerAuthenticationData == nil)
        #expect(available(host) == 10_000_000)
    }

    @Test func `a repeated counter never reaches the account`() throws {
        let vector = try vector()
        let host = try vector.input.host()
        let service = try service(vector.input, host)
        #expect(try service.authorize(vector.input.request())?.responseCode == "00")
        #expect(try service.authorize(vector.input.request())?.responseCode == "63")
        #expect(available(host) == 10_000_000 - 4_000)
    }

    @Test func `a service that is started anew remembers the counters it has seen`() throws {
        let folder = try ScratchFolder.make("counters")
        defer { ScratchFolder.remove(folder) }
        let path = folder.appending(path: "tokens").path
        let vector = try vector()
        func answer() throws -> String? {
            let service = try TokenService(
                ranges: [vector.input.range()],
                host: vector.input.host(),
                records: StoredTokenRecords(path: path)
            )
            if service.token(of: CardInput.card) == nil {
                try service.issue(vector.input.token(lastDay: "2030-12-31"))
            }
            return try service.authorize(vector.input.request())?.responseCode
        }
        #expect(try answer() == "00")
        #expect(try answer() == "63")
    }

    @Test(arguments: [(Token.Status.suspended, "62"), (.deleted, "14")])
    func `a token that is not active does not pay`(
        _ status: Token.Status,
        _ code: String
    ) throws {
        let vector = try vector()
        let host = try vector.input.host()
        let service = try service(vector.input, host)
        try service.setStatus(status, of: CardInput.card)
        #expect(try service.authorize(vector.input.request())?.responseCode == code)
        #expect(available(host) == 10_000_000)
    }

    @Test func `a token pays through its last day`() throws {
        // The request is of 2019-11-05.
        let vector = try vector()
        let good = try service(vector.input, vector.input.host(), lastDay: "2019-11-05")
        #expect(try good.authorize(vector.input.request())?.responseCode == "00")
        let late = try service(vector.input, vector.input.host(), lastDay: "2019-11-04")
        #expect(try late.authorize(vector.input.request())?.responseCode == "54")
    }

    @Test func `another sequence number is another card`() throws {
        let vector = try vector()
        let service = try service(vector.input, vector.input.host())
        let request = try vector.input.request(replacing: .panSequenceNumber, with: [0x01])
        #expect(service.authorize(request)?.responseCode == "14")
    }

    @Test func `an unreadable request of a token is a format error`() throws {
        let vector = try vector()
        let service = try service(vector.input, vector.input.host())
        let request = try vector.input.request(
            replacing: .transactionDate,
            with: [0x26, 0x13, 0x01]
        )
        #expect(service.authorize(request)?.responseCode == "30")
    }

    @Test func `whatever is no token goes to the issuer as it is`() throws {
        let vector = try vector()
        let account = try Account(
            number: vector.input.number(),
            sequenceNumber: 0x00,
            lastDay: #require(TransactionDate(text: "2030-12-31")),
            availableMinorUnits: 4_000
        )
        let host = try IssuerHost(issuers: [vector.input.range()], accounts: [account])
        let service = try TokenService(ranges: [vector.input.range()], host: host)
        #expect(try service.authorize(vector.input.request())?.responseCode == "00")
        #expect(host[account.number]?.availableMinorUnits == 0)

        let stranger = TokenService(ranges: [], host: IssuerHost(issuers: [], accounts: []))
        #expect(try stranger.authorize(vector.input.request()) == nil)
    }
}
