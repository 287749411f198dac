import BERTLV
import EMVData
import IssuerHost
import Octets
import Profiles
import TestSupport
import Testing

struct AuthorizationTests {
    @Test(arguments: try requestCases())
    func `a changed request is declined for its cryptogram`(_ vector: RequestCase) throws {
        var signed: [DataTag] = [
            .amountAuthorised, .unpredictableNumber, .applicationTransactionCounter,
            .applicationCryptogram,
        ]
        if vector.id != "mh-visa-offline-gpo" {
            signed += [
                .terminalCountryCode, .terminalVerificationResults, .transactionCurrencyCode,
                .transactionType, .applicationInterchangeProfile, .amountOther,
            ]
        }
        for tag in signed {
            var value = try #require(vector.input.request().value(tag))
            value[value.count - 1] ^= 0x01
            // The lowest digit of 9F02 may have become A, which is no amount; those bytes are even.
            let books = try vector.input.books()
            let changed = try vector.input.request(replacing: tag, with: value)
            let response = try #require(books.authorize(changed))
            #expect(response.responseCode == "82", "\(tag)")
            #expect(response.issuerAuthenticationData == nil)
        }
    }

    @Test func `an unknown cryptogram version is declined`() throws {
        let input = try requestCase("visa-cvn10").input
        let books = try input.books()
        let request = try input.request(
            replacing: .issuerApplicationData,
            with: [UInt8](hex: "06017F03A06010")
        )
        #expect(books.authorize(request)?.responseCode == "82")
    }

    @Test func `a repeated counter is declined, and one declined for other reasons counts`() throws
    {
        let input = try requestCase("visa-cvn10").input
        let books = try input.books { $0.availableMinorUnits = 0 }
        let request = try input.request()
        #expect(books.authorize(request)?.responseCode == "51")
        books[try input.account().number]?.availableMinorUnits = 10_000
        let repeated = try #require(books.authorize(request))
        #expect(repeated.responseCode == "63")
        #expect(repeated.reason == "counter 28 was used before")
        #expect(repeated.issuerAuthenticationData == nil)
    }

    @Test func `a wrong cryptogram does not use up its counter`() throws {
        let input = try requestCase("visa-cvn10").input
        let books = try input.books()
        let forged = try input.request(
            replacing: .applicationCryptogram,
            with: [UInt8](repeating: 0, count: 8)
        )
        #expect(books.authorize(forged)?.responseCode == "82")
        #expect(books.authorize(try input.request())?.responseCode == "00")
    }

    @Test func `a card of another issuer is not answered`() throws {
        let input = try requestCase("visa-cvn10").input
        let books = try requestCase("mchip-cvn14").input.books()
        #expect(books.authorize(try input.request()) == nil)
    }

    @Test func `an unknown account and an unknown sequence number are declined`() throws {
        let input = try requestCase("visa-cvn10").input
        let request = try input.request()
        let empty = try IssuerHost(issuers: [input.issuer()], accounts: [])
        #expect(empty.authorize(request)?.responseCode == "14")
        let other = try input.books { $0.sequenceNumber = 0x01 }
        #expect(other.authorize(request)?.responseCode == "14")
    }

    @Test func `the longest identification number that fits decides`() throws {
        let input = try requestCase("visa-cvn10").input
        var general = try requestCase("host-sale-emv-visa").input.issuer()
        general.identificationNumber = [1, 2, 3]
        for issuers in try [[general, input.issuer()], [input.issuer(), general]] {
            let books = try IssuerHost(issuers: issuers, accounts: [input.account()])
            #expect(books.authorize(try input.request())?.responseCode == "00")
        }
    }
}
